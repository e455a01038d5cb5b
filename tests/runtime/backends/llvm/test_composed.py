"""NumPy's functions of small arrays within loops, without Python: its bits, its order.

What is made of operations of elements, of views, of parts laid out otherwise, of
numbers that count on, and of one row: each in several layouts and of several dtypes.
"""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, loops_of

THRICE = np.int64(3)
ODD = [-0.0, 0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 2.5, 1e308, 0.25]
ROWS, a_row = cases(dtypes="f8 i8")
TABLES, a_table = cases(dtypes="f8 f4")
ORDERS = {
    "own": np.array,
    "back": lambda x: np.array(x[::-1])[::-1],
}


def filled(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "f8":
        return rng.choice(ODD, shape)
    if dtype == "?":
        return rng.random(shape) < 0.5
    return rng.integers(-9, 9, shape).astype(dtype)


def is_numpys(function, given, layout):
    """The same value, bit by bit, in the same order, and no call of Python."""
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, [given], layout)
        own = [layout(one) if isinstance(one, np.ndarray) else one for one in given]
        found, wanted = staged(*own), function(*own)
        loops = loops_of(staged, own)
    assert loops
    # A sum of what lies backwards is Python's.
    calls = any("python" in str(loop.function) for loop in loops)
    assert calls is (function is average)
    assert found.tobytes() == wanted.tobytes()
    if found.size > 1:
        assert found.strides == wanted.strides


def run_of(function):
    """The function of each turn's number, and of its array."""

    def turns(x, count):
        found = function(x, 0)
        for turn in range(count):
            found = function(x, turn)
        return found

    return turns


@a_row()
def clipped(x, turn):
    return np.clip(x, -1, 1 + turn)


@a_row(dtypes="f8")
def clipped_on_the_way(x, turn):
    return np.clip(x * 0.5, -0.0, 0.25) + turn


@a_row(dtypes="f8 f4 ? D")
def differences(x, turn):
    return np.diff(x)


@a_row()
def squares_of_differences(x, turn):
    return np.sum(np.diff(x) * np.diff(x))


@a_row(dtypes="f8 f4 ? D")
def products_of_all(x, turn):
    return np.outer(x, x[:3])


@a_row()
def products_in_a_row(x, turn):
    return np.kron(x, x[1:4])


@a_row()
def product_of_vectors(x, turn):
    return np.cross(x[:3], x[2:5])


@a_row()
def the_other_way_round(x, turn):
    return np.flip(x) * 2


@a_row(dtypes="f8 f4 i8 D")
def sums_so_far(x, turn):
    return np.cumsum(x)


@a_row(dtypes="f8 f4")
def sums_of_no_sign(x, turn):
    return np.cumsum(x * 0.0 * -1.0)


@a_row()
def rolled_back(x, turn):
    return np.roll(x, -2)


@a_row()
def products_so_far(x, turn):
    return np.cumprod(x)


@a_row(dtypes="f8 f4 ? D")
def rolled(x, turn):
    return np.roll(x, turn - 1)


@a_row()
def repeated(x, turn):
    return np.repeat(x, turn + 2)


@a_row()
def laid_side_by_side(x, turn):
    return np.tile(x, (2, turn + 2))


@a_row(dtypes="f8 f4 ? D")
def rows_of_a_table(x, turn):
    return np.vstack((x, x))


@a_row()
def columns_of_a_table(x, turn):
    return np.stack((x, x, x), axis=1)


@a_row()
def written_as_a_table(x, turn):
    return np.array([x, [x[0], turn, 2, 3, 4, 5, 6, 7, 8]])


@a_row(dtypes="f8")
def between_two(x, turn):
    return np.linspace(x[0], turn, 5) + np.linspace(turn, x[1], 4, endpoint=False)[0]


@a_row()
def counted(x, turn):
    return np.arange(turn + 3) + x[0]


@a_row()
def counted_between(x, turn):
    return np.arange(-turn, 7, 3) + np.arange(4, -4, -3)


@a_row()
def ones_on_a_diagonal(x, turn):
    return np.eye(3, 4, k=1) * turn - np.eye(turn + 3, 4)[:3]


@a_row(
    dtypes="f8 f4 ? D",
)
def stacked_columns(x, turn):
    return np.column_stack((x, x))


@a_table(dtypes="f8 i4 D")
def differences_of_rows(x, turn):
    return np.diff(x, axis=0)


@a_table()
def products_of_vectors(x, turn):
    return np.cross(x[:, :3], x[0, :3])


@a_table(dtypes="f8 f4 i4 D")
def diagonals(x, turn):
    return np.diag(x) + np.diag(x, 1)[0] - np.diag(x, -1)[0]


@a_table()
def sum_of_a_diagonal(x, turn):
    return np.trace(x) + np.trace(x, offset=-1)


@a_table(dtypes="f8 i4 D")
def upper(x, turn):
    return np.triu(x, 1)


@a_table(dtypes="f8 i4 D")
def lower(x, turn):
    return np.tril(x)


@a_table()
def rows_in_turn(x, turn):
    return np.roll(x, turn, axis=0)


@a_table()
def each_row_twice(x, turn):
    return np.repeat(x, 2, axis=0)


@a_table()
def tiles(x, turn):
    return np.tile(x, (1, 2))


@a_table()
def sums_down(x, turn):
    return np.cumsum(x, axis=0)


@a_table()
def sums_along(x, turn):
    return np.cumsum(x, axis=1)


@a_table()
def tables_side_by_side(x, turn):
    return np.stack((x, x), axis=2)


@a_table()
def flipped_along(x, turn):
    return np.flip(x, axis=1) * 2


@pytest.mark.parametrize(("function", "_", "dtypes"), ROWS)
def test_of_rows_as_numpy_makes_it(function, _, dtypes):
    for dtype in dtypes.split():
        x = filled(9, dtype)
        for layout in ORDERS.values() if dtype == "f8" else (np.array,):
            is_numpys(run_of(function), (x, THRICE), layout)


@pytest.mark.parametrize(("function", "_", "dtypes"), TABLES)
def test_of_tables_as_numpy_makes_it(function, _, dtypes):
    for dtype in dtypes.split():
        x = filled((4, 3), dtype)
        # What lies in another order is Python's from the first turn on.
        for layout in (np.array, LAYOUTS["F"]) if dtype == "f8" else (np.array,):
            is_numpys(run_of(function), (x, THRICE), layout)


# --- one number of a row ----------------------------------------------------------
def spread(x, count):
    found = np.std(x)
    for _ in range(count):
        found = np.std(x) + x.var(ddof=1) + np.std(x * 0.5)
    return found


def average(x, count):
    found = np.mean(x)
    for _ in range(count):
        found = np.mean(x) + np.sum(x) - x.max() * x.min()
    return found


def area(x, count):
    found = np.trapezoid(x)
    for _ in range(count):
        found = np.trapezoid(x) + np.trapezoid(x, x * x) - np.trapezoid(x, dx=0.1)
    return found


def extent(x, count):
    found = np.ptp(x)
    for _ in range(count):
        found = np.ptp(x)
    return found


@pytest.mark.parametrize("function", [spread, extent, average, area])
@pytest.mark.parametrize("size", [2, 7, 8, 41, 300])
def test_numbers_of_rows(function, size):
    rng = np.random.default_rng(size)
    for dtype in ("f8", "f4", "i8"):
        x = (rng.normal(size=size) * 100).astype(dtype)
        for layout in ORDERS.values():
            is_numpys(function, (x, THRICE), layout)
    x = rng.choice(ODD, size)
    is_numpys(function, (x, THRICE), np.array)


# --- where Python is asked --------------------------------------------------------
def left(x, low, shift, count):
    total = 0.0
    for turn in range(count):
        total = total + np.sum(np.clip(x, low, 1.0)) + np.sum(np.roll(x, shift))
        total = total + np.sum((x / low).astype(int)) + np.sum((x * 1e19).astype(int))
        total = total + np.sum(np.repeat(x, turn)) + np.sum(np.arange(turn - 2))
    return total


@pytest.mark.parametrize("low", [np.float64(0.25), np.float64(np.nan)])
@pytest.mark.parametrize("size", [0, 5])
def test_what_is_rare_is_pythons(low, size):
    x = np.linspace(-1.0, 1.0, size)
    with ag.config(backend="native"):
        agreeing(left, [(x, low, np.int64(-7), THRICE)])


def of_a_view(x, count):
    found = np.flip(x)
    for _ in range(count):
        found = np.flip(found)
        x[0] += 1
    return found, x


def test_a_view_that_a_loop_gives_is_still_one():
    with ag.config(backend="native"):
        agreeing(of_a_view, [(np.arange(4.0), THRICE)])


def warned_of(x, count):
    total = x * 0
    for _ in range(count):
        total = total + np.cumsum(x) + np.diff(x)[0]
    return total


def test_numpy_warns_in_its_words_in_the_end():
    x = np.array([1e308, 1e308, -1e308])
    with ag.config(backend="native"):
        staged = ag.function(warned_of)
        for _ in range(12):
            with pytest.warns(RuntimeWarning, match="encountered in"):
                staged(x, THRICE)


def narrowed(x, count):
    total = np.int32(0)
    for turn in range(count):
        y = (x + turn).astype(np.int32)
        total = total + y[2]
    return total, y


@pytest.mark.parametrize("large", [2.0**30, 2.0**31, -(2.0**33), np.nan])
def test_what_is_no_int_of_a_dtype_is_cast_by_numpy(large):
    given = np.array([1.5, -2.5, large, 4.0]), THRICE
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(narrowed, [given])
        (loop,) = loops_of(staged, given)
    assert "fptosi" in str(loop.function)


@pytest.mark.parametrize("function", [spread, area])
def test_what_lies_backwards_is_added_in_numpys_order(function):
    rows = np.random.default_rng(5).random((40, 41)) ** 9
    with ag.config(backend="native"):
        staged = ag.function(function)
        for row in rows:
            given = row[::-1]
            assert staged(given, THRICE) == function(given, THRICE)


def sums_put_into_parts(x, y, count, more):
    for turn in range(count):
        size = turn % 3 + 1
        np.cumsum(x[:size], out=y[: size + more])


@pytest.mark.parametrize("more", [0, 1])
def test_an_out_is_as_large_as_what_is_put_there(more):
    given = [(np.arange(4.0), np.zeros(4), np.int64(5), np.int64(m)) for m in (0, more)]
    with ag.config(backend="native"):
        staged = agreeing(sums_put_into_parts, given)
        (loop,) = loops_of(staged, given[0])
    assert not loop.refused
    assert "python" not in {one.op for one in loop.lowered()[1].body.walk()}
