"""What a `try` changes in parts of an array needs no copy either."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 100_000
SMALL = np.arange(4.0)
ZEROS = np.array([1.0, 0.0, 0.0, 3.0])
ARGUMENTS = [(SMALL, np.int64(k)) for k in range(-5, 8)]
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_finally_that_changes_a_part(x, n):
    v = x[1:]
    try:
        v += 1
        y = x[n]
        v -= y
        x[n + 1] = 3
    finally:
        v *= 2
    return y


@IN_PLACE(0.5)  # what is stored
@CASES(*ARGUMENTS)
def a_part_that_is_computed_anew(x, n):
    h = len(x) // 2
    try:
        x[:h] = x[:h] * 2 + x[n]
        x[n + 1] = 3
    except IndexError:
        x[:h] *= 2


@CASES((SMALL, np.int64(2)), (ZEROS, np.int64(2)), (SMALL + 1, np.int64(9)))
def where_numpy_raises_of_a_part(x, n):
    with np.errstate(all="raise"):
        v = x[1:]
        try:
            v /= v[0]
            x[1:] = x[1:] / x[n - 1]
            x[n] = 4
        except FloatingPointError:
            v[1] *= 100
        finally:
            v += 1


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), IN_PLACE)
def test_parts_need_no_memory_that_numpy_would_not_need(program, arrays, backend):
    staged = ag.function(program)
    x, n = np.ones(SIZE), np.int64(3)
    _, most = most_memory(staged, (x, n), backend)
    assert most < x.nbytes * (arrays[0] + 0.25)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_handlers_see_parts_as_python_leaves_them(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        for way in ("default", "error"):
            warnings.simplefilter(way)
            check(function, arguments)
