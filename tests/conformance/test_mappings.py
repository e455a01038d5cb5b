"""Mappings of the user's own class, where a dict is made of one or updated by one."""

from collections import ChainMap, Counter, OrderedDict, defaultdict
from collections.abc import Mapping

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

NUMBERS = (np.float64(2.0),), (np.float64(-1.0),)
PROGRAMS = Programs()


class Named:
    """Has `keys`, and nothing to go through it by but indices."""

    def __init__(self, x):
        self.held = {"one": x, "two": x * 2}

    def keys(self):
        return self.held.keys()

    def __getitem__(self, key):
        print("asked for", key)
        return self.held[key]


class Prices(Mapping):
    def __init__(self, x):
        self.held = {"pear": 3, "plum": x}

    def __getitem__(self, name):
        return self.held[name]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


@PROGRAMS(*NUMBERS)
def a_dict_of_what_has_keys(x):
    return dict(Named(x)), dict(Named(x), three=3)


@PROGRAMS(*NUMBERS)
def dicts_of_a_mapping(x):
    prices = Prices(x)
    return dict(prices), OrderedDict(prices), defaultdict(int, prices), {**prices}


@PROGRAMS(*NUMBERS)
def a_dict_that_is_updated(x):
    found = {"pear": 1}
    found.update(Prices(x))
    found.update(Named(x), last=x)
    return found


@PROGRAMS(*NUMBERS)
def a_counter_of_a_mapping(x):
    counts = Counter(Prices(x))
    counts.update(Prices(x + 1))
    return counts, Counter(["pear", "pear"])


@PROGRAMS(*NUMBERS)
def a_dict_of_several(x):
    several = ChainMap({"a": x}, {"a": 1, "b": 2})
    return dict(several), list(several), several["a"]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_mapping_is_asked_for_its_keys(program, calls):
    check(program, calls)
