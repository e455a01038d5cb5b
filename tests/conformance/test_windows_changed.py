"""An array that is changed and some of whose elements are one in memory is Python's."""

import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import autograph as ag


def whole(x, y):
    x += y
    return x.sum()


def each(x, y):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += y
            total += x[i, j]
    return total


def part(x, y):
    last = x[1:]
    last *= y
    x[0] = last[1]
    return last.sum()


def windows():
    return sliding_window_view(np.arange(6.0), 4, writeable=True)


def one_row_often():
    return as_strided(np.arange(4.0), (3, 4), (0, 8))


def with_gaps():
    return np.arange(48.0).reshape(6, 8)[::2, ::2]


def of_one_row():
    return np.arange(4.0)[None][:, ::-1].repeat(3, axis=0).T[:4].T


ODD = (windows, one_row_often)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("program", [whole, each, part])
def test_windows_that_are_changed_hold_what_python_leaves(program, odd, backend):
    staged = ag.function(program)
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.resetwarnings()
        # By the long way, by a short key, and by machine code that calls ask first.
        for count in range(40):
            made = odd if count % 3 == 2 else with_gaps
            x, y = made(), made()
            found, wanted = staged(x, 2.0), program(y, 2.0)
            assert found == wanted
            assert np.array_equal(x, y)


def test_arrays_with_gaps_that_are_changed_have_a_graph():
    staged = ag.function(whole)
    with ag.config(strict=True):
        for x in (with_gaps(), with_gaps().T, of_one_row(), with_gaps()[::-1]):
            y = x.copy()
            assert staged(x, 2.0) == whole(y, 2.0)
            assert np.array_equal(x, y)
