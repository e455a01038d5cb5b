"""`x @ 3` says what NumPy says, of arrays of any size and of numbers."""

import numpy as np
import pytest

from tests.conformance.trying import check


def after(x):
    return x @ 3


def before(x):
    return 3 @ x


def of_a_number(x):
    return x.sum() @ 3


@pytest.mark.parametrize("f", [after, before, of_a_number])
def test_what_is_said_of_a_number_is_what_numpy_says(f):
    check(f, tuple((np.ones(n),) for n in (3, 4, 5)))


def product_in_place(x, y):
    x @= y
    return x


def product_of_some_rows(x, y, n):
    part = x[:n]
    part @= y
    return x


ONES = np.ones
IN_PLACE = [
    *((ONES(2), ONES(2)), (ONES((2, 2)), ONES(2)), (ONES((2, 2)), [1.0, 2.0])),
    *((ONES((2, 3)), ONES((3, 1))), (ONES((3, 2, 2)), ONES((2, 1)))),
    *((ONES((2, 3)), ONES((3, 4))), (ONES((2, 2)), ONES((3, 2, 2)))),
    *((ONES(2), ONES((2, 2))), (ONES((3, 2)), ONES((2, 2)) * 2)),
]


@pytest.mark.parametrize(("x", "y"), IN_PLACE)
def test_a_product_in_place_repeats_nothing(x, y):
    check(product_in_place, ((x, y),))
    check(product_of_some_rows, ((x, y, np.int64(1)),))
