"""Ints that a loop keeps within bounds are looked at once, before it."""

import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import cases

CASES, case = cases()
SEEDS = [0, 1, 42, -1, -(2**40), 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, -(2**63)]


def seeded(*counts):
    return [(count, seed) for count in counts for seed in SEEDS]


@case(*seeded(0, 1, 2, 50))
def a_walk(n, seed):
    x, far = seed, 0
    for _ in range(n):
        x = (x * 1664525 + 1013904223) % 4294967296
        far += 1 if x < 2147483648 else -1
    return x, far


@case(*seeded(0, 3, 50))
def a_remainder_of_no_power(n, seed):
    x = seed
    for _ in range(n):
        x = (16807 * x + 3) % 2147483647
    return x


@case(*seeded(0, 3, 50))
def two_that_are_bound(n, seed):
    x, y = seed, seed
    for _ in range(n):
        x, y = (x * 31 + y) & 1048575, (y * 17 + x) % 1000003
    return x, y


@case(*seeded(2, 30))
def of_which_one_is_not(n, seed):
    x, y = seed % 1000, 1
    for _ in range(n):
        x, y = (x * 31 + 7) % 1000, y * 3 - x
    return x, y


@case(*((count, seed) for count in (0, 1, 40) for seed in SEEDS[:-3]))
def a_walk_that_ends_by_itself(n, seed):
    x, turns = seed, 0
    while x != 5:
        x = (x * 5 + 3) % 64
        turns += 1
        if turns > n:
            break
    return x, turns


NEAR = [
    0,
    -1,
    2**60,
    2**61,
    -(2**61),
    2**61 + 1,
    2**62,
    2**63 - 1,
    2**63 - 400,
    -(2**63),
]


@case(*((count, first) for count in (0, 1, 3, 90) for first in NEAR))
def a_sum_of_little(n, first):
    total = first
    for i in range(n):
        total += (i ^ 5) & 7
    return total


@case(*((count, first) for count in (0, 1, 90) for first in NEAR))
def two_sums_of_little(n, first):
    a, b = first, -first
    for i in range(n):
        a, b = a + i % 1000, b - (i & 255) + 3
    return a, b


@case(*((count, first) for count in (0, 1, 1000) for first in NEAR))
def a_sum_that_ends_by_itself(n, first):
    k, total = n, first
    while k:
        total += k & 1
        k >>= 1
    return total, k


@case((3, 2**31), (3, -(2**31)), (20, 2**58), (20, 1), (5, 2**63 - 1))
def a_sum_of_what_is_given(n, step):
    total = 0
    for _ in range(n):
        total += step
    return total


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_whatever_they_begin_with_they_are_pythons(function, arguments):
    staged = ag.function(function)
    with ag.config(backend="native"):
        for given in arguments:
            assert staged(*given) == function(*given), given


LOOKS = ("sadd(", "smul(", "ssub(")


def shown(function, stage):
    """The text of the loop over counts and seeds that are numbers of the run."""
    staged = ag.function(function)
    with ag.config(backend="native"):
        for count in (40, 50, 60):
            staged(count, count + 1)
        (*_, last) = staged.inspect(stage).split("; HotLoop")
    return last


def looks(function):
    """How often either loop looks whether an int is too large."""
    _, *chunks = shown(function, "loops").split("while chunk(")
    return [sum(chunk.count(word) for word in LOOKS) for chunk in chunks]


@pytest.mark.parametrize("function", [a_walk, a_remainder_of_no_power])
def test_a_loop_that_begins_within_bounds_does_not_look(function):
    assert looks(function) == [0, 2]


def test_two_ints_are_asked_together():
    assert looks(two_that_are_bound) == [0, 4]


def test_what_has_no_bounds_is_looked_at_in_each_turn():
    assert looks(of_which_one_is_not)[0] > 0


def test_turns_of_ints_that_nothing_leaves_are_written_several_at_once():
    lines = shown(a_walk, "llvm").split("\n")
    products = [line for line in lines if " = mul " in line and "1664525" in line]
    assert len(products) >= 4


def test_a_sum_that_begins_near_zero_is_not_looked_at():
    def outer(n, first):
        total = first
        for i in range(n):
            for j in range(n):
                total += (i ^ j) & 7
        return total

    lines = shown(outer, "loops").split("else exit")
    assert "for turns" in lines[0]
