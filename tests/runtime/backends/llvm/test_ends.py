"""The first and last few of `np.argsort`, which need no sort of all."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases

TWICE = np.int64(2)
CASES, case = cases(asked="")


@case(asked=" 4 0")
def first_four(x, count):
    total = 0
    for i in range(count):
        best = np.argsort(x)[:4]
        total = total * 7 + best[0] * best[1] + best[2] - best[3] + i
    return total


@case(asked=" 0 3")
def last_three(x, count):
    total = 0
    for i in range(count):
        best = np.argsort(x, kind="stable")[-3:]
        total = total * 7 + best[0] * best[1] - best[2] + i
    return total


@case(asked=" 2 5")
def both_ends_turned(x, count):
    total = 0
    for i in range(count):
        order = np.argsort(x)
        down = order[::-1][:5]
        total = total * 7 + down[0] + 3 * down[4] - order[-1] * order[1] + i
    return total


@case()
def more_than_the_ends(x, count):
    total = 0
    for i in range(count):
        order = np.argsort(x)
        total = total * 7 + order[:3][1] + order[x.shape[0] // 2] + order[4:][0] + i
    return total


@case()
def parts_in_a_list(x, count):
    kept = []
    for _ in range(count):
        kept.append(np.argsort(x)[:3])
    return kept


def numbers():
    """What is sorted: no two alike, alike at the ends, none, in order, few of them."""
    rng = np.random.default_rng(0)
    mixed = rng.permutation(200) - 90.0
    alike, none = mixed.copy(), mixed.copy()
    alike[[3, 150]], alike[[60, 70]] = -100.0, 500.0
    none[[0, 31, 32, 190]] = np.nan
    ends = mixed.copy()
    ends[[5, 80, 199]], ends[7] = (np.inf, -np.inf, np.inf), -np.inf
    down = np.arange(200.0)[::-1].copy()
    return mixed, alike, none, ends, down, np.sort(mixed), rng.random(5), rng.random(33)


@pytest.mark.parametrize(("function", "_", "asked"), CASES)
def test_they_are_numpys_whatever_is_sorted(function, _, asked):
    with ag.config(backend="native"):
        staged = agreeing(function, [(x, TWICE) for x in numbers()])
        text = staged.get_concrete_function(np.ones(200), TWICE).inspect("loops")
    assert f"argsort{asked}(" in text


@pytest.mark.parametrize("dtype", ["f4", "i8", "i4", "u8", "u4", "f2", "i2", "?"])
def test_numbers_of_any_kind_are_sorted(dtype):
    mixed = numbers()[0].astype(dtype)
    with ag.config(backend="native"):
        for function in (first_four, last_three):
            agreeing(function, [(mixed, TWICE), (mixed[:0], TWICE)])


def test_they_are_found_in_a_column():
    table = np.stack([numbers()[0], numbers()[0] * 1.3 + 40.0], -1)
    with ag.config(backend="native"):
        staged = ag.function(both_ends_turned)
        for given in (table[:, 0], table[::-1, 1], table[:, 0].copy()):
            assert staged(given, TWICE) == both_ends_turned(given, TWICE)


def test_all_is_sorted_of_which_a_part_is_given_on():
    x = numbers()[0]
    with ag.config(backend="native"):
        (*_, part) = ag.function(parts_in_a_list)(x, TWICE)
    assert part.base is None or np.array_equal(part.base, np.argsort(x))
