"""The user's arrays, wherever they are kept: read at each call, and written back."""

import collections
import types

import numpy as np
import pytest

import autograph as ag


class Slotted:
    """Keeps its array in a slot."""

    __slots__ = ("table",)

    def __init__(self):
        self.table = np.zeros(2)


class Shared:
    """Keeps its array in the class."""

    table = np.zeros(2)


class Inheriting(Shared):
    """Finds it in its base."""


slotted, inheriting = Slotted(), Inheriting()
module = types.ModuleType("module")
module.table = np.zeros(2)
queue = collections.deque([np.zeros(2)])
large = {"table": np.zeros(2), "data": [[i] for i in range(30_000)]}


def in_a_slot(x):
    slotted.table[0] += x
    return slotted.table


def in_a_class(x):
    Shared.table[0] += x
    return Shared.table


def in_a_base(x):
    inheriting.table[0] += x
    return inheriting.table


def in_a_module(x):
    module.table[0] += x
    return module.table


def in_a_queue(x):
    queue[0][0] += x
    return queue[0]


def beside_a_data_set(x):
    large["table"][0] += x
    return large["table"]


PROGRAMS = [
    *(in_a_slot, in_a_class, in_a_base, in_a_module, in_a_queue, beside_a_data_set)
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_array_is_the_users_wherever_it_is_kept(program):
    array = program(0.0)
    array[:] = 0
    traced = ag.function(program)
    for expected in (1.0, 2.0):
        traced(np.float64(1))
        assert array.tolist() == [expected, 0.0]
