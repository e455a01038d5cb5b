"""`np.searchsorted`, `np.digitize`, `np.interp` in machine code, without Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

TWICE = np.int64(2)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])
DTYPES = ["f8", "f4", "i8", "i2", "u1", "?"]


def numbers(rng, dtype, size, ends=(-3, 4)):
    """Few different ones, with what is special among floats."""
    if dtype == "?":
        return rng.random(size) < 0.5
    low = 0 if dtype[0] == "u" else ends[0]
    found = rng.integers(low, ends[1], size).astype(dtype)
    if dtype[0] == "f":
        found = found + rng.choice([0.0, 0.5, 0.1], size).astype(dtype)
        found[rng.random(size) < 0.1] = rng.choice(SPECIAL)
    return found


def without_python(function, given):
    with ag.config(backend="native"):
        staged = agreeing(function, given)
        (loop,) = loops_of(staged, given[0])
    assert "python" not in str(loop.function)


def searched(side):
    def turns(x, keys, count):
        found = np.searchsorted(x, keys, side=side)
        for k in range(count):
            found = found + np.searchsorted(x, keys, side=side)
            found = found + np.searchsorted(x, keys[k], side=side)
        return found

    return turns


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_each_place_is_numpys_even_where_nothing_is_in_order(dtype, side):
    rng, given = np.random.default_rng(0), []
    for size in (0, 1, 2, 7, 40):
        x, keys = numbers(rng, dtype, size), numbers(rng, dtype, 30)
        given += [(np.sort(x), keys, TWICE), (x, keys, TWICE)]
        given += [(np.sort(x)[::-1], np.sort(keys)[::-1], TWICE)]
    without_python(searched(side), given)


@pytest.mark.parametrize(("dtype", "other"), [("f4", "f8"), ("i4", "f8"), ("u1", "i2")])
def test_what_is_of_several_dtypes_is_compared_in_one(dtype, other):
    rng = np.random.default_rng(0)
    x, keys = np.sort(numbers(rng, dtype, 20)), numbers(rng, other, 30)
    for given in ((x, keys), (np.sort(keys), x)):
        without_python(searched("left"), [(*given, TWICE)])


def test_numbers_of_pythons_are_doubles():
    def turns(x, key, count):
        total = 0
        for k in range(count):
            total += np.searchsorted(x, 0.1) + 10 * np.searchsorted(x, key + k)
            total += 100 * np.searchsorted(x, 1, "right")
        return total

    x = np.array([0.0, 0.1, 0.2, 0.3], "f4")
    without_python(turns, [(x, 0.1, TWICE), (x, -1.0, TWICE)])
    without_python(turns, [(np.arange(4, dtype="i2"), 1.5, TWICE)])
    without_python(turns, [(np.arange(4, dtype="i2"), 70_000, TWICE)])


def binned(right):
    def turns(x, bins, count):
        found = np.digitize(x, bins, right=right)
        for k in range(count):
            found = found + np.digitize(x, bins, right) + np.digitize(x[k], bins, right)
        return found

    return turns


@pytest.mark.parametrize("right", [False, True])
def test_bins_are_numpys_and_those_that_go_down_are_pythons(right):
    rng = np.random.default_rng(0)
    x, bins = numbers(rng, "f8", 30), np.array([-2.0, -0.0, 0.0, 0.5, 3.0])
    flat, none = np.array([0.5, 0.5]), np.zeros(0)
    given = [(x, one, TWICE) for one in (bins, bins[::-1], flat, none, bins[:1])]
    wrong = np.array([1.0, 3.0, 2.0]), np.array([np.nan, 1.0, 2.0])
    given += [(x, one, TWICE) for one in (*wrong, np.array([1.0, np.nan]))]
    without_python(binned(right), given)
    without_python(binned(right), [(x, np.array([-1, 0, 2]), TWICE)])


def curves(x, xs, ys, count):
    found = np.interp(x, xs, ys)
    for k in range(count):
        found = found + np.interp(x, xs, ys, right=-7.0) * 3.0
        found = found + np.interp(x[k], xs, ys) + np.interp(x, xs, ys, left=x[0])
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 30])
def test_each_number_on_a_curve_is_numpys(size):
    rng, given = np.random.default_rng(size), []
    layout = LAYOUTS["steps" if size % 2 else "own"]
    for _ in range(10):
        xs, ys = numbers(rng, "f8", size), numbers(rng, "f8", size)
        if rng.random() < 0.7:
            xs = np.sort(xs)
        x = numbers(rng, "f8", 40, (-5, 6))
        given += [(x, xs, ys, TWICE), (np.sort(x), xs * 0.3, ys / 7.0, TWICE)]
    with ag.config(backend="native"):
        staged = agreeing(curves, given, layout)
        (loop,) = loops_of(staged, given[0])
    assert "python" not in str(loop.function)


def test_curves_of_ints_are_of_floats_and_wrong_ones_pythons():
    x, xs = np.array([1, 5, 2]), np.array([0, 3, 4])
    without_python(curves, [(x, xs, np.array([5, 1, 7]), TWICE)])
    with ag.config(backend="native"):
        agreeing(curves, [(x * 1.0, xs, np.array([5.0]), TWICE)])
        agreeing(curves, [(x * 1.0, xs[:0], np.zeros(0), TWICE)])
        agreeing(curves, [(x * 1.0, xs, np.array([1j, 2, 3]), TWICE)])
