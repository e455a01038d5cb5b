"""Loops with a `try` in a turn, and ints that 64 bits do not hold."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases

CASES, case = cases()
n = np.int64
ROW = np.array([1.0, 0.0, -2.0, 0.5, 0.0, 1e308, -0.0, np.inf, np.nan, 3.0] * 9)


@case((n(20),), (n(300),), (n(700),))
def roots_of_large_ints(count):
    found, grown, kinds = 0.0, 1, [0, 0]
    for _ in range(count):
        grown *= -3
        try:
            found = found * 0.5 + math.sqrt(grown)
        except ValueError:
            kinds[0] += 1
        except OverflowError:
            kinds[1] += 1
    return found, kinds


@case((n(20),), (n(300),), (n(700),))
def roots_of_large_ints_below_0(count):
    grown, kinds = -1, 0
    for _ in range(count):
        grown *= 3
        try:
            math.sqrt(grown)
        except ValueError:
            kinds += 1
    return kinds


@case((n(20),), (n(300),), (n(700),))
def large_ints_by_no_float(count):
    """That an int is no float is found before what it is divided by."""
    found, grown, missed = 0.0, 1, 0
    for k in range(count):
        grown *= 3
        try:
            found = grown // ((k < 400) * 0.5)
        except ZeroDivisionError:
            missed += 1
    return found, missed


@case((ROW, n(20)), (ROW, n(50)))
def places_of_64_bits(x, count):
    """NumPy has no IndexError for those from 2**63 up to 2**64."""
    found, grown, missed = 0.0, 1, 0
    for _ in range(count):
        grown *= -3
        try:
            found += x[grown]
        except IndexError:
            missed += 1
    return found, missed


NO_PLACES = np.array([0, 1, 2**63, 5, 90, 2**64 - 1] * 9, np.uint64)


@case((ROW, np.minimum(NO_PLACES, 100)), (ROW, NO_PLACES))
def places_without_a_sign(x, places):
    found, missed = 0.0, 0
    for k in range(len(places)):
        try:
            found += x[places[k]]
        except IndexError:
            missed += 1
    return found, missed


@case((ROW, np.minimum(NO_PLACES, 100)), (ROW, NO_PLACES))
def stores_at_places_without_a_sign(x, places):
    missed = 0
    for k in range(len(places)):
        try:
            x[places[k]] = k
        except IndexError:
            missed += 1
    return missed


@pytest.mark.parametrize("backend", ["native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_is_caught_of_large_ints_is_what_python_raises(
    function, arguments, backend
):
    warnings.resetwarnings()
    with ag.config(backend=backend):
        staged = agreeing(function, arguments)
    names = {n.op.name for one in staged.concrete_functions for n in one.graph.walk()}
    assert "while" in names
    assert "try" not in names
