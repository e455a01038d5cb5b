"""Changes in place that machine code makes without a copy, as NumPy does."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.conformance.peak import check_in_place, most_memory

SIZE = 2**14


def every_other(x, n):
    x[::2] += x[1::2]
    x[1::2] *= x[::2]


def butterflies(x, n):
    a, b = x[::2], x[1::2]
    for _ in range(n):
        a += b
        b *= -2
        b += a


def red_and_black(x, n):
    y = x.reshape(128, 128)
    for _ in range(n):
        y[1:-1:2, 1:-1:2] += y[:-2:2, 1:-1:2]
        y[1:-1:2, 1:-1:2] += y[2::2, 1:-1:2]


def running_sums(x, n):
    np.cumsum(x, out=x)
    x /= 1e9
    np.cumprod(x, out=x)
    y = x.reshape(128, 128)
    np.cumsum(y, axis=0, out=y)
    np.cumsum(x[::-1], out=x[::-1])


def turned(x, n):
    y = x.reshape(128, 128)
    for k in range(n):
        y.T[:] += k
        np.swapaxes(y, 0, 1)[:] -= 1


def raised_to_powers(x, n):
    x /= 1e9
    x **= n
    v = x.reshape(128, 128).T
    v **= 2
    v *= 3


PROGRAMS = [
    *(every_other, butterflies, red_and_black, running_sums, turned),
    raised_to_powers,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_memory_is_needed(program):
    check_in_place(program, 0, "native", SIZE, np.int64(3))


def test_no_memory_is_needed_between_rows():
    def lifted(x, n):
        x[1::2] -= x[::2]
        x[::2] += x[1::2]
        x[:, 1::2] -= x[:, ::2]

    x, y = (np.arange(float(SIZE)).reshape(128, 128) for _ in range(2))
    staged = ag.function(lifted)
    _, most = most_memory(staged, (x, np.int64(3)), "native")
    assert most < x.nbytes * 0.1
    for _ in range(4):
        lifted(y, 3)
    assert np.array_equal(x, y)


def test_a_product_is_made_where_it_is_to_be():
    def multiplied(x, y):
        np.matmul(y, y, out=x)
        np.matmul(x[:64], y, out=x[64:])
        np.dot(y, y, out=x)

    y = np.arange(float(SIZE)).reshape(128, 128) / SIZE
    x, z = np.zeros((128, 128)), np.zeros((128, 128))
    _, most = most_memory(ag.function(multiplied), (x, y), "native")
    assert most < x.nbytes * 0.1
    multiplied(z, y)
    assert np.array_equal(x, z)


@pytest.mark.parametrize("dtype", [float, np.int32])
def test_a_product_is_not_made_where_it_is_read(dtype):
    def multiplied(x):
        np.matmul(x[:3], x[3:6], out=x[2:5])
        np.matmul(x[:3], x[3:6], out=x[:3])
        np.dot(x[6:9], x[6:9], out=x[6:9])
        np.matmul(x[:3, :2], x[3:5, 1:], out=x[6:9, :2])
        np.matmul(x[:3], x[4], out=x[1])

    with ag.config(backend="native"):
        staged = ag.function(multiplied)
        for _ in range(3):
            x, y = (np.arange(27).reshape(9, 3).astype(dtype) for _ in range(2))
            multiplied(x)
            staged(y)
            assert np.array_equal(x, y)


def summed(x, i, j, n):
    np.cumsum(x[i:][:n], out=x[j:][:n])
    return x


def summed_apart(x, i, j, n):
    np.cumsum(x[i::2][:n], out=x[j::2][:n])
    return x


def summed_backwards(x, i, j, n):
    np.cumsum(x[i + 8 :: -1][:n], out=x[j + 4 :][:n])
    return x


def added(x, i, j, n):
    x[i::3][:n] += x[j::3][:n]
    x[i::2][:n] -= x[j::3][:n]
    return x


def rows_added(x, i, j, n):
    y = x.reshape(5, 8)
    y[i % 3 :: 2][:2] += y[j % 3 :: 2][:2]
    y[:, i % 3 :: 2][:, :2] += y[:, j % 3 :: 2][:, :2]
    y[:, i % 3 :: 2][:, :2] += y[j % 3, ::2][:2]
    return x


def turned_in_branches(x, i, j, n):
    y = x[:36].reshape(6, 6)
    if i < j:
        y.T[:] += 1
    else:
        y.T[1:] = y[1:].T
    t = y.T
    t[n] -= 1
    z = y + 0
    z.T[:] *= 2
    w = z.T.T
    w[i % 6] = 0
    return x, t, z, w


def turned_over(x, i, j, n):
    y = x[:36].reshape(6, 6)
    y.T[:] = y
    total = 0.0
    for k in range(n):
        y.T[:] += k
        total += y[0, k] + np.sum(y.T[1])
    return x, total


ALIKE = [
    *(summed, summed_apart, summed_backwards, added, rows_added),
    *(turned_in_branches, turned_over),
]


@pytest.mark.parametrize("dtype", [float, np.int32])
@pytest.mark.parametrize("program", ALIKE, ids=lambda program: program.__name__)
def test_what_overlaps_is_as_in_numpy(program, dtype):
    with ag.config(backend="native"):
        staged = ag.function(program)
        for i in (0, 1, 3, 5):
            for j in range(4):
                for n in (1, 3, 5):
                    given = np.arange(40).astype(dtype), *map(np.int64, (i, j, n))
                    python, graph = observe(program, given), observe(staged, given)
                    found = disagreement(python, graph)
                    assert found is None, f"{i}, {j}, {n}: {found.sentence}"
