"""Loops with a `try` that stays one, or that asks about ints of any size."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, cases

CASES, case = cases()
n = np.int64


def len_of(numbers):
    """What a test of these ints is called."""
    each = numbers if isinstance(numbers, tuple) else (numbers,)
    return "-".join(str(one.bit_length()) for one in each)


ROW = np.array([1.0, 0.0, -2.0, 0.5, 0.0, 1e308, -0.0, np.inf, np.nan, 3.0] * 9)


class Special(ValueError):
    """One of the user's own, which notes how many there were."""

    made = 0

    def __init__(self, *args):
        super().__init__(*args)
        Special.made += 1


@case((ROW,))
def raised_by_the_users_own_class(x):
    found = 0
    for k in range(len(x)):
        try:
            if x[k] > 1:
                raise Special(k)
            found += 1
        except ValueError:
            found -= 3
    return found


@case((ROW,))
def the_exception_itself(x):
    found = 0
    for k in range(len(x)):
        try:
            found += int(1 / float(x[k]) * 1e-300)
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            found += len(str(error)) + isinstance(error, ArithmeticError)
    return found


@case((ROW,))
def raised_again(x):
    found = 0.0
    for k in range(len(x)):
        try:
            found += 1 / float(x[k])
        except ZeroDivisionError as error:
            if k > 20:
                raise ValueError(k) from error
            found += 1
    return found


@case((ROW,))
def another_raised(x):
    found = 0.0
    for k in range(len(x)):
        try:
            found += 1 / float(x[k])
        except ZeroDivisionError:
            if k > 20:
                raise ValueError("zero", k)
            found += 1
    return found


@case((ROW,))
def at_last(x):
    found, ends = 0.0, 0
    for k in range(len(x)):
        try:
            found += 1 / float(x[k])
        except ZeroDivisionError:
            found += 1
        finally:
            ends += 1
    return found, ends


@case((ROW,))
def all_that_comes(x):
    found = 0.0
    for k in range(len(x)):
        try:
            found += 1 / float(x[k])
        except:  # noqa: E722 - what is tried
            found += 1
    return found


@case((ROW,), (np.zeros(9),))
def divided_by_one_of_two_kinds(x):
    found, divisor = 0.0, 0.0
    for k in range(len(x)):
        divisor = x[k] if k % 3 else float(x[k])
        try:
            found = found * 0.5 + min(1.5 / divisor, 3.0)
        except ZeroDivisionError:
            found -= k
    return found


@case((ROW.tolist(),))
def pops(x):
    found = 0.0
    for _ in range(len(x) + 3):
        try:
            found = found * 0.5 + x.pop()
        except IndexError:
            found -= 1
    return found


@pytest.mark.parametrize("backend", ["native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_try_that_stays_is_pythons(function, arguments, backend):
    warnings.resetwarnings()
    with ag.config(backend=backend):
        agreeing(function, arguments)


def of_large_ints(x, y, count):
    found, missed = 0.0, 0
    for k in range(count):
        try:
            found = found * 0.5 + x / y + x * 0.5 + (x + k) // 2.0
        except OverflowError:
            missed += 1
        x, y = x * x % 7**400 + 2**1000, y * 3 % 1000
    return found, missed


def a_large_quotient(x, count):
    missed = 0
    for k in range(count):
        try:
            x % 2.5
        except OverflowError:
            missed += k
        x = x * x % 7**400 + 2**1000
    return missed


def a_sum_that_numpy_may_refuse(x, count):
    found, missed = 0.0, 0
    for k in range(count):
        try:
            found += x[k]
        except FloatingPointError:
            missed += k
            found *= 0.5
    return found, missed


def test_a_sum_that_numpy_refuses_is_caught():
    given = np.full(40, 1e307), n(40)
    with ag.config(backend="native"):
        staged = ag.function(a_sum_that_numpy_may_refuse)
        for told in ("raise", "ignore"):
            with np.errstate(over=told):
                expected = observe(a_sum_that_numpy_may_refuse, given)
                found = disagreement(expected, observe(staged, given))
            assert found is None, found.sentence


def test_exceptions_of_the_users_are_made_as_often_as_python_makes_them():
    staged, counts = ag.function(raised_by_the_users_own_class), []
    staged(ROW)
    for called in (raised_by_the_users_own_class, staged, staged):
        Special.made = 0
        called(ROW)
        counts.append(Special.made)
    assert counts == [counts[0]] * 3


@pytest.mark.parametrize("first", [2**1030, 3, -(2**1030)], ids=len_of)
def test_an_int_that_is_no_float_has_no_rest(first):
    with ag.config(backend="native"):
        staged = ag.function(a_large_quotient)
        for count in (0, 1, 2, 30):
            found = observe(a_large_quotient, (first, n(count)))
            assert disagreement(found, observe(staged, (first, n(count)))) is None


@pytest.mark.parametrize(
    "first", [(3, 5), (2**1030, 1), (2**1030, 2**1020), (5, 0)], ids=len_of
)
def test_ints_that_are_no_floats_are_told_apart(first):
    with ag.config(backend="native"):
        staged = ag.function(of_large_ints)
        for count in (0, 1, 2, 40):
            given = (*first, n(count))
            found = observe(of_large_ints, given), observe(staged, given)
            assert disagreement(*found) is None, given
