"""Functions that NumPy and SciPy call: what they change is seen, as in Python."""

import numpy as np
import pytest
import scipy.optimize

import autograph as ag
from tests.conformance.trying import Programs, check

programs = Programs()
x3 = np.array([1.0, 2.0, 3.0])
m23 = np.arange(6.0).reshape(2, 3)


@programs((x3,))
def vectorized(x):
    calls = []

    def double(v):
        calls.append(float(v))
        if v > 1.5:
            return v * 2
        return -v

    return np.vectorize(double, otypes=[float])(x), calls


@programs((x3,))
def from_python(x):
    seen = []

    def larger(v, w):
        seen.append(v + w)
        return v if v > w else w

    return np.frompyfunc(larger, 2, 1)(x, 2.0).astype(float), seen


@programs((m23,))
def along_an_axis(m):
    total = 0
    rows = np.zeros(2)

    def summed(row):
        nonlocal total
        total += 1
        rows[total - 1] += row[0]
        return row.sum() if row[0] > 1 else row.max()

    return np.apply_along_axis(summed, 1, m), total, rows


@programs((x3, np.int64(3)))
def printed_in_a_loop(x, n):
    def halved(v):
        print("at", v)
        while v > 1:
            v = v / 2
        return v

    for _ in range(n):
        r = np.vectorize(halved, otypes=[float])(x)
    return r


@programs((x3,), (-x3,))
def in_a_branch(x):
    if x[0] > 0:
        kept = []
        np.vectorize(lambda v: kept.append(v) or 0.0, otypes=[float])(x)
        return len(kept)
    return -1


@programs((3,))
def asked_for_an_array_by_c(n):
    return np.vectorize(lambda v: np.asarray(v).sum(), otypes=[float])([n, 2 * n])


@programs((3,))
def asked_by_c_in_a_try(n):
    try:
        return np.vectorize(lambda v: np.asarray(v).sum(), otypes=[float])([n, 2 * n])
    except ValueError:
        return "no number"


@programs((np.float64(2.0),))
def solved(d):
    calls = []

    def f(v):
        calls.append(v)
        return v * v - d

    return scipy.optimize.brentq(f, 0.0, 2.0), len(calls)


@programs((x3,))
def by_nditer(x):
    with np.nditer(x, op_flags=["readwrite"]) as places:
        for v in places:
            v[...] = v * 2
    return x, x.base is None


@pytest.mark.parametrize(("function", "arguments"), programs)
def test_what_a_callback_changes_is_seen(function, arguments):
    check(function, arguments)


def counted(x):
    history.append(float(x[0]))
    seen = []
    np.vectorize(lambda v: seen.append(v) or 0.0, otypes=[float])(x)
    return len(seen), len(history)


history: list[float] = []


def test_what_was_done_before_is_done_once():
    history.clear()
    graph = ag.function(counted)
    assert [graph(x3), graph(x3)] == [(3, 1), (3, 2)]
