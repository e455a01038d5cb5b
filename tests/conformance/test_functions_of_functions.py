"""Functions that are made of the one before, depending on data: no recursion."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

ROW = np.array([1.0, -2.0, 3.0, 0.5])
ROWS = ((ROW,), (-ROW,))
PROGRAMS = Programs()


def doubled(g):
    return lambda v, g=g: g(v) * 2


@PROGRAMS(*ROWS)
def made_by_a_loop(x):
    f = lambda v: v
    for k in range(3):
        if x[k] > 0:
            f = lambda v, g=f, k=k: g(v) * 2 + k
    return f(1.0)


@PROGRAMS(*ROWS)
def made_by_a_function(x):
    f = abs
    if x[0] > 0:
        f = doubled(f)
    if x[2] > 0:
        f = doubled(f)
    return f(-1.0)


@PROGRAMS((ROW, np.int64(3)), (ROW, np.int64(0)))
def a_recursion_with_defaults(x, n):
    def f(k, scale=x[0], *, off=2.0):
        return off if k <= 0 else f(k - 1) * scale + x[k % 4]

    return f(n)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_each_function_has_defaults_of_its_own(function, arguments):
    check(function, arguments)
