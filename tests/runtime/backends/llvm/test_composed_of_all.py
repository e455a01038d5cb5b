"""Small arrays: what NumPy makes of all of several dims, and of differences."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases
from tests.runtime.backends.llvm.test_composed import (
    ORDERS,
    THRICE,
    filled,
    is_numpys,
    run_of,
)

ROWS, a_row = cases(dtypes="f8")
TABLES, a_table = cases(dtypes="f8")


@a_row(dtypes="f8 f4 i8")
def clipped_between_rows(x, turn):
    return np.clip(x, x[::-1], np.abs(x)) + np.clip(x, -1, x * x)


@a_row(dtypes="f8 ? D")
def differences_of_differences(x, turn):
    return np.diff(x, 2)


@a_row(dtypes="i8 ? u1")
def means_of_ints(x, turn):
    return np.mean(x) + x.mean()


@a_table(dtypes="f8 i4 D")
def differences_three_times(x, turn):
    return np.diff(x, 3, axis=0)


@a_table(dtypes="f8 f4 i4")
def sums_of_all_so_far(x, turn):
    return np.cumsum(x) * np.cumprod(x)


@a_table()
def spread_of_all(x, turn):
    return np.std(x * 0.5) + np.var(x * 2) - np.ptp(x * (turn + 1))


@a_table(dtypes="i4 ?")
def means_of_columns_of_ints(x, turn):
    return np.mean(x, axis=0) * np.mean(x)


@pytest.mark.parametrize(("function", "_", "dtypes"), ROWS)
def test_of_rows_as_numpy_makes_it(function, _, dtypes):
    for dtype in dtypes.split():
        for layout in ORDERS.values() if dtype == "f8" else (np.array,):
            is_numpys(run_of(function), (filled(9, dtype), THRICE), layout)


@pytest.mark.parametrize(("function", "_", "dtypes"), TABLES)
def test_of_tables_as_numpy_makes_it(function, _, dtypes):
    for dtype in dtypes.split():
        for layout in (np.array, LAYOUTS["F"]) if dtype == "f8" else (np.array,):
            is_numpys(run_of(function), (filled((5, 3), dtype), THRICE), layout)


def spread_as_it_lies(x, count):
    found = np.std(x)
    for _ in range(count):
        found = np.std(x) - np.ptp(x)
    return found


@pytest.mark.parametrize("layout", ["own", "F", "steps"])
def test_the_spread_of_a_part_is_numpys(layout):
    x = np.random.default_rng(6).random((40, 41)) ** 9
    with ag.config(backend="native"):
        staged = ag.function(spread_as_it_lies)
        for part in (x, x[1:, 3:], x[::-1], x[:, ::-2]):
            given = LAYOUTS[layout](part), THRICE
            assert staged(*given) == spread_as_it_lies(*given)


def clipped(x, low, high, count):
    found = np.clip(x, low, high)
    for _ in range(count):
        found = np.clip(x, low, high)
    return found


@pytest.mark.parametrize("shape", [(4,), (2, 3), (3, 1), (1, 3)])
@pytest.mark.parametrize("is_repeated", [True, False])
def test_bounds_that_are_the_same_for_a_row_are_numpys(shape, is_repeated):
    x, zero, one = np.zeros(shape), np.float64(-0.0), np.float64(1.0)
    low, high = (np.broadcast_to(bound, shape) for bound in (zero, one))
    if not is_repeated:
        low, high = low.copy(), high.copy()
    with ag.config(backend="native"):
        staged, given = ag.function(clipped), (x, low, high, THRICE)
        for _ in range(3):
            assert staged(*given).tobytes() == clipped(*given).tobytes()


def many_ints(x, count):
    total = 0.0
    for _ in range(count):
        total = total + np.mean(x) + np.mean(x[1:])
    return total


@pytest.mark.parametrize("size", [1, 8192, 8193, 20_000])
def test_the_mean_of_many_ints_is_numpys(size):
    x = np.random.default_rng(size).integers(-(2**62), 2**62, size)
    x = np.concatenate([x, x[:1]])
    with ag.config(backend="native"):
        staged = ag.function(many_ints)
        for count in range(3):
            given = x, np.int64(count)
            assert staged(*given) == many_ints(*given)


def differences_of_few(x, count):
    found = np.diff(x, 2)
    for _ in range(count):
        found = np.diff(x, 2)
    return found


def test_numpy_warns_of_differences_that_nothing_is_made_of():
    with ag.config(backend="native"):
        staged = ag.function(differences_of_few)
        for _ in range(12):
            with pytest.warns(RuntimeWarning, match="invalid value encountered"):
                staged(np.array([np.inf, np.inf]), THRICE)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "?"])
def test_an_out_of_another_dtype_is_numpys(dtype):
    def turns(x, y, n, count):
        for turn in range(count):
            np.clip(x[:n], 0.5, 1.5, out=y)
            y[0] += turn
        return y

    x, y = np.arange(4.0), np.zeros(4, dtype)
    given = [(x, y, np.int64(4), np.int64(3)), (x, y, np.int64(3), np.int64(3))]
    with ag.config(backend="native"):
        agreeing(turns, given)
