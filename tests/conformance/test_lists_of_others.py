"""Lists that a call which is not converted finds, and that others have too."""

import operator
from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

ITEMS = operator.attrgetter("items")
KEPT = {"found": [7]}


@dataclass
class Shelf:
    items: list[int] = field(default_factory=lambda: [0])
    size: int = 4


def found_in_a_loop(x, shelf):
    i = 0
    while i < x:
        items = ITEMS(shelf)
        items.append(i)
        i += 1
    return len(shelf.items)


def found_before(x, shelf):
    items = ITEMS(shelf)
    if x > 1:
        items.append(x)
    return len(shelf.items), items


def by_a_builtin(x, shelf):
    i = 0
    while i < x:
        items = getattr(shelf, "items" if x > 0 else "size")
        items.append(i)
        i += 1
    return len(shelf.items)


def in_a_tuple(x, shelf):
    items, size = operator.attrgetter("items", "size")(shelf)
    if x > 1:
        items.append(size)
    return len(shelf.items)


def in_a_list(x, shelf):
    (items,) = operator.itemgetter(slice(0, 1))([shelf.items])
    for i in range(x):
        items[0] += i
    return shelf.items


def of_arrays(x, kept):
    found = operator.itemgetter("found")(kept)
    found[0][0] += x
    if x > 1:
        found.append(np.ones(2))
    return len(found), kept["found"]


def of_a_global(x):
    found = operator.itemgetter("found")(KEPT)
    for i in range(x):
        found.append(i)
    return len(KEPT["found"]), KEPT["found"].pop()


PROGRAMS = [
    (found_in_a_loop, Shelf),
    (found_before, Shelf),
    (by_a_builtin, Shelf),
    (in_a_tuple, Shelf),
    (in_a_list, Shelf),
    (of_arrays, lambda: {"found": [np.zeros(2)]}),
]


@pytest.mark.parametrize(("function", "owner"), PROGRAMS)
def test_a_list_that_a_call_finds_is_the_one_of_its_owner(function, owner):
    for x in (0, 1, 3):
        assert_same_as_python(function, np.int64(x), owner())


def test_so_is_one_of_a_global():
    found = {}
    for name, function in (("plain", of_a_global), ("graph", ag.function(of_a_global))):
        KEPT["found"] = [7]
        found[name] = [(function(np.int64(x)), KEPT["found"][:]) for x in (1, 3, 1, 0)]
    assert found["plain"] == found["graph"]
