"""What is read of the array that is written: machine code needs no copy of it, where
it can be gone through in an order in which nothing is read that was written.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.conformance.peak import check_in_place, most_memory

SIZE = 2**14


def from_ahead(x, n):
    x[:-1] += x[1:]
    x /= 2
    np.multiply(x[n:], 0.5, out=x[:-n])
    x[:-2] = x[1:-1] + x[2:]
    np.sin(x[1:], out=x[:-1])
    v = x[:, None]
    v[:-1] -= v[1:]


def from_behind_to_the_front(x, n):
    v = x[::-1]
    v[:-1] -= v[1:]
    v[:-n] += v[n:]


def halves(x, n):
    half = x.shape[0] // 2
    x[:half] += x[::2]
    x[:half] -= x[half:]
    x -= x[-1]


def every_other(x, n):
    x[2::2] = x[:-2:2]
    x[:-2:2] = x[2::2]
    v = x[::-2]
    v[n:] = v[:-n]


PROGRAMS = [from_ahead, from_behind_to_the_front, halves, every_other]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_memory_is_needed(program):
    check_in_place(program, 0, "native", SIZE, np.int64(3))


def rows_above(x):
    x[:-1] += x[1:]
    x[:, :-1] *= x[:, 1:] > x[:, :-1]
    x[:-1, :-1] = x[1:, 1:]


def columns(x):
    x[:, :-1:2] += x[:, 1::2]
    x -= x[-1]
    np.sin(x[:, 1:], out=x[:, :-1])


def turned(x):
    v = x.T
    v[:-1] += v[1:]
    w = x[::-1, ::-1]
    w[:-1] -= w[1:]


def every_other_column(x):
    x[:, 1::2] += x[:, : x.shape[1] // 2 * 2 : 2]
    x[:, : x.shape[1] // 2 * 2 : 2] = x[:, 1::2] * 0.5


ROWS = [every_other_column, rows_above, columns, turned]


@pytest.mark.parametrize("shape", [(129, 127), (128, 128), (4096, 4)])
@pytest.mark.parametrize("program", ROWS, ids=lambda program: program.__name__)
def test_no_memory_is_needed_of_rows(program, shape):
    x, y = (np.arange(float(np.prod(shape))).reshape(shape) % 97 for _ in range(2))
    _, most = most_memory(ag.function(program), (x,), "native")
    assert most < x.nbytes * 0.1
    for _ in range(4):
        program(y)
    assert np.array_equal(x, y)


def moved(x, a, b, s, t, n):
    x[a::s][:n] = x[b::t][:n]
    return x


def added(x, a, b, s, t, n):
    x[a::s][:n] += x[b::t][:n]
    np.negative(x[b::s][:n], out=x[a::t][:n])
    return x


def read_twice(x, a, b, s, t, n):
    y = x[a::s][:n]
    y -= x[b::s][:n] + x[b + 1 :: t][:n]
    return x


def of_rows(x, a, b, s, t, n):
    y = x[:35].reshape(7, 5)
    y[a % 3 :: s][: n // 2, 1:] += y[b % 3 :: s][: n // 2, :-1]
    y[a % 3 :: t][: n // 2, :-1] += y[b % 3 :: t][: n // 2, 1:]
    y[:, ::t][:, :2] -= y[:, ::s][:, -2:]
    y[:n, ::s] *= y[b % 7, ::s]
    return x


def of_turned_rows(x, a, b, s, t, n):
    y = x[:35].reshape(7, 5)
    y.T[:, :-1] += y.T[:, 1:]
    y[::-1][:-1] -= y[::-1][1:]
    y[::s, ::t].T[:-1] -= y[::s, ::t].T[1:]
    z = x[:36].reshape(3, 4, 3)
    z[:, :-1] += z[:, 1:]
    z[:-1] -= z[1:, ::s]
    z[:, ::-1][:, :-1] += z[:, ::-1][:, 1:]
    z[:, :, 1:] *= z[:, :, :-1]
    return x


ALIKE = [moved, added, read_twice, of_rows, of_turned_rows]


@pytest.mark.parametrize("dtype", [float, np.int32, np.complex64])
@pytest.mark.parametrize("program", ALIKE, ids=lambda program: program.__name__)
def test_what_overlaps_is_as_in_numpy(program, dtype):
    with ag.config(backend="native"):
        staged = ag.function(program)
        for a, b in ((8, 9), (9, 8), (12, 14), (14, 11), (10, 10)):
            for s, t in ((1, 1), (2, 2), (-1, -1), (1, 2), (2, 1), (-2, -1), (1, -1)):
                for n in (0, 1, 5, 8):
                    numbers = map(np.int64, (a, b, s, t, n))
                    given = (np.arange(40) % 11).astype(dtype), *numbers
                    python, graph = observe(program, given), observe(staged, given)
                    found = disagreement(python, graph)
                    assert found is None, f"{a, b, s, t, n}: {found.sentence}"


def across(x):
    x[1:, :-1] += x[:-1, 1:]
    x[:-1, 1:] -= x[1:, :-1]


@pytest.mark.parametrize("order", ["C", "F"])
def test_what_is_ahead_in_memory_may_be_written_before(order):
    with ag.config(backend="native"):
        staged = ag.function(across)
        for _ in range(3):
            x, y = (np.arange(63.0).reshape(7, 9).copy(order) for _ in range(2))
            across(x)
            staged(y)
            assert np.array_equal(x, y)


def short_rows(x):
    z = x * 2  # whose steps are known, so that several rows may be computed at a time
    y = z[1:, :-1]
    z[:-1, 1:] += np.sqrt(y * y + 1) / (y * y + 2) + np.sqrt(y * y + 3) / (y * y + 4)
    return z


def test_rows_that_read_the_next_one_follow_one_another():
    with ag.config(backend="native"):
        staged = ag.function(short_rows)
        for _ in range(3):
            x = np.arange(400.0).reshape(100, 4) % 7
            assert np.array_equal(staged(x), short_rows(x))
