"""`np.sort` and `np.argsort` in machine code: NumPy's own, without Python."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

TWICE = np.int64(2)


def best(x, count):
    found = np.sort(x)
    for _ in range(count):
        order = np.argsort(-x)[:4]
        found = np.sort(x) + np.sort(x * 0.5)
        x = x * 1.0 + order[0]
    return found, x


def stable(x, count):
    found = np.sort(x, kind="stable")
    for _ in range(count):
        found = np.sort(x * 1.5, kind="stable") + np.argsort(x, kind="stable")
    return found, x


def along(axis, kind):
    def turns(x, count):
        found, order = np.sort(x, axis, kind), np.argsort(x, axis, kind)
        for _ in range(count):
            found = found + np.sort(x, axis, kind)
            order = order + np.argsort(x, axis, kind)
        return found, order

    return turns


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [(None, "f8"), ("stable", "f4"), ("heapsort", "i4"), (None, "?")],
)
def test_each_is_numpys_along_any_axis(kind, dtype):
    layouts = LAYOUTS if dtype == "f8" else {"own": np.array}
    rng = np.random.default_rng(0)
    for shape, axes in {
        (40,): (-1, None),
        (3, 4): (0, 1),
        (2, 3, 5): (0, 1, -1),
    }.items():
        x = rng.integers(0, 9, shape).astype(dtype)
        if dtype[0] == "f":
            x[rng.random(shape) < 0.2] = np.nan
        for axis in axes:
            for layout in layouts.values():
                with ag.config(backend="native"):
                    staged = agreeing(along(axis, kind), [(x, TWICE)], layout)
                    given = layout(x), TWICE
                    text = staged.get_concrete_function(*given).inspect("loops")
                assert "argsort" in text
                assert "python" not in text


def test_what_is_computed_is_sorted_and_arrays_are_let_go_of():
    with ag.config(backend="native"):
        staged = agreeing(best, [(np.random.default_rng(0).random(50), TWICE)])
        text = staged.get_concrete_function(np.ones(50), TWICE).inspect("loops")
    assert "while" in text
    assert "python" not in text


def test_nothing_is_said_of_numbers_that_are_none():
    x = np.array([np.nan, 1.0, np.nan, -1.0, 2.0] * 20)
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for function in (best, stable):
            staged = ag.function(function)
            for given in (x, x[::-1].copy()):
                found, wanted = staged(given, TWICE), function(given, TWICE)
                assert np.array_equal(found, wanted, equal_nan=True)
