"""Loops that can only take few turns look at no clock, and others still do."""

import math
import signal
import time

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.chunks import CHUNK
from runtime.backends.llvm.few_turns import FEW_TURNS, weight_of
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

n = np.int64
LARGEST = 2**63 - 1
CASES, case = cases(few=True)


@case((n(300),), (n(0),), (n(1),))
def bits(count):
    total = 0
    for i in range(count):
        k = i
        while k:
            total += k & 1
            k >>= 1
    return total


@case((n(0), 1), (n(LARGEST - 9), LARGEST), (n(-5), 5))
def lowest_bits(first, end):
    total = 0
    for i in range(first, end):
        k = i * i % 1000 if i < 3000 else i
        while k > 0:
            k &= k - 1
            total += 2
    return total


@case((np.array([5, 0, LARGEST, 2**62]), 3), (np.array([-8, 1, -LARGEST - 1]), 0))
def lowest_bits_one_by_one(x, total):
    for i in range(len(x)):
        k = x[i]
        while k:
            bit = k & -k
            total += bit % 1000
            k ^= bit
    return total


@case((n(40), n(64)), (n(96), n(64)), few=False)
def bits_that_are_not_the_lowest(k, bit):
    total = 0
    while k:
        k ^= k & (bit - k)
        total += 1
    return total


@case((n(300),), (n(LARGEST),))
def digits(last):
    total, count = 0, 0
    for i in range(last - 9 if last > 300 else 0, last):
        k = i
        while k > 0:
            total += k % 10
            count -= 9999
            k //= 10
    return total, count


@case((n(40),), (n(1),))
def divisors(count):
    total = 0
    for i in range(count):
        for j in range(count):
            a, b = i, j
            while b:
                a, b = b, a % b
            total += a
    return total, math.gcd(12, 18)


@case((np.array([0, 1, 6, LARGEST, 2**62]), n(7)), (np.array([4181, 6765]), n(1)))
def squares(x, base):
    total = 0
    for i in range(len(x)):
        exponent, found, power = int(x[i]), 1, int(base)
        while exponent > 0:
            if exponent & 1:
                found = found * power % 1000003
            power = power * power % 1000003
            exponent //= 2
        total += found
    return total


@case((n(LARGEST), n(LARGEST - 8)), (n(2**62), n(2**61)))
def sums_that_leave(first, second):
    """The sum outgrows the machine in the midst of a loop of few turns."""
    total = 0
    for start in (first, second):
        k = int(start)
        while k > 0:
            total += k
            k //= 2
    return total


@case((np.array([0, 1, 5, LARGEST, -LARGEST - 1, -1, -6]),))
def of_signed_numbers(x):
    total = 0
    for i in range(len(x)):
        k = x[i]
        while k:
            k &= k - 1
            total += 1
    return total


@case((np.array([5, 0, -3, LARGEST]), n(1)), few=False)
def by_one(x, by):
    """It never ends where nothing else ends it."""
    total = 0
    for i in range(len(x)):
        k, turns = int(x[i]), 0
        while k and turns < 400:
            k >>= 1
            turns += 1
        j = 3
        while j > 0 and turns < 400:
            j //= by
            turns += 1
        total += turns
    return total


@case((n(40),), few=False)
def by_one_or_two(count):
    total = 0
    for i in range(count):
        k, turns = i, 0
        while k > 0 and turns < 400:
            k //= (i & 1) + 1
            turns += 1
        total += turns
    return total


@case((n(40),), few=False)
def that_goes_on_at_zero(count):
    total = 0
    for i in range(count):
        k, turns = i, 0
        while turns < 300:
            k &= k - 1
            turns += 1
        total += turns + k
    return total


@case((n(40),), few=False)
def of_which_others_are_taken(count):
    total = 0
    for i in range(count):
        k, turns = i, 0
        while k != 0:
            k &= i - turns
            turns += 1
        total += turns
    return total


@case((n(40),), few=False)
def of_one_remainder(count):
    """Each is less than the one before, but maybe by one alone."""
    total = 0
    for i in range(count):
        b = i
        while b > 0:
            b = (i + 9) % b
            total += 1
    return total


@case((np.array([12, 0, -12, 7]), np.array([18, 5, -18, -3])), few=False)
def of_any_sign(x, y):
    total = 0
    for i in range(len(x)):
        a, b = int(x[i]), int(y[i])
        while b:
            a, b = b, a % b
        total += a
    return total


@case((n(50),), few=False)
def less_by_the_other(count):
    """As many turns as one goes into the other."""
    total = 0
    for i in range(1, count):
        a, b = i, 1
        while a > 0:
            a, b = a - b, b
            total += 1
    return total


@case((n(60),), few=False)
def that_adds_what_it_halves(count):
    total = 0
    for i in range(count):
        k = i
        while k > 0:
            k = k // 2 + 1 if total % 3 else 0
            total += 1
    return total


@case((np.eye(30) * 1.01, n(5)), (np.ones((2, 2)), n(0)), few=False)
def powers_of_a_matrix(x, exponent):
    """Each turn may take long."""
    found, e = np.eye(len(x)), int(exponent)
    for _ in range(3):
        e = int(exponent)
        while e > 0:
            if e % 2 == 1:
                found = found @ x
            x = x @ x
            e //= 2
    return found


ROW = np.arange(80) * 7 % 80


@case((ROW, ROW[9:13].copy()), (ROW % 3, ROW[:4] % 3), (ROW[:2], ROW[:4]))
def a_word_in_a_text(x, word):
    found = 0
    for i in range(len(x) - 3):
        j = 0
        while j < 4 and x[i + j] == word[j]:
            j += 1
        found += j == 4
    return found


@case((ROW[:7] * 1,), (np.arange(7),), (np.array([0, 2, 4, 6, 1, 3, 5]),))
def queens_in_the_way(place):
    count = 0
    for row in range(7):
        for k in range(row):
            d = place[k] - place[row]
            if d == 0 or d == row - k or d == k - row:
                count += 1
                break
    return count


@case((ROW, n(4)), (ROW, n(78)), (ROW, n(-90)), (ROW, n(-80)))
def few_turns_of_which_one_raises(x, far):
    total = 0
    for i in range(30):
        for j in range(9):
            if x[i + j] == 77:
                break
            x[j] += 1
            total += x[far + j]
    return total, x


@case((np.arange(9) + 2**62, n(9)), (np.arange(9), n(9)))
def few_turns_that_leave(x, count):
    total = 0
    for i in range(count):
        for j in range(8, -1, -2):
            if x[j] == i:
                break
            total += x[j]
    return total


@case((ROW, n(99)), (ROW, n(9)), few=False)
def more_turns(x, limit):
    found = 0
    for i in range(40):
        for j in range(80):
            if x[j] > limit - i:
                found += j
                break
    return found


@case((ROW, n(50)), few=False)
def a_counter_that_may_stay(x, most):
    total = 0
    for i in range(20):
        j, turns = 0, 0
        while j < 4 and turns < most:
            if x[i + j] > turns:
                j += 1
            turns += 1
        total += turns
    return total


@case((ROW, n(50)), few=False)
def a_counter_that_begins_anew(x, most):
    total = 0
    for i in range(20):
        j, turns = 0, 0
        while j < 4 and turns < most:
            j = 0 if x[i + j] > turns else j + 1
            turns += 1
        total += turns
    return total


def loops_in(staged, given):
    functions = [one.function for one in loops_of(staged, given) if one.function]
    return [one for f in functions for one in f.body.walk() if one.op == "while"]


@pytest.mark.parametrize(("function", "arguments", "few"), CASES)
def test_loops_of_few_turns_do_what_python_does(function, arguments, few):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments)
        found = {one.type for one in loops_in(staged, arguments[0])}
    assert (FEW_TURNS in found) is few


def test_sums_of_few_turns_are_asked_once():
    with ag.config(backend="native"):
        staged = ag.function(digits)
        staged(n(300))
        loops = loops_in(staged, (n(300),))
    few = [one for one in loops if one.type == FEW_TURNS]
    looks = [any(inner.exit for inner in one.blocks[1].walk()) for one in few]
    assert looks == [False, True]


def test_turns_around_them_are_counted_and_looked_at_for_many_at_once():
    with ag.config(backend="native"):
        staged = ag.function(bits)
        staged(n(300))
        loops = loops_in(staged, (n(300),))
    (chunk,) = (one for one in loops if one.type == CHUNK)
    assert not any(one.op == "poll" for one in chunk.blocks[1].instructions)
    assert weight_of(chunk) > 16


def forever(first):
    i, total = int(first), 0
    while i > 0:
        a, b = i % 832040 + 514229, i % 1346269 + 832040
        while b > 0:
            a, b = b, a % b
        total += a & 1
        i += 1
    return total


@pytest.mark.parametrize("first", [1, 2**40])
def test_loop_around_them_is_interrupted_in_time(first):
    def stop(*_):
        raise KeyboardInterrupt

    with ag.config(backend="native"):
        staged = ag.function(forever)
        staged(n(0))
        before = signal.signal(signal.SIGALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            start = time.perf_counter()
            with pytest.raises(KeyboardInterrupt):
                staged(n(first))
            assert time.perf_counter() - start < 0.3 + 1
            found = {one.type for one in loops_in(staged, (n(first),))}
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert FEW_TURNS in found


def rows_less(x, count):
    for i in range(count):
        x[i] -= 2.0
    return x


@pytest.mark.with_passes
def test_few_turns_that_llvm_makes_no_vector_of_are_not_told_to_be_one(capfd):
    # Of a complex number less a real one half stays as it is.
    x = np.arange(12.0).reshape(3, 4) * (1 + 2j)
    with ag.config(backend="native"):
        agreeing(rows_less, [(x, n(3)), (x[::-1], n(2))])
    assert "not vectorized" not in capfd.readouterr().err
