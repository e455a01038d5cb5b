"""Objects of classes derived from containers that are made of what data tell."""

import warnings
from collections import OrderedDict, deque

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

ARRAYS = (np.arange(3.0),), (np.float64(2.0),)
PROGRAMS = Programs()


class Named(dict):
    pass


class Ordered(OrderedDict):
    pass


class Row(list):
    pass


class Pair(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, items)


class Latest(deque):
    pass


class Numbered(list):
    def __init__(self, items, number):
        super().__init__(items)
        self.number = number


@PROGRAMS(*ARRAYS)
def dicts(x):
    return Named(double=x * 2), Ordered([("half", x / 2)])


@PROGRAMS(*ARRAYS)
def lists(x):
    return Row([x * 2, x]), Latest([x * 2], 3)


@PROGRAMS(*ARRAYS)
def a_tuple(x):
    return Pair(x * 2, x)


@PROGRAMS(*ARRAYS)
def a_list_with_attributes(x):
    row = Numbered([x * 2], x)
    return row, row.number


@PROGRAMS(*ARRAYS)
def in_others(x):
    return [Named(double=x * 2)], {"row": Row([x * 2])}


@PROGRAMS(*ARRAYS)
def only_asked(x):
    return Named(double=x * 2)["double"], len(Row([x])), Pair(x, 1)[0]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_what_is_made_of_data_holds_arrays(program, calls):
    # No graph makes such an object: those that leave the function are Python's.
    with ag.config(strict=False), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is run as Python")
        check(program, calls)
