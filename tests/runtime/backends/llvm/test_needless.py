"""Checks that nothing can fail are left out, and no other ones."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

WHOLE = np.arange(12.0)
LONG = np.arange(3_000.0)  # of which no loop is written out


def smooth(x):
    y = x.copy()
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def backwards(x, y):
    for i in range(x.shape[0] - 1, -1, -1):
        y[i] = x[i] * 2
    return y


def remainders(n):
    seed, total = 12345, 0
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        total += seed % 7 - i // 3
    return total


def quotients(n, x):
    total = 0
    for i in range(n):
        total += i // 3 + x % 7 - (i - 5) // 3
    return total


def shown(function, *arguments):
    return ag.function(function).get_concrete_function(*arguments).inspect("loops")


def count(text, *words):
    return [sum(word in line for line in text.splitlines()) for word in words]


@pytest.mark.parametrize("function", [smooth, backwards])
def test_an_index_that_counts_within_its_array_is_not_checked(function):
    arguments = (LONG,) if function is smooth else (LONG, LONG.copy())
    text = shown(function, *arguments)
    assert count(text, "leave_if", "select", "uge") == [0, 0, 0]
    assert count(text, "sadd", "ssub", "smul") == [0, 0, 0]
    loads, stores = count(text, "load", "store")
    assert loads == stores * (3 if function is smooth else 1)


def test_ints_that_stay_small_are_not_looked_at():
    text = shown(remainders, np.int64(5))
    # The sum alone may outgrow 64 bits.
    assert count(text, "smul", "sadd") == [0, 1]


def counts(x, first):
    k = m = 0
    large = 2**63 - 3 if first > 0 else 5
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            k += 1
        elif x[i] < 0.2:
            k -= 3
        m -= 1
        large += first
    return k, m, large


def from_afar(x):
    k, m = 2**63 - 5, -(2**63) + 4
    for i in range(x.shape[0]):
        k += 1
        m -= 3 if x[i] > 0.5 else 1
    return k, m


def test_what_counts_from_near_zero_on_never_outgrows_64_bits():
    x = np.random.default_rng(0).random(100)
    text = shown(counts, x, np.int64(1))
    # The one that begins as data say may.
    assert count(text, "sadd", "ssub") == [1, 0]
    with ag.config(backend="native"):
        agreeing(counts, [(x, np.int64(1)), (x, np.int64(0))])
        agreeing(from_afar, [(x,)])
    assert count(shown(from_afar, x), "sadd", "ssub")[0] >= 1


def test_what_has_been_computed_is_not_computed_again():
    def twice(x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * x[i]
        return total

    text = shown(twice, WHOLE, np.int64(3))
    # The loop is there twice, and without the test where `n` is no more than the size.
    assert count(text, "leave_if", "address") == [1, 2]


def test_what_a_test_in_the_loop_says_is_known_after_it():
    def within(x, n):
        total, i = 0.0, 0
        while i < n and i < 12:
            if i > 2:
                total += x[i - 2]
            i += 1
        return total

    text = shown(within, WHOLE, np.int64(3))
    assert count(text, "leave_if", "sadd", "ssub") == [0, 0, 0]


def test_what_is_known_of_the_first_turn_is_asked_where_a_loop_is_entered():
    staged = ag.function(smooth)
    with ag.config(backend="native"):
        staged(LONG)
        (loop,) = loops_of(staged, (LONG,))
        assert list(loop.function.asked.values()) == [(0, 2998)]
        # From the third turn on, and before the first, which no program does.
        done = loop.run(2, LONG.copy(), LONG)
        assert done is not None
        assert loop.run(-1, LONG.copy(), LONG) is None


CASES, case = cases()


@case((WHOLE[:5], 0), (WHOLE[:5], 5), (WHOLE[:5], 6), (WHOLE[:5], -1), (WHOLE[:0], 1))
def from_the_end(x, n):
    total = 0.0
    for i in range(int(n)):
        total += x[-i]
    return total


@case((WHOLE[:5].copy(), 4), (WHOLE[:5].copy(), 5), (WHOLE[:1].copy(), 2))
def outside_at_the_last_turn(x, n):
    for i in range(int(n)):
        x[i] = x[i] + x[i + 1]
    return x


@case((WHOLE[:5].copy(), 4), (WHOLE[:3].copy(), 9))
def outside_at_the_first_turn(x, n):
    for i in range(int(n)):
        x[i + 4] = i
    return x


@case((WHOLE[:6].copy(), 6), (WHOLE[:6].copy(), 12), (WHOLE[:0].copy(), 3))
def outside_in_the_middle(x, n):
    for i in range(-3, int(n)):
        x[i] += 1
    return x


@case((WHOLE[:7].copy(), 7), (WHOLE[:7].copy(), 8), (WHOLE[:7].copy(), 20))
def changed_variable(x, n):
    i = 0
    while i < int(n):
        x[i] = i
        if x[i] > 2:
            i += 2
        i += 1
        if i == 5:
            i -= 3
            x[0] = 0
            if x[2] < 0:
                i -= 9
            x[2] = -1
    return x


@case((np.ones((4, 4)), 4), (np.ones((4, 4)), 5), (np.ones((0, 0)), 0))
def triangle(x, n):
    for i in range(int(n)):
        for j in range(i):
            for k in range(j, i):
                x[i, j] += x[k, j] * x[i, k]
            x[j, i] = x[i, j - 1]
    return x


@case((3,), (62,), (63,), (64,))
def outgrown(n):
    total, step = 1, 1
    for _ in range(int(n)):
        total = total + step
        step = step * 2
    return total


@case((2**63 - 3, 2), (2**63 - 3, 5), (-(2**63) + 3, 2))
def outgrown_counter(first, n):
    i = int(first)
    found = 0
    for _ in range(int(n)):
        i += 1
        found = i - 2
    return i, found


@case((5, 3), (5, -3), (-5, 3), (-5, -3), (0, 4), (-1, 1))
def divided(a, b):
    found = []
    for i in range(-6, 7):
        found.append((i + int(a)) // int(b))
        found.append((i - int(a)) % int(b))
        found.append(i // 4)
        found.append(i % 4)
        found.append(i % -4)
    return found


@case((WHOLE, 3), (WHOLE, 12), (WHOLE, 14))
def down_past_the_first(x, n):
    i, total = 2, 0.0
    while i > -n:
        i -= 1
        total = total * 2 + x[i]
    return total


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_indices_and_ints(function, arguments):
    given = [
        tuple(np.int64(one) if isinstance(one, int) else one for one in each)
        for each in arguments
    ]
    with ag.config(backend="native"):
        agreeing(function, given)


@pytest.mark.parametrize(("start", "stop"), [(0, 9), (1, 10), (2, 11)])
def test_arrays_that_overlap(start, stop):
    def shifted(x, n):
        part = x[1:]
        for i in range(int(n)):
            part[i] = x[i] + x[i + 1]
        return x

    def other(x, y):
        for i in range(len(y) - 1):
            y[i] = x[i + 1] * 2 + x[i]

    agreeing(shifted, [(np.arange(11.0), np.int64(stop - start))])
    mine, plain = np.arange(12.0), np.arange(12.0)
    other(plain[:9], plain[start:stop])
    ag.function(other)(mine[:9], mine[start:stop])
    np.testing.assert_array_equal(mine, plain)


def test_divisions_of_what_is_not_negative_have_no_sign():
    given = np.int64(20), np.int64(-9)
    with ag.config(backend="native"):
        assert ag.function(quotients)(*given) == quotients(*given)
    text = shown(quotients, *given)
    assert count(text, "udiv", "sdiv", "urem", "srem") == [1, 1, 1, 2]


def moved_by_turns_within(x, y, n):
    s, j = 0.0, 0
    for _ in range(n):
        s += y[j]
        for k in range(n):
            if x[k] > 0.5:
                j += 1
    return s


@pytest.mark.parametrize("n", [1, 2, 3])
def test_an_index_that_loops_within_change_is_checked_in_each_turn(n):
    x, y = np.array([1.0, 1.0, 1.0]), np.arange(3.0)
    staged = ag.function(moved_by_turns_within)
    with ag.config(backend="native"):
        if n < 3:
            assert staged(x, y, np.int64(n)) == moved_by_turns_within(x, y, n)
            return
        with pytest.raises(IndexError, match="index 3 is out of bounds"):
            staged(x, y, np.int64(n))
