"""Short rows of which a loop of NumPy's is given several at once: the same bits."""

import re

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases

CASES, case = cases()
n = np.int64
rng = np.random.default_rng(3)
# 512 elements are a band: 33 rows of 16 are one and a row, 100 are some.
TALL = [rng.standard_normal((rows, 16)).astype("f4") for rows in (33, 100, 0)]
row16 = TALL[0][0]
column = rng.standard_normal((33, 1)).astype("f4")
x7 = rng.standard_normal((200, 7))
odd = x7.copy()
odd[::3, 2], odd[1::5, 3], odd[7, :] = np.nan, -np.inf, -0.0


@case(*((x, row16, n(2)) for x in TALL), (x7, x7[0], n(2)), (odd, odd[7], n(2)))
def bias_and_activation(x, bias, count):
    for _ in range(count):
        x = np.tanh(x * 0.5 + bias)
    return x


@case((TALL[0], row16, column, n(2)), (x7, x7[3], x7[:, 2:3], n(2)))
def loops_of_loops_and_of_one_column(x, bias, column, count):
    for _ in range(count):
        y = np.exp(np.minimum(x, bias)) + np.sin(column) * np.maximum(x, 0.5)
        x = np.where(column > 0, np.log(y), np.cos(bias) * x)
    return x


@case((x7, x7[1], n(2)))
def into_a_part(x, bias, count):
    x = x.copy()
    for _ in range(count):
        x[1:] = np.tanh(x[:-1] + bias)
        x[:, 1:4] = np.cos(x[:, 2:5]) - bias[1:4]
    return x


@case((rng.standard_normal((3, 70, 11)), x7[0, :1], n(2)))
def more_dims(x, one, count):
    for _ in range(count):
        x = np.cbrt(x + x[:, :1] * one)
    return x


@case((rng.integers(-9, 9, (90, 5)).astype("i2"), n(2)))
def other_dtypes(x, count):
    y = np.maximum(x[0] * 0.5, x)
    for _ in range(count):
        y = np.sin(y + x[1]) * (np.maximum(x, x[2]) > 1)
    return y


@pytest.mark.parametrize("layout", [np.array, LAYOUTS["steps"]], ids=["own", "steps"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_bands(function, arguments, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        agreeing(function, arguments, layout)


def lengths_of(function, *arguments):
    """How many elements NumPy's loops are given, as loop IR says it."""
    with ag.config(backend="native"):
        concrete = ag.function(function).get_concrete_function(*arguments)
        return re.findall(r"numpys arctan_\w+\((\w+),", concrete.inspect("loops"))


def test_a_loop_of_numpys_has_several_short_rows_and_one_long_row():
    def layer(x, bias):
        return np.arctan(x * 2 + bias)

    assert set(lengths_of(layer, np.ones((32, 16)), np.ones(16))) == {"512"}
    assert set(lengths_of(layer, np.ones((32, 400)), np.ones(400))) == {"400"}
    assert "16" not in lengths_of(layer, np.ones((900, 16)), np.ones(16))
