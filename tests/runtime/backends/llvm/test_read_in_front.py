"""Branches of turns that only read what is there in all turns are choices."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

SIZES = [0, 1, 2, 3, 64, 300, 4_100]


def of_both_sides(x, y, z):
    for i in range(1, len(x) - 1):
        s = x[i - 1] + x[i + 1]
        if s == 3 or (s == 2 and x[i] == 1):
            z[i] = s
    return z


def of_itself(x, y, z):
    count = 0
    for i in range(len(x)):
        z[i] = y[i] + 1
        if x[i] > 0 and y[i] > 1:
            count += 2
    return z, count


def of_what_was_written(x, y, z):
    count = 0
    for i in range(1, len(x) - 1):
        z[i] = x[i] + 1
        if y[i - 1] > y[i + 1]:
            z[i] = 5
            count += 1 if z[i] > x[i] and y[i] > 0 else 2
    return z, count


def of_one_side(x, y, z):
    for i in range(len(x)):
        if i > 0 and x[i - 1] == 1:
            z[i] = x[i]
    return z


def of_another(x, y, z):
    for i in range(1, len(x) - 1):
        s = x[i - 1] + x[i + 1]
        if s == 2 and y[i] == 1:
            z[i] = s
    return z


def of_farther(x, y, z):
    for i in range(1, len(x) - 3):
        s = x[i - 1] + x[i + 1]
        if s == 2 and x[i + 2] == 1:
            z[i] = s
    return z


READ = [of_both_sides, of_itself, of_what_was_written]
LEFT = [of_one_side, of_another, of_farther]


def arrays(size, kind):
    numbers = np.random.default_rng(size)
    x, y = (numbers.integers(0, 4, size).astype(kind) for _ in range(2))
    if kind is float and size:
        x[:: max(size // 5, 1)] = np.nan
    return x, y, np.zeros(size, kind)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", [np.int64, float, np.int8])
@pytest.mark.parametrize("function", [*READ, *LEFT])
def test_what_branches_read_is_what_python_reads(function, kind, layout):
    calls = [arrays(size, kind) for size in SIZES]
    with ag.config(backend="native"):
        agreeing(function, calls, LAYOUTS[layout])


@pytest.mark.parametrize("far", [-2, -1, 0, 1, 2])
def test_arrays_that_meet_are_read_in_order(far):
    whole = np.random.default_rng(0).integers(0, 4, 900)
    first, second = slice(20, 820), slice(20 + far, 820 + far)
    for function in READ:
        expected, found = whole.copy(), whole.copy()
        function(expected[first], expected[first], expected[second])
        with ag.config(backend="native"):
            ag.function(function)(found[first], found[first], found[second])
        np.testing.assert_array_equal(found, expected)


def shown(function):
    staged = ag.function(function).get_concrete_function(*arrays(300, np.int64))
    return [staged.inspect(stage) for stage in ("loops", "llvm")]


@pytest.mark.parametrize("function", [of_both_sides, of_itself])
def test_what_is_there_in_all_turns_is_read_without_a_mask(function):
    loops, llvm = shown(function)
    assert "for turns" in loops
    assert "= select(" in loops
    assert "@llvm.masked.load" not in llvm


@pytest.mark.parametrize("function", LEFT)
def test_what_may_not_be_there_is_read_in_its_branch(function):
    loops, _ = shown(function)
    assert "for turns" in loops
    assert "= select(" not in loops
