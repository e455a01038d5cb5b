"""`divmod`, `pow`, `math.floor` and the like of objects of the user's."""

import math
import operator

import pytest

import autograph as ag


class Poly:
    """Its list is one of the run, from the third call on."""

    def __init__(self, *coefficients):
        found = list(coefficients)
        while len(found) > 1 and found[-1] == 0:
            found.pop()
        self.of = found

    def __divmod__(self, other):
        left, found = self.of[:], []
        while len(left) >= len(other.of):
            factor = left[-1] / other.of[-1]
            found.append(factor)
            for k, one in enumerate(other.of):
                left[len(left) - len(other.of) + k] -= factor * one
            left.pop()
        return found, left

    def __rdivmod__(self, number):
        return number, len(self.of)

    def __pow__(self, power, modulus=None):
        return len(self.of) + power, modulus

    def __rpow__(self, number):
        return number ** len(self.of)

    def __floor__(self):
        return len(self.of)

    def __ceil__(self):
        return len(self.of) + 1

    def __trunc__(self):
        return -len(self.of)

    def __index__(self):
        return len(self.of) * 2


class Bare:
    def __init__(self, *given):
        self.given = given


def divided(a, b):
    return divmod(Poly(*a), Poly(*b))


def divided_from_the_right(a, b):
    return divmod(7, Poly(*a))


def powers(a, b):
    return pow(Poly(*a), 2), pow(Poly(*a), 2, 5), pow(2, Poly(*a)), Poly(*b) ** 3


def whole(a, b):
    poly = Poly(*a)
    return math.floor(poly), math.ceil(poly), math.trunc(poly), operator.index(poly)


def not_divided(a, b):
    return divmod(Bare(*a), Bare(*b))


def not_raised(a, b):
    return pow(Bare(*a), 2)


def plain_numbers(a, b):
    return divmod(a[0], 3), pow(a[0], 2), pow(a[1], 3, 7), math.floor(b[0])


PROGRAMS = [divided, divided_from_the_right, powers, whole, not_divided, not_raised]


def outcome(function, *args):
    try:
        return function(*args)
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("program", [*PROGRAMS, plain_numbers])
def test_what_is_called_by_name_calls_the_method(program):
    staged = ag.function(program)
    for k in range(5):
        args = [3, k + 1, -4, -2, 1 + k], [1.5, float(k), 1.0]
        assert repr(outcome(staged, *args)) == repr(outcome(program, *args))
