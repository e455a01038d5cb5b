"""A `try` takes what NumPy raises in place of a warning, whoever has told it to."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest

import autograph as ag

Own = FloatingPointError


def number(x, y):
    try:
        return x[0] / y[0]
    except FloatingPointError:
        return -1.0


def whole(x, y):
    try:
        return np.sqrt(x) / y
    except (Own, ZeroDivisionError) as error:
        print(type(error).__name__, error)


def loop(x, y):
    total, count = 0.0, 0
    for i in range(len(x)):
        try:
            total += x[i] / y[i]
        except ArithmeticError:
            count += 1
    return total, count


def in_place(x, y):
    try:
        x /= y
    except FloatingPointError:
        x[:] = -1
    return x


def stores(x, y):
    for i in range(len(x)):
        try:
            x[i] = 1 / y[i]
        except (RuntimeWarning, FloatingPointError):
            x[i] = -1
    return x


def warned(x, y):
    try:
        return np.log(x).sum() / y
    except (Own, RuntimeWarning) as error:
        return str(error)


@contextmanager
def raising():
    with np.errstate(all="raise"):
        yield


@contextmanager
def filtered():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@contextmanager
def silent():
    with np.errstate(all="ignore"):
        yield


PROGRAMS = (number, whole, loop, in_place, stores, warned)


def outcome(function, settings, capsys):
    x, y = np.array([1.0, 0.0, 4.0] * 20), np.array([0.0, 0.0, 2.0] * 20)
    with settings():
        try:
            given = function(x, y)
        except Warning as error:  # none that this program takes
            given = repr(error)
    return repr(given), repr(x), capsys.readouterr().out


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("first", [raising, silent], ids=lambda one: one.__name__)
def test_what_the_caller_has_told_numpy_is_caught(program, backend, first, capsys):
    staged = ag.function(program)
    with ag.config(backend=backend):
        for settings in (first, raising, silent, raising, raising):
            want = outcome(program, settings, capsys)
            assert outcome(staged, settings, capsys) == want


@pytest.mark.parametrize("program", [stores, warned], ids=lambda one: one.__name__)
def test_a_filter_of_the_callers_makes_a_warning_one(program, capsys):
    staged = ag.function(program)
    for settings in (silent, filtered, filtered):
        want = outcome(program, settings, capsys)
        assert outcome(staged, settings, capsys) == want


def test_a_try_for_everything_takes_it_where_the_trace_is_made_under_the_settings():
    @ag.function
    def find(x):
        try:
            return np.log(x).sum()
        except Exception as error:
            return str(error)

    with raising():
        for _ in range(3):
            assert find(np.zeros(3)) == "divide by zero encountered in log"
            assert find(np.ones(3)) == 0.0


def test_what_the_function_tells_numpy_itself_is_caught():
    @ag.function
    def find(x, y):
        before = np.seterr(divide="raise")
        try:
            return x / y
        except Exception as error:
            return str(error)
        finally:
            np.seterr(**before)

    for _ in range(3):
        assert find(np.ones(2), 0.0) == "divide by zero encountered in divide"
        np.testing.assert_array_equal(find(np.ones(2), 2.0), [0.5, 0.5])
