"""Lanes are taken where they are faster, and give what Python does."""

import time

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import lane_trials
from tests.runtime.backends.llvm.compiling import loops_of
from tests.runtime.backends.llvm.random_lanes import agree_in_lanes, has_lanes

# Lanes are timed.
pytestmark = pytest.mark.with_passes

n, FAR = np.int64, 2**63 - 1


@pytest.fixture(autouse=True)
def _timed(monkeypatch):
    monkeypatch.setattr(lane_trials, "TIMED", True)


def primes(count):
    found = 0
    for i in range(2, count):
        is_prime, j = True, 2
        while is_prime and j * j <= i:
            is_prime = i % j != 0
            j += 1
        found += is_prime
    return found


def roots(x, out):
    for i in range(len(x)):
        a, k = x[i], 0
        while a > 1.0 and k < 400:
            a, k = a * 0.99, k + 1
        out[i] = a + k
    return out


def table(rows, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            k, left = 0, rows[i] + j
            while left > 0:
                left, k = left - 3, k + 1
            out[i, j] = k
    return out


def ends_early(x, limit):
    total = 0
    for i in range(len(x)):
        a, k = x[i], 0
        while a > 1.0:
            a, k = a * 0.5, k + 1
        total += k
        if total > limit:
            break
    return total, i, k


def near_the_end(start, end):
    total = 0
    for i in range(start, end):
        k, j = i & 7, 0
        while k > 0:
            k, j = k - 2, j + 1
        total += j
    return total


x = np.random.default_rng(4).random(5000) * 50
TRIED = [
    (primes, [(n(3000),), (n(5),), (n(40),)]),
    (roots, [(x, np.zeros(5000)), (x[:20], np.zeros(20)), (x[:3], np.zeros(3))]),
    (table, [(np.arange(40) % 9, np.zeros((40, size), int)) for size in (4, 8, 30)]),
    (ends_early, [(x, n(limit)) for limit in (10**6, 9000, 400, 150, 0)]),
    (
        near_the_end,
        [(n(FAR - size), n(FAR)) for size in (900, 17, 3, 1, 0)]
        + [(n(-FAR - 1), n(size - FAR)) for size in (900, 16, 2)],
    ),
]


@pytest.mark.parametrize(("function", "calls"), TRIED, ids=lambda one: str(one)[10:16])
def test_trials_change_no_result(function, calls):
    agree_in_lanes(function, calls, True)


def test_turns_that_are_run_singly_are_a_loop_without_lanes():
    """Nothing is asked in its turns but when lanes are tried again."""
    given = x, np.zeros(5000)
    with ag.config(backend="native"):
        staged = ag.function(roots)
        staged(*given)
        (loop, *_) = loops_of(staged, given)
    (lanes,) = (one for one in loop.function.body.walk() if one.op == "lanes")
    _, turns = lanes.blocks[2].instructions
    assert turns.op == "while"
    (near,) = (one for one in turns.blocks[1].walk() if lanes.outs[1] in one.args)
    assert near.op == "icmp slt"


def test_loops_in_which_lanes_lose_are_run_turn_by_turn(monkeypatch):
    """A division of a vector is one of each lane; most wait for the longest."""
    given, spent = (n(6000),), {}
    for timed in (True, False):
        monkeypatch.setattr(lane_trials, "TIMED", timed)
        with ag.config(backend="native"):
            staged = ag.function(primes)
            assert staged(*given) == primes(*given)
            assert has_lanes(staged, given)
            spent[timed] = min(_seconds(staged, given) for _ in range(7))
    assert spent[True] < 0.5 * spent[False]


def _seconds(staged, given):
    start = time.process_time()
    staged(*given)
    return time.process_time() - start
