"""Loops that take the lowest bit until none is left count bits, as Python does."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

n = np.int64
LARGEST = 2**63 - 1
CASES, case = cases(counts=True)


@case((n(0),), (n(1),), (n(5000),))
def of_all_numbers(count):
    total = 0
    for i in range(count):
        k = i
        while k:
            k &= k - 1
            total += 1
    return total


ENDS = np.array([0, 1, 7, LARGEST, -1, -LARGEST - 1, 2**62] * 200)


@case((ENDS, n(0)))
def of_positive_ones(x, total):
    left = 0
    for i in range(len(x)):
        k, bits = int(x[i]), 0
        while k > 0:
            bits += 1
            k = (k - 1) & k
        left += k % 1000
        total += bits
    return total, left


@case((np.array([0, 255, LARGEST]), 0), (ENDS[:4], LARGEST - 2))
def of_those_that_may_be_negative(x, total):
    for i in range(len(x)):
        k = int(x[i])
        while k:
            k &= k - 1
            total += 1
    return total


@case((n(100), 0), (n(100), LARGEST - 4), (n(9), LARGEST))
def that_outgrow_the_machine(count, total):
    total = int(total)
    for i in range(count):
        k = i * i
        while k:
            k &= k - 1
            total += 1
    return total


@case((np.zeros(300, int),), counts=False)
def that_do_something_beside(x):
    total = 0
    for i in range(len(x)):
        k = i
        while k:
            k &= k - 1
            total += 1
            x[i] = k - 7
    return total


@case((np.arange(300).astype("u8"),), counts=False)
def of_ints_without_signs(x):
    total = 0
    for i in range(len(x)):
        k = x[i]
        while k:
            k &= k - np.uint64(1)
            total += 1
    return total


@case((n(300),), counts=False)
def of_the_two_lowest(count):
    total = 0
    for i in range(count):
        k = i
        while k > 0:
            k &= k - 2 if k % 2 == 0 else k - 1
            total += 1
    return total


@case((ENDS, n(0)))
def of_those_that_are_not_zero(x, total):
    """A negative one has no last bit: it wraps round before it is zero."""
    for i in range(len(x)):
        k = x[i]
        while k:
            k &= k - 1
            total += 1
    return total


@case((n(300),), counts=False)
def that_keep_the_highest(count):
    total = 0
    for i in range(count):
        k, last = i, 0
        while k:
            last, k = k, k & (k - 1)
            total += 1
        total += last
    return total


@case((n(300),), counts=False)
def by_two(count):
    total = 0
    for i in range(count):
        k = i
        while k:
            k &= k - 1
            total += 2
    return total


@case((n(300),), counts=False)
def and_more(count):
    total, product = 0, 1
    for i in range(count):
        k = i
        while k:
            k &= k - 1
            total += 1
            product = product * 3 % 1009
    return total, product


@pytest.mark.parametrize(("function", "arguments", "counts"), CASES)
def test_bits_are_counted(function, arguments, counts):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments)
        loops = [one for one in loops_of(staged, arguments[0]) if one.function]
    words = {one.op for loop in loops for one in loop.function.body.walk()}
    assert ("ctpop" in words) is counts


def told(function, *call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        return function(*call), [(str(one.message), one.lineno) for one in found]


def test_a_negative_int_that_wraps_round_says_so():
    x = np.array([-1, 3, -(2**40)] * 30)
    with ag.config(backend="native"):
        staged = ag.function(of_those_that_are_not_zero)
        staged(abs(x), n(0))
        expected = told(of_those_that_are_not_zero, x[:2], n(0))
        assert told(staged, x[:2], n(0)) == expected
    assert expected[1]


def numpys(count, total):
    for i in range(count):
        k = i
        while k:
            k &= k - 1
            total += n(1)
    return total


@pytest.mark.parametrize("first", [0, LARGEST, LARGEST - 3, LARGEST - 90])
def test_numpys_ints_wrap_round_and_warn(first):
    with ag.config(backend="native"):
        staged = ag.function(numpys)
        for count in (90, 200):
            call = n(count), n(first)
            assert told(staged, *call) == told(numpys, *call)


def test_all_numbers_are_counted_in_vectors():
    with ag.config(backend="native"):
        staged = ag.function(of_all_numbers)
        staged(n(5000))
        concrete = staged.get_concrete_function(n(5000))
        assert "x i64> @llvm.ctpop." in concrete.inspect("llvm")
