"""Ints of 8 and 16 bits, and without signs, that turns compute and store."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

SIZES = [3, 63, 64, 300, 4_100]
DTYPES = ["i1", "u1", "i2", "u4", "i8", "u8"]


def added(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] + y[i]
    return y


def subtracted(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] - y[i]
    return y


def scaled(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * 3 - y[i] * x[i]
    return y


def halves(x, y):
    for i in range(1, x.shape[0]):
        y[i] = (x[i - 1] >> 1) + (x[i] >> 1)
    return y


def moved_up(x, y):
    for i in range(x.shape[0] - 1):
        y[i + 1] = y[i] + x[i]
    return y


def moved_down(x, y):
    for i in range(x.shape[0] - 1):
        y[i] = y[i + 1] + x[i]
    return y


def some(x, y):
    for i in range(x.shape[0]):
        s = x[i] + x[i]
        if s > 5:
            y[i] = s
    return y


def written_first(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i]
        y[i] = y[i] + x[i]
    return y


PROGRAMS = (
    *(added, subtracted, scaled, halves),
    *(moved_up, moved_down, some, written_first),
)


def _drawn(size, dtype, far=()):
    """Ints of which nothing outgrows the dtype, but for some at the ends of it."""
    rng = np.random.default_rng(size)
    x, y = rng.integers(5, 8, size), rng.integers(0, 3, size)
    x, y = x.astype(dtype), y.astype(dtype)
    ends = np.iinfo(dtype)
    for place in far:
        x[place % size] = (ends.max, ends.min, ends.max // 2 + 1)[rng.integers(3)]
        y[place % size] = (ends.max, 1)[rng.integers(2)]
    return x, y


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_it_is_what_python_computes(function, dtype):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for size in SIZES:
            for far in ((), (70, 4_098)):
                given = _drawn(size, dtype, far)
                assert _told(staged, *given) == _told(function, *given)


@pytest.mark.parametrize("layout", [LAYOUTS["steps"], lambda x: x[::-1]])
@pytest.mark.parametrize("dtype", ["u1", "i2"])
def test_it_is_so_however_arrays_lie(dtype, layout):
    with ag.config(backend="native"):
        calls = [_drawn(300, dtype), _drawn(300, dtype, (99,))]
        for function in (added, scaled):
            agreeing(function, calls, layout)


def multiplied(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * y[i]
    return y


def _pairs(function, least, most):
    """Two ints each, what becomes of which just fits, or just does not."""
    half = most // 2
    if function is added:
        pairs = [(most, 0), (most - 1, 1), (least, 0), (most, 1), (half + 1, half + 1)]
        return [*pairs, (least, -1)] if least else pairs
    if function is subtracted:
        pairs = [(least, 0), (most, most), (most, 0), (least, 1)]
        return [*pairs, (-1, least), (0, least)] if least else [*pairs, (1, 2)]
    pairs = [(half, 2), (most, 1), (half + 1, 2), (most, most)]
    return [*pairs, (least, 1), (least, -1)] if least else pairs


@pytest.mark.parametrize("function", [added, subtracted, multiplied])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_what_just_outgrows_its_dtype_is_found(function, dtype):
    ends = np.iinfo(dtype)
    with ag.config(backend="native"):
        staged = ag.function(function)
        for a, b in _pairs(function, int(ends.min), int(ends.max)):
            x, y = np.ones(70, dtype), np.ones(70, dtype)
            x[66], y[66] = a, b
            assert _told(staged, x, y) == _told(function, x, y)


def _told(function, x, y):
    """What it gives, and what it warns of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        given = function(x.copy(), y.copy())
    return given.tolist(), [str(one.message) for one in told]


@pytest.mark.parametrize("function", [added, subtracted, scaled])
@pytest.mark.parametrize("dtype", ["u1", "i2", "u4"])
def test_such_turns_are_written_without_a_way_out(function, dtype):
    with ag.config(backend="native"):
        given = _drawn(300, dtype)
        staged = agreeing(function, [given])
        (loop,) = loops_of(staged, given)
    text = str(loop.function)
    assert "for turns" in text


def same_memory(x, k):
    y, z = x[1:], x[:-1]
    for i in range(y.shape[0]):
        y[i] = z[i] + k
    return x


def test_what_is_read_of_the_same_memory_is_as_python_has_it():
    with ag.config(backend="native"):
        agreeing(same_memory, [(np.zeros(200, "i2"), np.int16(3))])
