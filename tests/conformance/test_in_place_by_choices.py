"""`x += y` where `y` is an array or another thing, depending on data: x is changed."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check, i

CASES = Programs()
square = np.arange(4.0).reshape(2, 2)
BOTH = [(square, i(1)), (square, i(0))]


@CASES(*BOTH)
def row_or_number(x, n):
    x += x[0].copy() if n > 0 else 0
    return x


@CASES(*BOTH)
def itself_or_number(x, n):
    y = x if n > 0 else 2
    x *= y
    return None


@CASES(*BOTH)
def a_view(x, n):
    v = x[0]
    v -= x if n == 2 else 2
    x @= np.eye(2) if n > 0 else np.ones((2, 2))
    x //= (1, 2) if n > 0 else 2
    return x, v


@CASES(*BOTH)
def what_fails_on_one_path(x, n):
    x += None if n > 0 else 1
    return x


@CASES(*BOTH)
def in_a_loop(x, n):
    while n < 3:
        x += x[0] if n > 0 else 2
        n += 1
    return x


@CASES((np.arange(3), np.arange(4.0)), (np.arange(3), np.arange(12.0)))
def one_of_another_dtype(o, b):
    v, parts, rest = b + 1, np.split(o, [int(o[1])]), o[1:]
    if b.sum() > 9:
        o, v = v, o
    v[0] += v[1]
    return parts[0], rest, rest + 0, o, v


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_an_array_is_changed_by_what_depends_on_data(function, arguments):
    check(function, arguments)
