"""The texts of dataclasses whose fields depend on data."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tests.conformance.trying import check


@dataclass
class Point:
    n: Any
    v: Any = 0.5
    items: list[Any] = field(default_factory=list)
    secret: Any = field(default=7, repr=False)


class Named(Point):
    pass


@dataclass
class Pair:
    first: Point
    second: Any = None


@dataclass
class Own:
    n: Any

    def __repr__(self):
        return f"Own<{self.n}>" if self.n > 1 else "Own"


def printed(x):
    point = Point(x)
    if x > 1:
        point.n = "many"
    print(point, [1, 2])


def grown(x):
    point = Point(x)
    if x > 1:
        point.items.append(97)
    print(point)
    return str(point), repr(point), f"{point} {point!r:>40}"


def in_a_loop(x):
    point = Named(0)
    for i in range(x):
        point.items.append(i)
        point.n = point.n + x
        point.secret = i
    return str(point), f"{point}"


def nested(x):
    pair = Pair(Named(x))
    if x > 1:
        pair.second = Point(x, items=[x])
    print(pair)
    return f"{pair!r}"


def of_its_own(x):
    pair = Pair(Point(Own(x)), Own(3))
    print(pair)
    return str(pair)


@pytest.mark.parametrize("function", [printed, grown, in_a_loop, nested, of_its_own])
def test_a_record_has_the_text_that_it_has_in_python(function):
    check(function, tuple((np.int64(n),) for n in (0, 1, 2, 3)))
