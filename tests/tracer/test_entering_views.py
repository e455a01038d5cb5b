"""Entries of functions whose loops change an array of their own through a view."""

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    takes,
    usual_warnings,  # noqa: F401 # a fixture
    warm,
)

pytestmark = pytest.mark.usefixtures("at_once", "usual_warnings")
SQUARE = np.random.default_rng(1).random((30, 40))
TIMES = np.arange(1200)


def in_a_row(given, places):
    x = given.copy()
    v = x.ravel()
    for i in range(len(places)):
        v[places[i]] = v[i] * 2
    return x


def turned(given, places):
    x = given.copy()
    v = x.T
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            if v[i, j] > 0.5:
                v[i, j] = v[i, j] * 0.5 + places[j]
    return x


def in_pairs(given, places):
    x = given.copy()
    v = x.reshape(-1, 2)
    for i in range(len(v)):
        v[i, 0], v[i, 1] = v[i, 1], v[i, 0] + places[i]
    return x


@pytest.mark.parametrize("function", [in_a_row, turned, in_pairs])
def test_what_a_view_was_of_is_given_as_the_array_that_it_is(function):
    f = ag.function(function)
    assert np.array_equal(warm(f, SQUARE, TIMES), function(SQUARE, TIMES))
    assert takes(f, SQUARE, TIMES)
    made = f(SQUARE, TIMES)
    assert np.array_equal(made, function(SQUARE, TIMES))
    assert made.base is None
    assert made.flags.owndata


def test_a_turn_that_fails_does_so_as_in_python():
    f = ag.function(in_a_row)
    warm(f, SQUARE, TIMES)
    given = SQUARE.copy()
    outside = np.where(TIMES == 900, 1200, TIMES)
    with pytest.raises(IndexError, match="index 1200 is out of bounds") as failed:
        f(given, outside)
    assert failed.traceback[-1].lineno == in_a_row.__code__.co_firstlineno + 3
    assert np.array_equal(given, SQUARE)


def both_changed(given, count):
    x = given.copy()
    v = x.ravel()
    for i in range(count):
        v[i] = v[i] + 1
    x[0, 0] = 7.0
    for i in range(count):
        v[i] = v[i] * x[0, 0]
    return x


def read_beside(given, count):
    x = given.copy()
    v = x.ravel()
    for _ in range(3):
        for i in range(count):
            v[i] = v[i] + x[0, 1]
        x[2, 3] = v[5]
    return x


@pytest.mark.parametrize("function", [both_changed, read_beside])
def test_the_array_and_its_view_are_one(function):
    f = ag.function(function)
    expected = function(SQUARE, np.int64(900))
    for _ in range(6):
        assert np.array_equal(f(SQUARE, np.int64(900)), expected)


def two_names(given, count):
    x = given.copy()
    v = x.ravel()
    for i in range(count):
        v[i] = v[i] * 2
    return x, v


def test_a_view_that_is_given_is_another_object():
    f = ag.function(two_names)
    for _ in range(6):
        x, v = f(SQUARE, np.int64(900))
        assert np.shares_memory(x, v)
        assert np.array_equal(x, two_names(SQUARE, 900)[0])
        assert v.shape == (1200,)
