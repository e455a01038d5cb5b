"""What a loop may have left under two names is one object, or two, in the result."""

import numpy as np
import pytest

import autograph as ag


class Point:
    def __init__(self, v):
        self.v = v


def lists(x, n):
    best, row = [], []
    for i in range(n):
        row = [x[i], x[i] * 2]
        if x[i] > 1:
            best = row
    return best, row


def always(x, n):
    row, other = [0.0], [1.0]
    for i in range(n):
        row = [x[i]]
        other = row
    return row, other


def dicts(x, n):
    best, row = {"v": 0.0}, {"v": 1.0}
    for i in range(n):
        row = {"v": x[i]}
        if x[i] > 1:
            best = row
    return best, row


def objects(x, n):
    best, row = Point(0.0), Point(1.0)
    for i in range(n):
        row = Point(x[i])
        if x[i] > 1:
            best = row
    return best, row


@pytest.mark.parametrize("program", [lists, always, dicts, objects])
def test_they_are_one_where_they_are_in_python(program):
    staged, x = ag.function(program), np.arange(5.0)
    for n in (5, 0, 2, 3, 1):
        for count in (n, np.int64(n)):
            (a, b), (c, d) = program(x, count), staged(x, count)
            assert (c is d) == (a is b)
            assert [getattr(one, "v", one) for one in (c, d)] == [
                getattr(one, "v", one) for one in (a, b)
            ]


def test_one_of_them_alone_has_a_graph():
    @ag.function
    def best(x, n):
        return always(x, n)[0], dicts(x, n)[0]

    assert best(np.arange(5.0), np.int64(4)) == ([3.0], {"v": 3.0})
    assert len(best.concrete_functions) == 1
