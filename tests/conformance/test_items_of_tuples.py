"""An array that a number of the run picks from a tuple is that very array."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

X, Y = np.arange(6.0), np.arange(6.0) * 10
NUMBERS = [(X, Y, np.int64(k)) for k in (0, 1, 2, 3, -1, -2, -3, 41)]
CASES = Programs()


@CASES(*NUMBERS)
def changed(x, y, n):
    a = (x, y)[n]
    a += 5
    a[0] = 7
    return x + y


@CASES(*NUMBERS)
def returned(x, y, n):
    t = (x, y, x * 2)
    return t[n], t[n] is y


@CASES(*NUMBERS)
def changed_by_its_own_name(x, y, n):
    a = (x, y)[n]
    y += 1
    return a * 2


@CASES(*NUMBERS)
def in_a_branch(x, y, n):
    a = (x, y)[n % 2] if n > 0 else y[1:]
    a += n
    return a


@CASES(*NUMBERS)
def in_a_loop(x, y, n):
    z = x * 2
    a = x
    for k in range(n % 7):
        a = (x, y, z)[k % 3] if k % 2 else y[1:]
        a += k
    a[0] = 77
    return a, z


@CASES(*NUMBERS)
def by_index_in_a_loop(x, y, n):
    t, total = (x, y, x * 2), 0.0
    for k in range(n % 7):
        total += t[k % 3][k % 6]
        t[k % 3][0] = total
    return total, t[n % 3]


@CASES(*NUMBERS)
def of_many(x, y, n):
    a = ((x, y) * 21)[n]
    a += 1
    return a


@CASES(*NUMBERS)
def of_many_that_change(x, y, n):
    a = ((x, y) * 21)[n]
    y *= 2
    return a + 1


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_is_picked_is_that_array(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
