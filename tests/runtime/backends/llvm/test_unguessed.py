"""The lesser of two ints that data tell is a choice, in loops; a running one is not."""

import re

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

CHOICE = re.compile(r"select i1 .*!unpredictable")
EXTREME = re.compile(
    r"  (?!%smax)%\S+ = call i64 @llvm\.s(?:min|max)\.i64\(i64 %\S+, i64 %"
)


def cheapest(cost):
    n, m = cost.shape
    d = np.zeros((n, m), np.int64)
    for i in range(1, n):
        for j in range(1, m):
            d[i, j] = min(d[i - 1, j], d[i, j - 1]) + cost[i, j]
    return d


def by_ifs(cost):
    n, m = cost.shape
    d = np.zeros((n, m), np.int64)
    for i in range(1, n):
        for j in range(1, m):
            best = d[i - 1, j - 1]
            if d[i - 1, j] < best:
                best = d[i - 1, j]
            if d[i, j - 1] < best:
                best = d[i, j - 1]
            d[i, j] = best + cost[i, j]
    return d


def dearest(cost):
    n, m = cost.shape
    d = np.zeros((n, m), np.int64)
    for i in range(1, n):
        for j in range(1, m):
            d[i, j] = max(d[i - 1, j], d[i, j - 1]) + cost[i, j]
    return d


def running(cost):
    """The turns are no lanes: each looks at the sum so far."""
    best, total = 0, 0
    for i in range(len(cost)):
        total = total * 3 % 1009 + int(cost[i])
        best = max(best, total)
    return best, total


def optimized(function, *given):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, found.sentence
        return str(staged.inspect("llvm"))


@pytest.mark.with_passes
@pytest.mark.parametrize("function", [cheapest, by_ifs, dearest])
def test_the_lesser_of_what_data_tell_is_a_choice(function):
    cost = np.random.default_rng(0).integers(0, 9, (40, 30))
    text = optimized(function, cost)
    assert CHOICE.search(text)
    assert not EXTREME.search(text)


@pytest.mark.with_passes
def test_the_least_so_far_may_be_a_jump():
    text = optimized(running, np.arange(500) % 37)
    assert EXTREME.search(text)
    assert not CHOICE.search(text)
