"""`np.median`, `np.percentile`, `np.quantile`, `np.unique` without Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

TWICE = np.int64(2)
NAN, INF = np.nan, np.inf


def rows(seed=0):
    rng = np.random.default_rng(seed)
    for n in (1, 2, 3, 8, 9, 16, 17, 18, 40, 1000):
        x = rng.standard_normal(n)
        yield from (x, np.sort(x), -np.sort(x), np.round(x), np.abs(x), x * 0.0)
        yield np.where(rng.random(n) < 0.3, -0.0, np.round(x * 2))
    for special in (NAN, -NAN, INF, -INF, 1.7e308, -1.7e308):
        yield np.append(x[:6], [special])
        yield np.append(x[:6], [special, special])
        yield np.array([special, special, special])
    yield x[:0]


def in_machine_code(function, given, layout=np.array):
    with ag.config(backend="native"):
        staged = agreeing(function, given, layout)
        (loop,) = loops_of(staged, given[0])
    assert "python" not in str(loop.function)


def halves(x, count):
    total = np.median(x)
    for _ in range(count):
        total = np.median(x) + total * 0.5
    return total, np.median(x)


@pytest.mark.parametrize("layout", ["own", "steps"])
def test_each_median_is_numpys(layout):
    in_machine_code(halves, [(x, TWICE) for x in rows()], LAYOUTS[layout])
    ints = np.array([5, 2, 9, 7])
    in_machine_code(halves, [(ints, TWICE), (ints[:3], TWICE)])
    in_machine_code(halves, [(np.arange(12.0).reshape(4, 3)[::-1], TWICE)])


@pytest.mark.parametrize("dtype", ["f2", "f4", "D"])
def test_medians_of_other_numbers_are_numpys(dtype):
    x = np.array([0.1, 0.7, 0.3, -2.5]).astype(dtype)
    with ag.config(backend="native"):
        agreeing(halves, [(x, TWICE), (x[:3], TWICE)])


@pytest.mark.parametrize("q", [0, 30, 50.0, 99.9, 100])
def test_each_percentile_is_numpys(q):
    def turns(x, count):
        total = np.percentile(x, q)
        for _ in range(count):
            total = np.percentile(x, q) + total * 0.5
        return total, np.percentile(x, q)

    in_machine_code(turns, [(x, TWICE) for x in rows(1)])


def test_each_quantile_is_numpys():
    def turns(x, q, count):
        total = np.quantile(x, q)
        for _ in range(count):
            total = np.quantile(x, q) + np.quantile(x, 0.25)
        return total

    given = [(x, q, TWICE) for x in rows(2) for q in (0.0, 0.3, 1.0)]
    in_machine_code(turns, given)
    with ag.config(backend="native"):
        x = np.arange(4.0)
        agreeing(turns, [(x, q, TWICE) for q in (-0.1, 1.1, NAN)])
        agreeing(turns, [(x, np.array([0.1, 0.5]), TWICE), (x > 1, 0.5, TWICE)])
        agreeing(turns, [(x.astype("f4"), 0.5, TWICE), (x.astype("i1"), 0.5, TWICE)])


def different(x, count):
    found = np.unique(x)
    total = 0
    for _ in range(count):
        found = np.unique(x)
        total = total + np.unique(x * 1)[0] + found.size
    return found, total


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?"])
def test_what_differs_is_numpys(dtype):
    given = [(x, TWICE) for x in rows(3)]
    if dtype[0] != "f":
        rng = np.random.default_rng(0)
        given = [(rng.integers(0, 5, n).astype(dtype), TWICE) for n in (1, 2, 40, 0)]
    elif dtype == "f4":
        given = [(x.astype("f4"), TWICE) for x, _ in given if not np.any(abs(x) > 1e9)]
    if dtype == "?":
        with ag.config(backend="native"):
            agreeing(different, given)
        return
    in_machine_code(different, given)
