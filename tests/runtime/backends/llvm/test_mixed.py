"""Numbers of several kinds in one name, in machine code."""

from contextlib import nullcontext

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm import random_kinds
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64


@case((n(5),), (n(0),))
def a_sum_that_begins_as_an_int(count):
    total = 0
    for k in range(count):
        total += k * 0.5
    return total


@case((n(7),), (n(1),), (n(0),))
def a_list_of_ints_that_takes_floats(count):
    sums = [0] * 3
    for k in range(count):
        sums[k % 3] += k * 0.5
    return sums


@case((n(9),), (n(0),))
def the_largest(count):
    best = 0
    for k in range(count):
        x = (k * 7 % 11 - 4) * 0.5
        if x > best:
            best = x
        elif k % 4 == 3:
            best = k
    return best


@case((n(9),), (n(4),), (n(2),))
def ints_and_floats_and_bools(count):
    x, seen = False, []
    for k in range(count):
        seen.append(x)
        if k % 3 == 0:
            x = k * 0.25
        elif k % 3 == 1:
            x = k - 1
        else:
            x = x < 3
    return seen, x


@case((n(4), n(3)), (n(4), n(2)), (n(1), n(0)))
def a_division_of_either(count, zero):
    x, found = 6, []
    for k in range(6):
        found.append(7 // (x if k < count else k - zero))
        x = x / 2 if k % 2 else x // 2 + 1
    return found, x


@case((n(40),))
def an_int_that_outgrows_64_bits(count):
    x, found = 1, 0.5
    for k in range(count):
        x = x * 12345
        if x > 10**9:
            found, x = x, x * 0.5
        if x > 1e30:
            x = k
    return x, found


@case((n(6), 2.0), (n(6), -3.0), (n(3), 0.0))
def roots(count, first):
    """A root is a float, until it is of a number below zero."""
    xs, total = [first], 0.0
    for k in range(count):
        d = (xs[k] * xs[k] + xs[0]) ** 0.5
        total = d * 0.5 + total
        xs.append(d - 1.0 if k % 2 else total)
    return xs, total


@case((np.array([4.0, 2.25, 0.0, 9.0]),), (np.array([4.0, -2.25, 1.0]),))
def lengths(x):
    found, last = [], 1.0
    for k in range(len(x)):
        last = float(x[k]) ** 0.5 + last
        found.append(last)
    return found


@case((n(5),))
def numpys_and_pythons(count):
    x = 1
    y = np.float64(2.0)
    for k in range(count):
        x, y = (y, x) if k % 2 else (x, y * 1.5)
        x = x + k
    return x, y


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_kinds_are_what_python_makes_them(function, arguments):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        agreeing(function, arguments)


ONLY = [a_sum_that_begins_as_an_int, a_list_of_ints_that_takes_floats, the_largest]


@pytest.mark.parametrize("function", ONLY)
def test_nothing_is_left_to_python(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(n(7))
        (loop,) = loops_of(staged, (n(7),))
    assert "python" not in [one.op for one in loop.function.body.walk()]


def test_of_a_float_that_may_be_complex_one_branch_is_left():
    with ag.config(backend="native"):
        staged = ag.function(roots)
        staged(n(3), 2.0)
        made = [loop.function for loop in loops_of(staged, (n(3), 2.0))]
    # A root by the C library, or ours, which has its bits.
    assert "pow" in str(made[-1])
    assert "python" not in str(made[-1])


def test_a_complex_number_that_becomes_numpys_stays_in_machine_code():
    def turned(x, w, count):
        z = 1.0 + 0j
        for k in range(count):
            x[k] = x[k] * z
            z = z * w
        return x, z

    x, w = np.arange(9) * 1j, np.complex128(0.6 + 0.8j)
    with ag.config(backend="native"):
        staged = agreeing(turned, [(x, w, n(k)) for k in (9, 1, 0)])
    loops = staged.inspect("loops")
    assert "while" in loops
    assert "python step" not in loops


# By data one of an array's numbers, or one of Python's.
def a_clipped_difference(x, z, y):
    for k in range(len(x)):
        v = x[k] - z[k]
        y[k] = v if v > 3 else 3
    return y


def a_sum_of_what_is_above(x, z, y):
    total = 0
    for k in range(len(x)):
        total += max(x[k], 0)
        y[k] = min(x[k], 5)
    return total, y


def a_largest_part(x, z, y):
    best = now = 0
    for k in range(len(x)):
        now = max(0, now + x[k])
        best = max(best, now)
    return best


def what_is_computed_of_either(x, z, y):
    last = found = 0
    for k in range(len(x)):
        if x[k] > z[k]:
            last = x[k]
        elif k % 3 == 0:
            last = k
        found = last * 2 - z[k] // 3
        y[k] = last + 1
    return last, found, y


OF_EITHER = [
    *(a_clipped_difference, a_sum_of_what_is_above, a_largest_part),
    what_is_computed_of_either,
]


def numbers_of(dtype, seed, size=60):
    draw = np.random.default_rng(seed)
    return [draw.integers(-9, 12, size).astype(dtype) for _ in range(3)]


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("function", OF_EITHER)
def test_a_number_of_an_array_or_of_python_is_what_python_makes_it(function, dtype):
    given = [numbers_of(dtype, 0), numbers_of(dtype, 1), numbers_of(dtype, 2, 0)]
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, given)
    calls = [loop.lowered()[0].calls for loop in loops_of(staged, given[0])]
    assert calls[:1] == [0]


@pytest.mark.parametrize("last", [1.0, 9.0])
def test_an_operation_that_one_kind_does_not_have_raises_where_that_comes(last):
    def last_bits(x):
        a = found = 1
        for k in range(len(x)):
            found = a & 6
            if x[k] > 5:
                a = x[k]
            else:
                a = k
        return found

    x = np.ones(60)
    x[40] = last
    with ag.config(backend="native"):
        agreeing(last_bits, [(x,)])


@pytest.mark.parametrize("far", [2**31, -(2**40)])
def test_a_python_int_that_is_none_of_the_arrays_dtype_is_refused_as_by_numpy(far):
    def filled(x, y, far):
        for k in range(len(x)):
            y[k] = x[k] if x[k] > 0 else far
        return y

    def plain(staged, last):
        x = np.ones(9, np.int32)
        x[-1] = last
        y = np.zeros(9, np.int32)
        with pytest.raises(OverflowError) if last < 0 else nullcontext():
            staged(x, y, far)
        return y.tolist()

    with ag.config(backend="native"):
        staged = ag.function(filled)
        for last in (1, -1, -1):
            assert plain(staged, last) == plain(filled, last)


def test_random_programs_of_either_are_what_python_makes_them():
    found = {seed: random_kinds.tried(seed) for seed in range(5)}
    assert not any(found.values()), found
