"""Arguments that are lists, dicts and sets of a class of their own: what they hold."""

import gc
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

x = np.float64(5)


class Row(list):
    @ag.function
    def first(self, x):
        return self[0] * x

    @ag.function
    def add(self, x):
        self.append(x)
        return len(self), sum(self)


class Table(dict):
    @ag.function
    def at(self, x):
        return self["a"] * x


class Words(set):
    pass


def test_a_list_that_is_self_and_has_changed_is_read_again():
    row = Row([2])
    assert row.first(x) == 10
    row[0] = 9
    assert [row.first(x), row.first(x)] == [45, 45]
    row.insert(0, np.float64(1))
    assert row.first(x) == 5


def test_a_dict_that_is_self_and_has_changed_is_read_again():
    table = Table(a=2)
    assert table.at(x) == 10
    table["a"] = 9
    assert [table.at(x), table.at(x)] == [45, 45]


def swap(held: Any) -> None:
    held[0] = 9


CHANGES: dict[str, tuple[Any, Callable[..., Any], Callable[[Any], None]]] = {
    "list": (Row([2, 3]), lambda held, x: held[0] * x, swap),
    "dict": (Table({0: 2}), lambda held, x: held[0] * x, swap),
    "set": (Words({1}), lambda held, x: len(held) * x, lambda held: held.add(2)),
    "plain set": ({1}, lambda held, x: len(held) * x, lambda held: held.add(2)),
    "inside": (Row([[2]]), lambda held, x: held[0][0] * x, lambda held: swap(held[0])),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_an_argument_that_has_changed_is_read_again(kind):
    held, python, change = CHANGES[kind]
    f = ag.function(python)
    assert f(held, x) == python(held, x)
    change(held)
    assert f(held, x) == python(held, x)
    assert len(f.traces()) == 2


def test_a_view_of_a_dict_that_has_changed_is_read_again():
    held = {"a": 2}
    f = ag.function(lambda view, x: view["a"] * x)
    assert f(types.MappingProxyType(held), x) == 10
    held["a"] = 9
    assert f(types.MappingProxyType(held), x) == 45


def test_a_list_that_the_call_changes_needs_few_traces():
    row = Row()
    assert [row.add(x) for _ in range(3)] == [(1, 5), (2, 10), (3, 15)]
    assert row == [5, 5, 5]


def test_an_argument_that_has_not_changed_needs_one_trace():
    row = Row([2])
    f = ag.function(lambda held, x: held[0] * x)
    assert [f(row, x), f(row, x)] == [10, 10]
    row[0] = 2
    assert f(row, x) == 10
    assert len(f.traces()) == 1


def test_the_argument_is_not_kept_alive():
    row = Row([2])
    row.first(x)
    gone = weakref.ref(row)
    del row
    gc.collect()
    assert gone() is None


def test_the_trace_says_what_has_changed():
    row = Row([2, 3])
    f = ag.function(lambda held, x: held[0] * x)
    f(row, x)
    row[0] = 9
    f(row, x)
    row.append(1)
    f(row, x)
    reasons = [trace.reason for trace in f.traces()]
    assert reasons == [
        "the first call",
        "what a Row holds, `[0]`: 2 -> 9",
        "what a Row holds: Row(9, 3) -> Row(9, 3, 1)",
    ]


class Checked(dict):
    """A dict that takes floats, and is filled in no other way."""

    def __setitem__(self, key, value):
        dict.__setitem__(self, key, float(value))

    def update(self, other):
        raise NotImplementedError

    clear = copy = update


class Bag(list):
    def extend(self, items):
        raise NotImplementedError

    clear = copy = extend


def test_methods_that_a_class_refuses_are_not_called_while_tracing():
    table, bag = Checked(a=1.0), Bag([1])

    def counted(x):
        table["a"] = table["a"] + 1
        bag.append(2)
        if x[0] > 2:
            bag.append(4)
            table["b"] = 4
        return x * table["a"] * len(bag)

    told = []
    for f in counted, ag.function(counted):
        dict.clear(table)
        table["a"], bag[:] = 1, [1]
        told.append([f(np.arange(3.0) + i).tolist() for i in range(5)])
        told[-1] += [dict(table), list(bag)]
    assert told[0] == told[1]
    assert told[0][-1] == [1, 2, 2, 2, 2, 4, 2, 4]
