"""What np.split gives of an array whose length the run knows is parts by slices."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

ROWS = [(np.arange(1.0, k + 1), np.int64(k // 3)) for k in (6, 7, 8, 9, 3, 1, 12)]
TABLES = [(np.arange(3.0 * k).reshape(k, 3).T, np.int64(1)) for k in (6, 7, 8, 4)]
PROGRAMS, CASES = Programs(), Programs()


@PROGRAMS()
@CASES(*ROWS)
def halves(x, n):
    a, b = np.split(x, 2)
    for i in range(len(a)):
        a[i] += b[i] * 2
        b[i] -= a[i - 1]
    return b


@PROGRAMS()
@CASES(*ROWS)
def at_bounds_of_the_run(x, n):
    a, b, c = np.split(x, [n, len(x) - n])
    for i in range(n):
        a[i] += c[i]
        c[i] -= 1
    b *= 2


@PROGRAMS()
@CASES(*ROWS)
def parts_of_unlike_lengths(x, n):
    for part in np.array_split(x, 4):
        for i in range(1, len(part)):
            part[i] += part[i - 1]


@CASES(*TABLES)
def columns(x, n):
    a, b = np.hsplit(x, 2)
    for i in range(n):
        a[i] += b[i - 1]
    c, d, e = np.array_split(x, 3, axis=-1)
    d -= 1
    return a, c, e


@CASES(*ROWS)
def at_bounds_that_meet(x, n):
    parts = np.split(x, [n + 1, n, -n])
    parts[2][:] = n
    return parts


@CASES(*ROWS)
def of_unknown_dims(x, n):
    v = np.atleast_2d(x) if n > 2 else x
    parts = np.split(v, [n], axis=-1)
    return [part * 2 for part in parts]


@CASES(*ROWS)
def by_no_number(x, n):
    return np.array_split(x, 0)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "_"), PROGRAMS)
def test_parts_of_any_length_are_changed_in_place(program, _, backend):
    staged, arguments = ag.function(program), []
    for size in (8, 10, 12, 14, 60_000):
        arguments = [np.arange(1.0, size + 1), np.int64(size // 3)]
        with ag.config(backend=backend):
            staged(*arguments)
    _, most = most_memory(staged, arguments, backend)
    assert most < arguments[0].nbytes * 0.1


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_parts_hold_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, arguments)
