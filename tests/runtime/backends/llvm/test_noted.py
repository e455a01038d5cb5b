"""What the C library notes, and numbers that a dtype has not: machine code warns."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import loops_of

# LLVM's passes are what would compute, or leave out, what is noted.
pytestmark = pytest.mark.with_passes


def exponentials(x, turns):
    y = x * 1
    for _ in range(turns):
        y = np.exp(x) + y
    return y


def of_numbers(x, turns):
    y = x[0]
    for k in range(turns):
        y = np.exp(x[k]) + y
    return y


def squares(x, turns):
    y = x * 1
    for _ in range(turns):
        y = x * x + y
    return y


def scaled(x, turns):
    y = x * 1
    for k in range(turns):
        y = np.ldexp(x, 2000 + k)
    return y


def far(x, turns):
    y = x * 1
    for _ in range(turns):
        y = np.hypot(x * 1e308, x)
    return y


def between(x, turns):
    """NumPy's loop for `abs` clears what was noted before."""
    y = x * 1
    for _ in range(turns):
        y = np.absolute(np.exp(x)) + np.tanh(x)
    return y


HUNDRED = np.full(80, 100, np.float32)
CASES = [
    (exponentials, HUNDRED, "overflow encountered in exp"),
    (of_numbers, HUNDRED, "overflow encountered in exp"),
    (between, HUNDRED, "overflow encountered in exp"),
    (exponentials, np.full(80, 20, np.float16), "overflow encountered in exp"),
    (squares, np.full(80, 60000, np.float16), "overflow encountered in multiply"),
    (scaled, HUNDRED, "overflow encountered in ldexp"),
    (far, HUNDRED, "overflow encountered in cast"),
]


def told(function, x, turns):
    """What it gives, and what it has warned of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        given = function(x, turns)
    return given, {str(one.message) for one in found}


@pytest.mark.parametrize(("function", "x", "text"), CASES)
def test_what_overflows_is_told(function, x, text):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for turns in (40, 40, 41):
            expected, said = told(function, x, turns)
            given, found = told(staged, x, turns)
            assert found == said == {text}
            np.testing.assert_array_equal(given, expected)
        assert all(loop.function for loop in loops_of(staged, (x, 41)))


@pytest.mark.parametrize(("function", "x", "text"), CASES[:5])
def test_what_was_noted_before_is_not_told_again(function, x, text):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(3):
            assert told(staged, x, 40)[1] == {text}
            assert told(staged, x * 0, 40)[1] == set()
