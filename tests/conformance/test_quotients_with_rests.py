"""`divmod`: one operation, whose warnings and errors are its own."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.told import BACKENDS, agreeing, told

X = np.array([1.5, -2.0, 0.0])
N = np.array([7, -3, 0])


def both(v, w):
    return divmod(v, w)


def by_zero(v):
    quotient, rest = divmod(v, 0.0)
    return quotient + rest


def in_a_loop(values, by):
    total = 0
    for v in values:
        quotient, rest = divmod(v, by)
        total = total * 3 + quotient - rest
    return total


def of_python(values, by):
    total = 0.0
    for v in values:
        quotient, rest = divmod(float(v), by)
        total += quotient - rest
    return total


def of_ints(n, by):
    digits = 0
    while n > 0:
        n, digit = divmod(n, by)
        digits = digits * 7 + digit
    return digits


def swapped(v):
    return divmod(7.5, v), divmod(v, v)


def only_the_rest(v, w):
    return divmod(v, w)[1]


NUMBERS = [3, 0, 2.5, 0.0, -0.0, True, np.float64(0), np.float32(-7), np.int64(0)]
NUMBERS += [np.int8(-128), np.int8(-1), np.uint8(5), np.inf]
OTHERS = ["a", 2j, None, [1, 2]]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("v", [*NUMBERS, *OTHERS, X, N], ids=repr)
def test_divmod_gives_warns_and_raises_as_pythons(v, backend):
    for w in (*NUMBERS, *OTHERS, X, N):
        agreeing(both, backend, (v, w))
        agreeing(only_the_rest, backend, (v, w))


@pytest.mark.parametrize("backend", BACKENDS)
def test_divmod_in_a_loop_warns_at_each_turn(backend):
    for by in (0.0, 2.0, 0, np.int64(3)):
        agreeing(in_a_loop, backend, (X, by), (N, by))
        agreeing(of_python, backend, (X, by))
    agreeing(by_zero, backend, (1.5,), (np.float64(1.5),), (X,))
    agreeing(swapped, backend, (0.5,), (np.float64(0),), (X,))
    agreeing(of_ints, backend, (12345, 10), (12345, 0))


def test_divmod_of_floats_by_zero_has_its_own_words():
    line = by_zero.__code__.co_firstlineno + 1
    assert told(ag.function(by_zero), (np.float64(1.5),))["warned"] == [
        ("RuntimeWarning", "divide by zero encountered in scalar divmod", line),
        ("RuntimeWarning", "invalid value encountered in scalar divmod", line),
    ]
