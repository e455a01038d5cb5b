"""Generators that go through themselves: as constants say, or as data do."""

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python


def counted_down(n):
    if n > 0:
        for k in range(n):
            yield k
            yield from counted_down(n - 1 - k)


def of_itself(n):
    return [2 * k for k in counted_down(n)]


def of_as_many_as_data_say(n, r):
    return [list(one) for one in itertools.combinations(range(n), r)]


@pytest.mark.parametrize(
    ("function", "args"),
    [(of_itself, (np.int64(4),)), (of_as_many_as_data_say, (np.int64(4), np.int64(2)))],
)
def test_generators_that_go_through_themselves_as_data_say_are_pythons(function, args):
    # Their trace had no end: each level is within a branch of the one before.
    graph = ag.function(function)
    assert_same_as_python(graph, *args)
    assert not graph.concrete_functions


def of_three_arrays(x, y):
    return [a * b + c for a, b, c in itertools.product(x, y, x)]


def test_those_that_do_so_as_constants_say_are_a_graph():
    graph = ag.function(of_three_arrays)
    assert_same_as_python(graph, np.arange(3.0), np.arange(4.0))
    assert graph.concrete_functions
