"""Objects that can be called, given to builtins that call others of their arguments."""

import functools
import math
import operator

import numpy as np
import pytest

import autograph as ag

X = np.array([0.0, 1.0, 2.0])


class Gain:
    """Multiplied, added and compared as numbers are, and called with a signal."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, signal):
        return self.factor * signal

    def __mul__(self, other):
        return Gain(self.factor * other.factor)

    def __add__(self, other):
        return Gain(self.factor + other.factor)

    def __lt__(self, other):
        return self.factor < other.factor


def in_series(signal, *gains):
    return functools.reduce(lambda a, b: b * a, gains[1:], gains[0])(signal)


def beside_one_another(signal, *gains):
    start = Gain(1.0)
    return sum(gains, start)(signal), math.prod(gains, start=start)(signal)


def the_least(signal, *gains):
    loudest = min(gains, key=lambda gain: -gain(signal[1]))
    return min(gains[0], gains[1])(signal), loudest(signal)


def without_items(signal, *gains):
    return max([], default=gains[0])(signal), max([], default=gains[1]) is gains[1]


def put_into_a_list(signal, *gains):
    held = [None, gains[1]]
    operator.setitem(held, 0, gains[0])
    found = operator.indexOf(held, gains[1]), operator.contains(held, gains[0])
    return held[0](signal), held[0] is gains[0], found


PROGRAMS = [
    in_series,
    beside_one_another,
    the_least,
    without_items,
    put_into_a_list,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_builtin_does_not_call_is_passed_as_it_is(program):
    gains, staged = (Gain(3.0), Gain(2.0), Gain(4.0)), ag.function(program)
    for _ in range(3):
        assert repr(staged(X, *gains)) == repr(program(X, *gains))
