"""Decorators of functions that a decorated function makes."""

import contextlib
import functools
from typing import Any

import numpy as np
import pytest

import autograph as ag

done: list[Any] = []


def noting(function):
    done.append(function.__name__)
    return function


def named(name):
    def note(function):
        done.append((name, function.__name__))
        return function

    return note


class Registry:
    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def __call__(self, function):
        self.known[function.__name__] = len(self.known)
        done.append(len(self.known))
        return function


registry = Registry()


def several(x):
    @noting
    @named("inner")
    def more(y):
        return y + 1

    return more(x)


def in_a_branch(x):
    if x > 0:

        @noting
        def more(y):
            return y + 1
    else:

        @named("else")
        def more(y):
            return y - 1

    return more(x)


def by_an_object(x):
    @registry
    def more(y):
        return y + 1

    return more(x)


def in_a_loop(x):
    count = 0

    def counting(function):
        nonlocal count
        count += 1
        return function

    while x > 0:

        @counting
        def less(y):
            return y - 1

        x = less(x)
    return count, x


def of_generators(x):
    @contextlib.contextmanager
    def managed():
        done.append("in")
        yield 3
        done.append("out")

    @noting
    def parts(y):
        yield y
        yield y * 2

    with managed() as v:
        return sum(parts(x)) + v


def of_libraries(x):
    @functools.lru_cache(None)
    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    @functools.singledispatch
    def kind(v):
        return 1

    @kind.register
    def _(v: int):
        return 2

    @ag.function
    def inner(y):
        return y * 3

    return inner(x) + fibonacci(10) + kind(1) + kind("a")


PROGRAMS = [several, in_a_branch, by_an_object, in_a_loop, of_generators, of_libraries]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_decorator_does_is_done_by_each_call(program):
    found = []
    for function in (program, ag.function(program)):
        done.clear()
        registry.known.clear()
        given = [repr(function(np.float64(v))) for v in (1.0, 2.0, -1.0, 1.0)]
        found.append((given, [*done]))
    assert found[1] == found[0]
