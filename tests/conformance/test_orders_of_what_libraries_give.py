"""What LAPACK and others give does not lie in C order: `.ravel()` of it is a copy."""

import numpy as np
import pytest
import scipy.linalg

from tests.conformance.trying import check

SQUARE = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.5], [2.0, 0.5, 5.0]])


def written_through(made):
    """What two names of it hold after a change of one, and how it lies."""
    flat = made.ravel()
    flat[0] = 9
    again = made.reshape(-1)
    again[1] = 8
    return made, made.strides, made + 1, flat, again


def along_an_axis(x):
    return written_through(np.apply_along_axis(np.sort, 0, x))


def a_decomposition(x):
    return written_through(scipy.linalg.cholesky(x))


def the_first_of_several(x):
    return written_through(scipy.linalg.qr(x)[0])


def a_product(x):
    return written_through(np.einsum("ij,jk->ki", x, x))


def a_product_in_c_order(x):
    return written_through(np.einsum("ij,jk->ik", x, x, optimize=True))


def an_inverse(x):
    return written_through(np.linalg.inv(x))


@pytest.mark.parametrize(
    "function",
    [
        along_an_axis,
        a_decomposition,
        the_first_of_several,
        a_product,
        a_product_in_c_order,
        an_inverse,
    ],
)
def test_what_a_library_gives_lies_as_it_does_in_numpy(function):
    check(function, ((SQUARE,), (SQUARE + np.eye(3),), (np.eye(4) + 1,)))
