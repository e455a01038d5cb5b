"""What is a number in some runs and an array in others, by how many dims there are."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
A = np.arange(6.0).reshape(2, 3)
AXES = (A, i(2)), (A, i(0)), (A, i(1))
CASES = Programs()


@CASES(*AXES)
def sums_over_axes_of_the_run(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    z = y
    y += 1
    return y, z


@CASES(*AXES)
def of_another_dtype(x, n):
    y = x.astype(int).sum(axis=tuple([k for k in range(n)]))
    z = y
    y -= 0.5 if n > 1 else 1
    return y, z


@CASES(*AXES)
def gets_an_array(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    y += x if n != 1 else 2
    return y


@CASES(*AXES)
def changed_by_each_round(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    for k in range(n):
        y += k
    return y


@CASES(*AXES)
def asked_what_it_is(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    return type(y) is np.float64, isinstance(y, np.ndarray), np.isscalar(y)


@CASES(*AXES)
def asked_after_it_was_changed(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    y *= 2
    return isinstance(y, np.ndarray), y


@CASES(*AXES)
def what_a_masked_array_gives(x, n):
    m = np.ma.masked_where(x > n, x)
    t, u = 0.0, m.sum()
    v = u
    u += 1
    for k in range(n):
        t += m[0, k]
    return t, u, v


@CASES(*AXES)
def a_product_of_rows(x, n):
    y = np.dot(x[0], x[:n].T.squeeze())
    y += 1
    return y, type(y)


@CASES((np.arange(3.0), i(2)), (np.arange(3.0), i(0)))
def an_element_of_what_may_be_one(x, n):
    r = x if n > 1 else x[0]
    s = x[0]
    for _ in range(n):
        s = r[0]
        s += 1
    return x, s


@CASES((np.arange(3.0), i(2)), (np.arange(3.0), i(0)))
def an_element_of_an_element(x, n):
    r = x if n > 1 else x[0]
    s = r[0]
    return s, type(s)


@CASES(*AXES)
def changed_by_methods(x, n):
    y = x.sum(axis=tuple([k for k in range(n)]))
    z = y
    y.put(0, 1)
    np.put(z, 0, 2 if n else -1)
    y.fill(n + 5)
    return y, z, x[0, 0]


@CASES((np.float64(2), i(0)), (np.uint8(2), i(1)))
def of_a_number_nothing_is_changed(x, n):
    y = x + n
    x.put(0, 9)
    y.fill(7)
    try:
        y.fill(-1)
        y.fill("a")
    except (OverflowError, ValueError) as error:
        return x, y, str(error)


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_number_is_another_one_when_it_is_changed_and_an_array_is_not(
    function, arguments
):
    check(function, arguments)
