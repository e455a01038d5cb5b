"""Objects of the caller that a function changes and returns."""

import numpy as np
import pytest

import autograph as ag


class Point:
    def __init__(self, x):
        self.x = x


OUTSIDE = Point(1.0)


def moved(point, x):
    point.x = point.x + x
    return point


def moved_on_one_path(point, x):
    if x > 0:
        point.x = point.x + x
    else:
        point.y = 3
    return [point], point.x


def moved_in_a_loop(point, x):
    for i in range(3):
        if x > i:
            point.x = point.x * 2
    return point


def held_by_another(point, x):
    other = Point(x)
    other.point = point
    point.x = x
    return other


def of_outside(point, x):
    OUTSIDE.x = OUTSIDE.x + x
    point.x = OUTSIDE.x
    return OUTSIDE


def told(result, point):
    """What came back, and what is in it."""
    if isinstance(result, tuple):
        return [result[0][0] is point, *map(repr, result[1:]), repr(vars(point))]
    held = getattr(result, "point", None)
    known = result is point, result is OUTSIDE, held is point
    return [*known, repr(result.x), repr(vars(point)), repr(vars(OUTSIDE))]


@pytest.mark.parametrize(
    "function",
    [moved, moved_on_one_path, moved_in_a_loop, held_by_another, of_outside],
)
def test_it_is_the_callers_own_and_holds_what_python_puts_there(function):
    def calls(run):
        OUTSIDE.x, point = 1.0, Point(1.0)
        return [told(run(point, np.float64(x)), point) for x in (2.0, 3.0, -1.0, 2.0)]

    assert calls(ag.function(function)) == calls(function)
