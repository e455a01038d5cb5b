"""`np.allclose`, `np.isclose`, `np.isin`, `np.polyval` in machine code, no Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

TWICE = np.int64(2)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.7e308, -1.7e308])


def in_machine_code(function, given, layout=np.array):
    with ag.config(backend="native"):
        staged = agreeing(function, given, layout)
        (loop,) = loops_of(staged, given[0])
    assert "python" not in str(loop.function)


def near(rng, n):
    x = rng.integers(-2, 3, n) * 1.0
    y = x + rng.choice([0.0, 1e-9, 1e-5, 0.3], n)
    if rng.random() < 0.5:
        y[rng.random(n) < 0.2] = rng.choice(SPECIAL)
        x = np.where(rng.random(n) < 0.5, y, x)
    return x, y


@pytest.mark.parametrize("equal_nan", [False, True])
def test_what_is_close_is_so_for_numpy(equal_nan):
    def turns(x, y, count):
        total, found = 0, np.isclose(x, y, equal_nan=equal_nan)
        for _ in range(count):
            if np.allclose(x, y, equal_nan=equal_nan):
                total += 1
            if np.allclose(x, y, 0.5, 0.25):
                total += 10
            if np.allclose(x, 0.0, atol=2.0):
                total += 100
            found = np.isclose(x, y, 0.1, 0.01, equal_nan) | np.isclose(1.0, y)
        return total, found

    rng = np.random.default_rng(0)
    given = [(*near(rng, n), TWICE) for n in (1, 2, 8, 30, 0) for _ in range(8)]
    in_machine_code(turns, given, LAYOUTS["steps"])


def test_matrices_are_close_and_what_does_not_fit_is_pythons():
    def turns(x, y, count):
        total = 0
        for _ in range(count):
            if np.allclose(x, y):
                total += 1
        return total

    x = np.arange(6.0).reshape(2, 3)
    given = [(x, x + 1e-12, TWICE), (x, x.T.copy().T, TWICE), (x, x[::-1], TWICE)]
    in_machine_code(turns, given)
    in_machine_code(turns, [(x, x.astype(int), TWICE), (x.astype("i2"), x, TWICE)])
    with ag.config(backend="native"):
        agreeing(turns, [(x, x[0], TWICE), (x, x[:, :2], TWICE)])
        agreeing(turns, [(x, x.astype("f4"), TWICE), (x, x * 1j, TWICE)])


@pytest.mark.parametrize("dtype", ["i8", "u1", "f8"])
def test_what_is_among_few_is_so_for_numpy(dtype):
    def turns(x, others, count):
        found = np.isin(x, others)
        for _ in range(count):
            found = found ^ np.isin(x, others) ^ np.isin(x, others[::2], invert=True)
        return found

    rng, given = np.random.default_rng(0), []
    for n in (5, 30, 0):
        x, others = rng.integers(0, 9, n).astype(dtype), np.array([1, 2, 7], dtype)
        if dtype == "f8":
            x = x * rng.choice([0.0, np.nan, -1.0], n)
            others = np.array([-1, np.nan, 0])
        given += [(x, others, TWICE), (x, others[:1], TWICE)]
    in_machine_code(turns, given)


def test_polynomials_are_numpys():
    def turns(p, x, count):
        found = np.polyval(p, x)
        for k in range(count):
            found = found + np.polyval(p, x) + np.polyval(p, x[k])
        return found

    rng, given = np.random.default_rng(0), []
    for n in (3, 1, 8, 0):
        for x in (rng.random(9), SPECIAL, -np.zeros(4), rng.random(5) * 1e200):
            given.append((rng.standard_normal(n), x, TWICE))
            given.append((np.full(n, -0.0), x, TWICE))
    in_machine_code(turns, given, LAYOUTS["steps"])
    in_machine_code(turns, [(np.array([1, 2, 3]), given[0][1], TWICE)])
    with ag.config(backend="native"):
        agreeing(turns, [(given[0][0], np.arange(4), TWICE)])
