"""Objects that may be gone through, and that a method takes as they are."""

import collections

import numpy as np
import pytest

from tests.conformance.trying import check

one = np.float64(1.0)


class Pair:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        yield 5
        yield 2

    def __repr__(self):
        return "Pair"

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return 3


def put(made, method, *args):
    getattr(made, method)(*args)
    return made


PUTS = {
    "append": lambda v: put([], "append", v),
    "insert": lambda v: put([1], "insert", 0, v),
    "append to a deque": lambda v: put(collections.deque([1]), "append", v),
    "append left": lambda v: put(collections.deque([1]), "appendleft", v),
    "add": lambda v: put(set(), "add", v),
    "discard": lambda v: put({v}, "discard", v),
    "setdefault": lambda v: put({}, "setdefault", "a", v),
    "remove": lambda v: put([1, v], "remove", v),
    "index": lambda v: [1, v].index(v),
    "count": lambda v: [1, v].count(v),
    "get": lambda v: {v: 1}.get(v),
    "pop": lambda v: {v: 1}.pop(v),
    "format": lambda v: f"{v} {v!r} {v}",
    "extend": lambda v: put([], "extend", v),
    "extend left": lambda v: put(collections.deque(), "extendleft", v),
    "update": lambda v: put(set(), "update", v),
    "union": lambda v: {1}.union(v),
    "is a subset": lambda v: {2}.issubset(v),
    "join": lambda v: ", ".join(map(str, v)),
}


def made(x, way):
    return repr(way(Pair(x))), x


@pytest.mark.parametrize("way", PUTS.values(), ids=PUTS)
def test_a_method_goes_through_what_python_goes_through(way):
    check(made, ((one, way), (one + 1, way)))
