"""Reshapes that are views or copies by what the run alone knows, and writes to them."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check, i

CASES = Programs()
X = np.arange(6.0).reshape(2, 3)
CALLS = [(X, i(k)) for k in (1, 2, 3)]


@CASES(*CALLS)
def of_one_of_two(x, n):
    y = x.T if n > 1 else x.copy()
    v = y.reshape(-1)
    v[0] = 9
    x[0] = 1
    return x, y, v


@CASES(*CALLS)
def of_one_of_two_from_before(x, n):
    m = x.T
    y = m if n > 1 else x
    v = y.reshape(-1)
    v[1] = 9
    return x, y, v


@CASES(*CALLS)
def in_the_order_of_c(x, n):
    for _ in range(n):
        x = x.T
    v = np.ascontiguousarray(x)
    v[0] = 9
    w = np.ascontiguousarray(np.flip(x[0][n - 1 :]))
    w += 1
    return v, w, x


@CASES(*CALLS)
def of_sizes_of_the_run(x, n):
    v = x[:n].T.reshape(-1)
    v[0] = 5
    w = x.reshape(-1)[::n].ravel()
    w[0] = 6
    return v, w


@CASES(*CALLS)
def of_what_rounds_turn(x, n):
    for _ in range(n):
        x = x.T
    v = x.ravel()
    v += 1
    u = x[:1].ravel("F")
    u *= 2
    return v, x, u


@CASES(*CALLS)
def in_the_order_of_fortran(x, n):
    v = x[n - 1 :]
    w = v if n == 2 else x
    u = w.reshape(3, -1, order="F")
    v[:1] *= -1
    u[0] = 7
    return u, v


@CASES(*CALLS)
def trimmed(x, n):
    v = np.trim_zeros(x.reshape(-1))
    v[:n] = 0
    w = np.trim_zeros(v, "f")
    w -= 1
    u = np.trim_zeros(x[1], trim="B")
    u[0] = 4
    return v, w, u


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_write_is_seen_where_the_reshape_is_a_view(function, arguments):
    check(function, arguments)
