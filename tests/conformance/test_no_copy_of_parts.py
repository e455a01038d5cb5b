"""Changes of parts of an argument that make no copy of the part, as in NumPy."""

import tracemalloc

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check

SIZE = 100_000


def filled(x, y, n):
    x[: SIZE // 2].fill(n)


def copied(x, y, n):
    np.copyto(x[1:], y[1:])


def in_a_loop(x, y, n):
    for k in range(n):
        np.copyto(x[k : k + SIZE // 2], y[: SIZE // 2])
        x[k:][::2].fill(k)


PROGRAMS = [filled, copied, in_a_loop]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_memory_is_needed_for_the_part(program):
    staged = ag.function(program)
    x, y, n = np.ones(SIZE), np.zeros(SIZE), np.int64(3)
    staged(x, y, n)
    tracemalloc.start()
    try:
        staged(x, y, n)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < x.nbytes / 4


def overlapping(x, n):
    np.copyto(x[1:], x[:-1])
    np.copyto(x[::-1], x)
    x[n:].fill(2.5)
    np.copyto(x[:2], np.float32(3))
    return x


def what_does_not_fit(x, n):
    x[0] = 7
    np.copyto(x[1:], np.ones(n))
    return x


def what_is_read_only(x, n):
    v = np.broadcast_to(x[:1], (2,))
    v.fill(n)


@pytest.mark.parametrize("program", [overlapping, what_does_not_fit, what_is_read_only])
def test_parts_are_changed_as_in_numpy(program):
    x = np.arange(6.0)
    check(program, ((x, np.int64(2)), (x, np.int64(5))))


def where_some_are_wanted(x, n):
    v = x + 1
    np.copyto(v, x, where=x > n)
    np.copyto(x[1:], v[1:], "same_kind", v[1:] > 3)
    return v, x


def test_only_what_is_wanted_is_copied():
    x = np.arange(6.0)
    check(where_some_are_wanted, ((x, np.int64(2)), (x, np.int64(4))))
