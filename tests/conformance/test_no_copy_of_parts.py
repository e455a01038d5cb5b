"""Changes of parts of an argument that make no copy of the part, as in NumPy."""

import tracemalloc

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
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


def given_an_out(x, y, n):
    np.cumsum(x[:n], out=y[:n])


PROGRAMS = [filled, copied, in_a_loop, given_an_out]


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


def moved_along(x, n):
    for k in range(n):
        last = x[-1]
        x[1:] = x[:-1]
        x[0] = last
        x[k:-3] = x[k + 3 :]


def moved_in_steps(x, n):
    y = x[::-1]
    for k in range(n):
        y[1:] = y[:-1]
        x[::2][1:] = x[::2][:-1]
        x[2:n] = x[: n - 2]
        y[k:] = y[k:]


@pytest.mark.parametrize("dtype", [float, np.int8, bool, complex])
@pytest.mark.parametrize("program", [moved_along, moved_in_steps])
def test_what_is_moved_within_an_array_is_as_in_numpy(program, dtype):
    with ag.config(backend="native"):
        staged = ag.function(program)
        for _ in range(2):
            x = np.arange(17).astype(dtype)
            y = x.copy()
            program(x, np.int64(4))
            staged(y, np.int64(4))
            assert np.array_equal(x, y)


def test_no_memory_is_needed_to_move_along():
    staged, x, n = ag.function(moved_along), np.ones(SIZE), np.int64(3)
    _, most = most_memory(staged, (x, n), "native")
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
