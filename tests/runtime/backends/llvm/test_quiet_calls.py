"""NumPy's functions of elements that are called with numbers, in machine code."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, loops_of


def sizes(x, y):
    total = x[0]
    for k in range(len(x)):
        y[k] = np.abs(x[k])
        total = max(total, np.absolute(x[k] - y[k]))
    return total, y


def signs(x, y):
    for k in range(len(x)):
        y[k] = np.negative(x[k]) if np.less(x[k], y[k]) else np.positive(x[k])
    return y


def comparisons(x, y):
    found = []
    for k in range(len(x)):
        found.append(np.greater_equal(x[k], 1) + 2 * np.equal(x[k], y[k]))
        found.append(np.not_equal(x[k], y[k]) + 2 * np.greater(y[k], x[k]))
        found.append(np.less_equal(x[k], y[k]) + 0)
    return found


SMALL = ["int8", "int64", "uint8", "float32", "float64"]


def numbers_of(dtype, seed):
    draw = np.random.default_rng(seed)
    low = 0 if dtype == "uint8" else -9
    x, y = (draw.integers(low, 9, 70).astype(dtype) for _ in range(2))
    if dtype.startswith("float"):
        x[:6] = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf]
    else:
        x[0] = np.iinfo(dtype).min  # whose size has no place
    return x, y


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("function", [sizes, signs, comparisons])
def test_they_give_what_numpy_gives_and_warn_of_as_much(function, dtype):
    with ag.config(backend="native"):
        agreeing(function, [numbers_of(dtype, seed) for seed in (0, 1)])


@pytest.mark.parametrize("function", [sizes, signs])
def test_none_is_a_call_of_python(function):
    given = [np.arange(70) * 0.5, np.ones(70)]
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(*given)
        (loop,) = loops_of(staged, given)
    assert loop.lowered()[0].calls == 0
