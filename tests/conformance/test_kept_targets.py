"""Comprehensions whose variables functions keep, as items that data keep or drop."""

import numpy as np
import pytest

from tests.conformance.trying import check


def kept_of_some(x):
    return [f() for f in [lambda: v for v in x if v > 1]]


def kept_deeper(x):
    return [f(3) for f in [lambda y: (lambda: v + y)() for v in x if v > 1]]


def kept_in_a_comprehension_inside(x):
    return [f(3) for f in [lambda y: [v + y + w for w in (1, 2)] for v in x if v > 1]]


def kept_with_a_name_that_is_bound_inside(x):
    made = [lambda: (v, w) for v in x if (w := v * 2) > 2]
    return [f() for f in made], w


def kept_where_the_name_is_a_global(x):
    global kept_global
    kept_global = 5
    made = [lambda: kept_global for kept_global in x]
    return [f() for f in made], kept_global


def bound_in_the_last_of_two(x):
    return [(w, u) for v in x if v > 1 for u in x if (w := u + v) > 3], w


@pytest.mark.parametrize(
    "function",
    [
        kept_of_some,
        kept_deeper,
        kept_in_a_comprehension_inside,
        kept_with_a_name_that_is_bound_inside,
        kept_where_the_name_is_a_global,
        bound_in_the_last_of_two,
    ],
)
def test_a_function_sees_the_last_item(function) -> None:
    check(function, ((np.array([1.0, 3.0, 2.0]),), (np.array([4.0, 5.0, 0.0]),)))
