"""Ints that turns compute of what they read, in vectors where all of that is small."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.stretches import LOOKED_AT
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

SIZES = [3, 63, 64, 300, 4_100]


def added(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i] + y[i]
    return y


def scaled(x, y, k):
    for i in range(x.shape[0]):
        y[i] = 3 * x[i] - x[i] * k + 1
    return y


def smoothed(x, y, k):
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) // 4
    return y


def chosen(x, y, k):
    for i in range(x.shape[0]):
        if x[i] > y[i]:
            y[i] = x[i] - y[i]
        else:
            y[i] = x[i] + k
    return y


def some(x, y, k):
    for i in range(x.shape[0]):
        s = x[i] + x[i]
        if s > 40:
            y[i] = s * 3
    return y


def four_times(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i] + x[i] + x[i] + x[i]
    return y


def moved_up(x, y, k):
    for i in range(x.shape[0] - 1):
        y[i + 1] = y[i] + x[i]
    return y


def moved_down(x, y, k):
    for i in range(x.shape[0] - 1):
        y[i] = y[i + 1] + x[i]
    return y


def written_first(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i]
        y[i] = y[i] + k
    return y


PROGRAMS = (
    *(added, scaled, smoothed, chosen, some, four_times),
    *(moved_up, moved_down, written_first),
)
program = pytest.mark.parametrize("function", PROGRAMS)
by_dtype = pytest.mark.parametrize("dtype", ["i8", "i4"])


def _drawn(size, dtype, far=()):
    """Small ints, but for some that come near the ends of the dtype."""
    rng = np.random.default_rng(size)
    x, y = rng.integers(-50, 50, (2, size)).astype(dtype)
    for place in far:
        ends = np.iinfo(dtype)
        x[place % size] = rng.choice([ends.max, ends.min + 1, ends.max // 2])
    return x, y


@program
@by_dtype
@pytest.mark.parametrize("far", [(), (70, 4_098)], ids=["small", "large"])
def test_it_is_what_python_computes(function, dtype, far):
    k = np.dtype(dtype).type(5)
    with ag.config(backend="native"):
        calls = [(*_drawn(size, dtype, far), k) for size in SIZES]
        agreeing(function, calls)


@pytest.mark.parametrize("function", [scaled, smoothed, some])
@pytest.mark.parametrize("layout", [LAYOUTS["steps"], lambda x: x[::-1]])
def test_it_is_so_however_arrays_lie(function, layout):
    with ag.config(backend="native"):
        calls = [(*_drawn(300, "i8", (99,)), np.int64(9))]
        agreeing(function, calls, layout)


def between_rows(x, count):
    for _ in range(count):
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                x[i, j] = x[i - 1, j] + x[i + 1, j] - x[i, j]
    return x


def life(x, count):
    for _ in range(count):
        y = np.zeros(x.shape, np.int64)
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                s = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
                if s == 3 or (s == 2 and x[i, j] == 1):
                    y[i, j] = 1
        x = y
    return x


@pytest.mark.parametrize("function", [between_rows, life])
@pytest.mark.parametrize("far", [None, (3, 70), (8, 199)])
def test_rows_of_one_array_are_read_and_written(function, far):
    x = np.random.default_rng(2).integers(0, 2, (9, 200))
    if far is not None:
        x[far] = np.iinfo(np.int64).max
    with ag.config(backend="native"):
        agreeing(function, [(x, np.int64(3))])


def _parts(z, k):
    return added(z[2:], z[:-2], k)


def test_parts_that_overlap_are_read_as_they_become():
    z = np.arange(400)
    with ag.config(backend="native"):
        agreeing(_parts, [(z, np.int64(1)), (z[::-1], np.int64(1))])


@pytest.mark.parametrize("function", [added, scaled, smoothed, chosen, some])
def test_turns_are_in_vectors(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        call = (*_drawn(300, "i8"), np.int64(5))
        staged(*call)
        (loop,) = loops_of(staged, call)
    inside = [*loop.lowered()[1].body.walk()]
    assert LOOKED_AT in {one.args[1] for one in inside if one.op == "smin"}
    found = [one for one in inside if one.type == "turns"]
    assert len(found) == 2
    for one in found:
        assert not any(inner.exit for block in one.blocks for inner in block.walk())


def _told(function, *call):
    return _told_of(function, *(one.copy() for one in call))


@program
@by_dtype
@pytest.mark.parametrize("far", ["read", "half", "third", "beside", "outside"])
def test_what_outgrows_its_dtype_is_told_in_its_turn(function, dtype, far):
    most = np.iinfo(dtype).max
    x, y = _drawn(300, dtype)
    k = np.dtype(dtype).type(5)
    if far == "outside":
        k = np.dtype(dtype).type(most)
    elif far == "beside":
        y[222] = most
    else:
        x[200:203] = {"read": most, "half": most // 2 + 1, "third": most // 3}[far]
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            assert _told(staged, x, y, k) == _told(function, x, y, k)


def doubled(x, y, n):
    for i in range(n):
        y[i] = x[i] + x[i]
    return y


def test_what_a_turn_before_has_written_outgrows_its_dtype():
    # Each turn reads what another one, 70 before it, has doubled.
    with ag.config(backend="native"):
        staged = ag.function(doubled)
        for _ in range(3):
            mine, own = np.ones(5_000, np.int64), np.ones(5_000, np.int64)
            told = _told_of(staged, mine[:-70], mine[70:], 4_930)
            assert told == _told_of(doubled, own[:-70], own[70:], 4_930)
            assert told
            np.testing.assert_array_equal(mine, own)


def _told_of(function, *call):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(*call)
    return [(str(one.message), one.lineno) for one in told]
