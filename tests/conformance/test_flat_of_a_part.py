"""`x.flat = y` where y is a part of x: NumPy copies one element after the other."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check, i

CASES = Programs()
X = np.arange(6.0).reshape(2, 3)
CALLS = [(X, i(k)) for k in (0, 1, 2)]


@CASES(*CALLS)
def turned(x, n):
    x.flat = x[::-1]
    return x


@CASES(*CALLS)
def in_other_orders(x, n):
    v = x[:, ::-1]
    v.flat = x.T
    x.T.flat = x[n:]
    x.T.flat[...] = x[n:]
    return x


@CASES(*CALLS)
def a_row_of_itself(x, n):
    r = x.reshape(-1)
    r[1:].flat = r
    r.flat[1:4] = r[:3]
    w = np.ones((n, 3))
    w.T.flat = w[::-1]
    return x, w


@CASES(*CALLS)
def by_another_name(x, n):
    a = np.einsum("ij->ji", x)
    x.flat = a
    return x, a


@CASES((X, i(0)), (X, i(1)))
def what_does_not_fit(x, n):
    y = x[n:]
    z = y if n > 0 else x
    z[...] = np.ones(77)
    return z


@CASES((np.asfortranarray(X), i(1)), (X, i(2)))
def left_changed_by_a_failure(x, n):
    x.flat[n] = 9
    np.flip(x).flat[1:3] = [5, 6]
    x[n + 5] = 1
    return x


@CASES(*CALLS)
def gone_through_by_next(x, n):
    elements = x.flat
    first = next(elements), next(elements)
    x[0, 2] = 9
    return first, elements.index, elements.coords, next(elements), list(elements)


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_the_elements_are_copied_in_numpys_order(function, arguments):
    check(function, arguments)
