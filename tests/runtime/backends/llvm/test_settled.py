"""Loops whose numbers stay of one kind ask for it no more, once they are of it."""

import signal
import time

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.loops import OF_KINDS
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64
F = np.array
RISING = np.arange(60.0) - 20
TABLE = np.resize(RISING, (4, 40))


@case((RISING,), (F([]),), (F([-1.0, -2.0]),), (F([np.nan, -0.0, 1.0]),))
def largest(x):
    best = 0
    for k in range(len(x)):
        if x[k] > best:
            best = x[k]
    return best


@case((RISING,), (-RISING,), (F([]),), (F([-0.0]),), (F([np.nan, 2.0]),), (F([-1.0]),))
def clipped(x):
    total = 0
    for k in range(len(x)):
        total += max(x[k], 0)
    return total


@case((RISING.astype("f4"),), (F([3e38, 3e38], "f4"),), (F([], "f4"),))
def clipped_singles(x):
    total = 0
    for k in range(len(x)):
        total += max(x[k], 0)
    return total


@case((F([2**31 - 2, 1, 0, 1, 7], "i4"),), (F([-3, -4], "i4"),), (F([], "i4"),))
def clipped_ints(x):
    total = 0
    for k in range(len(x)):
        total += max(x[k], 0)
    return total


@case((TABLE,), (-TABLE,), (np.zeros((0, 3)),))
def of_rows(x):
    best, total = 0, 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > best:
                best = x[i, j]
            total += max(x[i, j] - 3, 0)
    return best, total


@case((RISING, n(30)), (RISING, n(5)), (RISING, n(61)), (-RISING, n(61)))
def raising(x, count):
    found = np.zeros(60)
    best = 0
    for k in range(count):
        if x[k] > best:
            best = x[k]
        found[k] = best
    return found, best


@case((RISING,), (-RISING,), (F([]),))
def to_and_fro(x):
    now = best = 0
    for k in range(len(x)):
        now = max(now + x[k], 0)
        best = max(best, now)
    return now, best


@case((RISING, 5), (-RISING, 5), (RISING, 2**63), (F([]), 0))
def compared_each_turn(x, wanted):
    best, k = 0, 0
    while k < len(x) and best * 2 < wanted:
        if x[k] > best:
            best = x[k]
        k += 1
    return best, k


@case((RISING, 3), (-RISING, 5), (RISING, 2))
def a_test_that_draws(x, seed):
    rng = np.random.default_rng(seed)
    best, k = 0, 0
    while rng.random() > 0.02 and k < len(x):
        if x[k] > best:
            best = x[k]
        k += 1
    return best, k, rng.random()


@case((RISING,), (F([]),))
def downwards(x):
    last = 0
    for k in range(len(x) - 1, -1, -2):
        last = x[k] - last if x[k] > 1 else last
    return last


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_loop_gives_what_python_gives(function, arguments):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        agreeing(function, arguments)


def asked_in(loop):
    """Whether the turns of a loop ask of which kind a number is."""
    return any(one.type == OF_KINDS for block in loop.blocks for one in block.walk())


@pytest.mark.parametrize("function", [largest, clipped, of_rows])
def test_one_loop_of_the_two_does_not_ask(function):
    given = TABLE if function is of_rows else RISING
    with ag.config(backend="native"):
        staged = agreeing(function, [(given,)])
        made = [loop.lowered()[1] for loop in loops_of(staged, (given,))]
    loops = [one for one in made[0].body.walk() if one.op == "while"]
    assert {asked_in(one) for one in loops} == {True, False}


def test_numbers_that_do_not_stay_are_in_one_loop():
    with ag.config(backend="native"):
        staged = agreeing(to_and_fro, [(RISING,)])
        (made,) = [loop.lowered()[1] for loop in loops_of(staged, (RISING,))]
    assert all(map(asked_in, [one for one in made.body.walk() if one.op == "while"]))


def test_what_is_added_of_either_kind_is_chosen():
    with ag.config(backend="native"):
        staged = agreeing(clipped, [(RISING,)])
        (made,) = [loop.lowered()[1] for loop in loops_of(staged, (RISING,))]
    # By what the branch before has said.
    assert "select" not in str(made)


def test_what_waits_for_the_turn_before_stays_a_branch():
    def held(x):
        total = 0
        for k in range(len(x)):
            total += max(total - x[k], 0)
            total += x[k]
        return total

    with ag.config(backend="native"):
        staged = agreeing(held, [(RISING,), (-RISING,)])
        (made,) = [loop.lowered()[1] for loop in loops_of(staged, (RISING,))]
    assert "select" not in str(made)


def test_a_running_loop_goes_on_where_its_kinds_are_settled():
    """It is compiled while it runs, and entered at some turn."""

    def far(count):
        best = 0
        for k in range(count):
            v = np.float64(k % 1000) - 500
            if v > best:
                best = v
        return best

    assert ag.function(far)(n(300_000)) == far(2000)


def test_a_loop_that_never_settles_is_interrupted():
    def for_ever(x, count):
        best = 0
        for k in range(count):
            if x[k % 8] > best:
                best = x[k % 8]
        return best

    with ag.config(backend="native"):
        staged = ag.function(for_ever)
        x = -np.ones(8)
        staged(x, n(9))
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        start = time.perf_counter()
        try:
            with pytest.raises(KeyboardInterrupt):
                staged(x, n(10**12))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - start < 5
