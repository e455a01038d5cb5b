"""Sizes that a run tells: also negative, no integers, and larger than any memory."""

import numpy as np
import pytest

from tests.conformance.trying import check

X = np.array([1.5, -2.0, 0.25, 3.0, 0.5, -1.0])


def made(x, n):
    return np.zeros(n) + x[0], np.ones(n, np.int8), np.full(n, x[1]), np.empty(n).shape


def counted(x, n):
    return np.arange(n), np.arange(n, 2 * n + 3, 2), list(range(n))


def square(x, n):
    z = np.zeros((n, n))
    z[np.arange(n), np.arange(n)] = x[:n]
    return z


def cut(x, n):
    y = x.copy()
    y[:n] = y[:n][::-1]
    return x[:n], x[n:], x[-n:], y, [x[i : i + n] for i in range(0, 6, 2)]


def joined(x, n):
    found = np.zeros(0)
    for i in range(n):
        if x[i % 6] > 1:
            found = np.concatenate([found, x[:i]])
    return found, found.shape, len(found)


def narrowed(x, n):
    i = -1
    m = x[x > 0]
    for i in range(n):
        m = m[m > i / 3]
        if m.size == 0:
            break
    return m, i


def listed(x, n):
    rows = []
    for i in range(n):
        rows.append(np.arange(i) * x[0])
    return np.concatenate(rows) if rows else x


def told_apart(x, n):
    values, counts = np.unique(np.floor(x), return_counts=True)
    places = np.nonzero(x > 0)[0]
    return values[:n], counts[n:], values[counts > 1], x[places[:n]], places.size


def shaped(x, n):
    return x.reshape(n, -1)


def repeated(x, n):
    return np.roll(x, n), np.tile(x, n)


SIZES = [3, 0, 6, -1, -3, np.float64(2.0), np.True_, np.uint8(2), 10**13]


@pytest.mark.parametrize(
    "program",
    [
        made,
        counted,
        square,
        cut,
        joined,
        narrowed,
        listed,
        told_apart,
        shaped,
        repeated,
    ],
)
def test_sizes_mean_what_they_mean_in_python(program):
    endless = (joined, narrowed, listed, counted)
    sizes = [n for n in SIZES if n != 10**13 or program not in endless]
    sizes = [np.int64(n) if type(n) is int else n for n in sizes]
    if program is square:
        # Their error is that of the slice, which comes first.
        sizes = [n for n in sizes if isinstance(n, np.integer)]
    check(program, tuple((X, n) for n in sizes))


def diagonals(x, n):
    return np.eye(3, k=n), np.eye(2, 3, n), np.tri(3, 4, n), np.diag(x, n)


def test_diagonals_of_the_run():
    check(diagonals, tuple((X, np.int64(n)) for n in (1, 0, -2)))


M = np.arange(6.0).reshape(2, 3)


def with_one_size_by_data(x, n):
    shape = list(x.shape)
    shape[n] = 5
    return np.ones(shape), np.full(shape, 7)


def with_one_size_more_by_data(x, n):
    shape = list(x.shape)
    shape[n] += 1
    made = np.zeros(shape, int)
    made[0] = 3
    return made, np.empty(shape) is made


def broadcast_to_sizes_by_data(x, n):
    shape = list(x.shape)
    shape[n] = 1
    return np.broadcast_to(x[:1, :1], shape) + x.max(), np.tile(x, shape)


def negative_by_data(x, n):
    shape = list(x.shape)
    shape[n] = -4
    return np.ones(shape)


def by_each_turn(x, n):
    total = 0
    for k in range(3):
        shape = list(x.shape)
        shape[n] = k
        total = total + np.ones(shape).sum()
    return total, np.reshape(x, [-1] if n > 5 else [3, 2])


@pytest.mark.parametrize(
    "program",
    [
        with_one_size_by_data,
        with_one_size_more_by_data,
        broadcast_to_sizes_by_data,
        negative_by_data,
        by_each_turn,
    ],
)
def test_a_size_of_an_axis_of_the_run(program):
    check(program, tuple((M, np.int64(n)) for n in (0, 1, 2, -1)))
