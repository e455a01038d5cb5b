"""Comparisons with NaN, of which NumPy says nothing, nor does machine code."""

import operator
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import orders

# LLVM's passes are what makes vectors of comparisons.
pytestmark = pytest.mark.with_passes

ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)
DTYPES = ("float32", "float64")


def warned(function, *arguments):
    """What it gives, and what it warns of."""
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        found = function(*arguments)
    return found, [str(one.message) for one in shown]


def with_nan(dtype):
    """Two arrays, each with NaN somewhere, long enough for vectors."""
    x = np.linspace(-1, 1, 101, dtype=dtype)
    y = x[::-1].copy()
    x[[3, 50]], y[[7, 50, 100]] = np.nan, np.nan
    return x, y


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_nan_that_is_compared_in_vectors_is_no_reason_to_warn(order, dtype):
    def chosen(x, y):
        return np.where(order(x, y), x - y, y) * 2

    def beside_a_row(x, y):
        return np.where(order(x[:, None], y), y - 1, x[:, None]) * 2

    def with_a_number(x, y):
        return np.where(order(x, 0.25), x * 3, y) + 1

    x, y = with_nan(dtype)
    with ag.config(backend="native"):
        for function in (chosen, beside_a_row, with_a_number):
            found, told = warned(ag.function(function), x, y)
            assert told == []
            np.testing.assert_array_equal(found, function(x, y))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_nan_that_is_compared_in_a_loop_is_no_reason_to_warn(order, dtype):
    def by_index(x, y):
        total = x[0] * 0
        for n in range(len(x)):
            if order(x[n], y[n]):
                total = total + x[n]
        return total

    x, y = with_nan(dtype)
    with ag.config(backend="native"):
        found, told = warned(ag.function(by_index), x, y)
        assert told == []
        assert found == by_index(x, y)


def test_what_is_computed_beside_a_comparison_is_warned_of_as_before():
    @ag.function
    def chosen(x, y):
        return np.where(x > y, x - y, 0.0) * 2

    x, y = with_nan("float64")
    x[9] = y[9] = np.inf
    with ag.config(backend="native"):
        _, told = warned(chosen, x, y)
    assert told == ["invalid value encountered in subtract"]


def test_operands_of_an_instruction_may_have_commas_in_brackets():
    given = "<2 x double> %a, splat (double 1.0)"
    assert orders.operands("%a, %b, !prof !0") == ["%a", "%b"]
    assert orders.operands("<double 1.0, double 2.0>, %b") == [
        "<double 1.0, double 2.0>",
        "%b",
    ]
    text = f"  %c = fcmp nnan olt {given}\n  %d = fcmp une {given}"
    assert orders.unnoted(text).split("\n")[:2] == [
        "  %c = call <2 x i1> @llvm.experimental.constrained.fcmp.v2f64("
        "<2 x double> %a, <2 x double> splat (double 1.0), "
        'metadata !"olt", metadata !"fpexcept.maytrap")',
        f"  %d = fcmp une {given}",
    ]
