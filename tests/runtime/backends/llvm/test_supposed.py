"""What holds of the first turn of a loop, and stays so, is known of all its turns."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases

LARGE, SMALL = 2**63 - 1, -(2**63)
CASES, case = cases()


@case((12, 18), (0, 0), (-12, 18), (12, -18), (SMALL, -1), (LARGE, 2), (-7, 0))
def divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def divisors(n):
    total = 0
    for i in range(1, int(n)):
        a, b = i, i // 3
        while b:
            a, b = b, a % b
        total += a
    return total


def runs(x):
    best, length = 1, 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            length += 1
            if length > best:
                best = length
        else:
            length = 1
    return best, length


BITS = np.array([1, 1, 0, 0, 0, 1, 0, 0])


@case((BITS, 1), (BITS, 0), (BITS, -5), (BITS, LARGE - 1), (BITS, LARGE), (BITS, SMALL))
def runs_that_begin_with_a_number(x, first):
    best, length = first, first
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            length += 1
            if length > best:
                best = length
        else:
            length = first
    return best, length


@case((BITS, LARGE - 1), (BITS, 3))
def runs_that_begin_far_away(x, other):
    far, length = LARGE - 1, 0
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            far += 1
        else:
            far = LARGE - 3
        length = far - other
    return far, length


@case((10, 3), (10, -3), (3, LARGE), (70, 1), (70, SMALL))
def what_is_not_negative_for_some_turns(n, step):
    k, found = 5, 0
    for _ in range(n):
        found += k % 7
        k = k * 2 - step
    return k, found


@case((6,), (200,))
def what_depends_on_what_is_supposed_of_another(n):
    a, b, c = 4, 3, 1
    for i in range(n):
        a, b, c = b + 1, c, i - 40 if i > 60 else a
    return a, b, c, a % 3, -b % 5


@case((0,), (5,), (64,), (65,), (130,))
def what_grows_beyond_the_machine(n):
    a, b = 1, 2
    for _ in range(n):
        a, b = b, a + b
    return a, b


@case((np.arange(4.0), 3), (np.arange(4.0), 4), (np.arange(4.0), 9))
def outside_at_a_turn(x, n):
    k, total = 0, 0.0
    for _ in range(n):
        total += x[k]
        x[k] = 9.0
        k = k + 1 if k < 2 else k * 2
    return total


@case((np.arange(5.0) % 3,), (-np.arange(5.0),), (np.array([1.0, np.nan, 2.0]),))
def place_of_the_largest(x):
    best = 0
    for i in range(1, len(x)):
        if x[i] > x[best]:
            best = i
    return best


@case((np.zeros(7, bool), np.arange(7.0)), (np.arange(7) % 3 > 0, -np.arange(7.0)))
def places_in_rounds(done, x):
    found = []
    for _ in range(len(x)):
        best = -1
        for i in range(len(x)):
            if not done[i] and (best < 0 or x[i] < x[best]):
                best = i
        done[best] = True
        found.append(best)
    return found, done


@case((np.arange(4.0), 4), (np.arange(4.0), 5), (np.arange(4.0), 9))
def a_place_that_moves_on(x, n):
    best, total = 0, 0.0
    for i in range(n):
        if x[best] < i:
            best = i if i % 2 else best + 2
        total += best
    return best, total


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_ints_of_loops_are_what_they_are_in_python(function, arguments):
    with ag.config(backend="native"):
        agreeing(function, arguments)


def words(function, *arguments):
    """How often the loops may leave, and how many rests are of ints with a sign."""
    staged = ag.function(function).get_concrete_function(*arguments)
    lines = staged.inspect("loops").splitlines()
    leaves = [line for line in lines if " exit " in line]
    return len(leaves), sum("srem" in line for line in lines)


def test_rests_of_what_stays_positive_are_not_looked_at():
    leaves, signed = words(divisors, np.int64(50))
    # The sum may outgrow 64 bits; the inner loop alone may be entered with any numbers.
    assert (leaves, signed) == (4, 1)


def test_a_count_that_begins_anew_never_outgrows_64_bits():
    assert words(runs, np.zeros(5_000, int)) == (0, 0)


def test_a_place_that_a_turn_may_find_is_not_compared_with_a_size():
    given = np.zeros(50, bool), np.zeros(50)
    staged = ag.function(places_in_rounds).get_concrete_function(*given)
    # Where nothing was found the last element is meant.
    assert "leave_if" not in staged.inspect("loops")
