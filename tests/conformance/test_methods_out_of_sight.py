"""Methods of the user's that nothing in the function's text leads to.

Operators of a class that is met while tracing, comparisons that `dataclass` or
`functools.total_ordering` write, and what small classes of the standard library call.
"""

import collections
import contextlib
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

ONE, MINUS, X = np.float64(1.0), np.float64(-1.0), np.array([1.0, 2.0, 3.0])
PAIRS = [(ONE, MINUS), (MINUS, ONE), (ONE, ONE)]
program = Programs()


def hidden():
    class Hidden:
        def __init__(self, v):
            self.v = v

        def __add__(self, other):
            print("add")
            return Hidden(self.v + other if self.v > other else self.v - other)

        def __lt__(self, other):
            if self.v < other.v:
                return True
            return False

        def __neg__(self):
            if self.v > 0:
                return Hidden(0.0)
            return self

    return Hidden


CLASSES = [hidden()]


def of_class(v):
    return CLASSES[0](v)


@program(*PAIRS)
def operators_of_a_class_nobody_names(a, b):
    one = of_class(a)
    if one < of_class(b):
        return (one + b).v
    return (-one).v


@functools.total_ordering
class Ordered:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        print("eq")
        return self.v == other.v

    def __lt__(self, other):
        print("lt")
        if self.v < other.v:
            return True
        return False


@program(*PAIRS)
def total_ordering(a, b):
    one, other = Ordered(a), Ordered(b)
    if one >= other:
        print("ge")
    return one <= other, one > other, max(one, other).v, min(one, other).v


@dataclass(order=True)
class Point:
    x: Any
    y: Any


@dataclass(frozen=True)
class Named:
    v: Any
    words: Any = field(default="", compare=False)


@dataclass
class Nested:
    inner: Named
    items: list


@program(*PAIRS)
def comparisons_of_dataclasses(a, b):
    one, other = Point(a, b), Point(b, a)
    if one == other:
        print("equal")
    elif one < other:
        print("less")
    best = max(one, other)
    return one <= other, one > other, one != other, best.x, best.y


@program(*PAIRS)
def fields_that_are_compared(a, b):
    nested = Nested(Named(a), [a, b]) == Nested(Named(b), [b, a])
    lengths = Nested(Named(a), [a]) == Nested(Named(a), [a, b])
    return Named(a, "x") == Named(a, "y"), Named(a) == 3, nested, lengths


@program(*PAIRS)
def dataclasses_in_a_list(a, b):
    return Named(a) in [Named(b)], Named(a) not in (Named(b), Named(a))


@program((X,))
def arrays_in_dataclasses(x):
    return Named(x) == Named(x), Named(x) == Named(x + 1)


class Resource:
    def close(self):
        print("closed")


@program((X, ONE), (X, MINUS))
def closing(x, c):
    with contextlib.closing(Resource()):
        if c > 0:
            x = x * 2
    return x


class Told(collections.UserDict):
    def __getitem__(self, key):
        print("asked for", key)
        return super().__getitem__(key)


@program((X,))
def a_users_dict(x):
    held = Told()
    held["a"] = x
    held["b"] = 2.0
    return held["a"] * held["b"], len(held), "a" in held


class Proxy:
    def __init__(self, factor):
        self.factor = factor

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        print("asked for", name)
        return lambda x: self.factor * x if x > 0 else -x


@program((ONE,), (MINUS,))
def calls_what_getattr_gives(c):
    proxy = Proxy(2.0)
    return proxy.forward(c) + proxy.backward(c)


@pytest.mark.parametrize(("function", "arguments"), program)
def test_they_are_called_as_in_python(function, arguments):
    for given in arguments:
        with contextlib.suppress(ValueError):
            assert_same_as_python(function, *given)
