"""Iterables of the user's classes, from outside: each call asks them, and once."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag


class Counting:
    """Counts how often it is gone through, and gives that."""

    def __init__(self) -> None:
        self.times = 0

    def __iter__(self):
        self.times += 1
        return iter([1, 2, self.times])


class Going:
    """Goes on where it stopped."""

    def __init__(self) -> None:
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at % 4 == 0:
            raise StopIteration
        return self.at


class Yielding:
    def __init__(self) -> None:
        self.times = 0

    def __iter__(self):
        self.times += 1
        yield self.times
        yield from (2, 3)


class Pair(NamedTuple):
    a: int
    b: int
    c: int

    def __iter__(self):
        return iter((3, 2, 1))


def numbered(it, x):
    total = x
    for k, item in enumerate(it):
        total += k * item
    return total


def generated(it, x):
    return any(item > 2 for item in it), sum(item * 2 for item in it) + x


def mapped(it, x):
    return (
        list(map(abs, it)),
        [*filter(None, it)],
        list(zip(it, [x, x, x], strict=True)),
    )


def unpacked(it, x):
    a, b, c = it
    return a + b * c + x


def with_a_star(it, x):
    a, *rest = it
    return a, rest, x


def too_few(it, x):
    a, b, c, d = it
    return a + b + c + d + x


def too_many(it, x):
    a, b = it
    return a + b + x


def nested(it, x):
    n, (a, *b) = x, it
    for (c, _, _), d in [(it, n)]:
        a += c + d
    return n, a, b


def made_here(it, x):
    a, b, c = Going()
    d, *rest = Yielding()
    return a, b, c, d, rest, x


PROGRAMS = [made_here, numbered, generated, mapped, unpacked, with_a_star]
PROGRAMS += [too_few, too_many, nested]


def observed(function: Any, kind: type) -> list[Any]:
    """What several calls give, and what they leave."""
    it = Pair(1, 2, 3) if kind is Pair else kind()
    found = []

    def call(x):
        return function(it, x)

    run = ag.function(call) if isinstance(function, ag.Function) else call
    for _ in range(4):
        try:
            given = repr(run(np.float64(1.0)))
        except (ValueError, StopIteration) as error:
            given = repr(error)
        found.append((given, vars(it).copy() if hasattr(it, "__dict__") else None))
    return found


@pytest.mark.parametrize("kind", [Counting, Going, Yielding, Pair])
@pytest.mark.parametrize("program", PROGRAMS)
def test_each_call_goes_through_it_once(program, kind):
    assert observed(ag.function(program), kind) == observed(program, kind)
