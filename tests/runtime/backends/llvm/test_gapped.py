"""Reductions of parts of arrays, which have gaps: NumPy's order, without Python."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.copied import COPIED
from tests.runtime.backends.llvm.compiling import loops_of

TWICE = np.int64(2)
NAMES = ["sum", "mean", "prod", "max", "min", "any", "all"]
CUBE = (slice(None), slice(1, 3), slice(0, 3))
# The shape of an array, a part of it, and the axes that are reduced.
CASES = [
    ((4, 5), (slice(1, 3), slice(1, 4)), None),
    ((4, 40), (slice(1, 4), slice(1, 38)), None),
    ((4, 5), (slice(None), slice(1, 4)), 0),
    ((4, 5), (slice(None), slice(1, 4)), 1),
    ((4, 5), (slice(None), slice(2, 3)), None),
    ((4, 5), (slice(None), slice(2, 3)), 0),
    ((4, 8), (slice(None), slice(None, None, 2)), None),
    ((4, 8), (slice(None), slice(None, None, 2)), 1),
    ((3, 4, 5), CUBE, (0, 1)),
    ((3, 4, 5), CUBE, 1),
    ((3, 4, 5), CUBE, (1, 2)),
    ((3, 4, 5), CUBE, 2),
    ((2, 4, 5, 3), (slice(None), slice(0, 2), slice(2, 4)), (1, 2)),
    ((2, 4, 5, 20), (slice(None), slice(0, 2), slice(2, 4)), (1, 2)),
]
# More elements than are copied, which Python adds up.
LARGE = ((40, 40), (slice(2, 33), slice(1, 30)), None)


def filled(shape, dtype, rng):
    """Numbers, zeros of both signs, and such among NaNs."""
    if np.dtype(dtype).kind in "iu?":
        yield rng.integers(0, 100, shape).astype(dtype)
        return
    x = rng.standard_normal(shape) * 10.0 ** rng.integers(-8, 8, shape)
    yield x.astype(dtype)
    yield rng.choice([-0.0, 0.0, -1.0], shape).astype(dtype)
    yield rng.choice([-0.0, 0.0, np.nan, np.inf, 1.0], shape).astype(dtype)


def reduced(name, part, axis, keepdims):
    function = getattr(np, name)

    def turns(x, count):
        y = function(x[part], axis=axis, keepdims=keepdims)
        for _ in range(count):
            y = function(x[part], axis=axis, keepdims=keepdims)
        return y

    return turns


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "D", "?"])
@pytest.mark.parametrize("name", NAMES)
def test_parts_are_reduced_as_numpy_does(name, dtype):
    rng = np.random.default_rng(5)
    # To compile all takes long; of each name and dtype these are others.
    for number in range((NAMES.index(name) + len(dtype)) % 3, len(CASES), 3):
        shape, part, axis = CASES[number]
        function = reduced(name, part, axis, number % 2 == 0)
        with ag.config(backend="native"), np.errstate(all="ignore"):
            staged = ag.function(function)
            for at, x in enumerate(filled(shape, dtype, rng)):
                # Axes in another order than C's are Python's.
                given = np.asfortranarray(x) if at == 1 else x
                found, wanted = staged(given, TWICE), function(given, TWICE)
                assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()
                assert np.shape(found) == np.shape(wanted)


def test_what_is_too_large_to_be_copied_is_added_up_by_python():
    shape, part, axis = LARGE
    function = reduced("sum", part, axis, False)
    x = np.random.default_rng(7).random(shape)
    with ag.config(backend="native"):
        staged = ag.function(function)
        assert staged(x, TWICE) == function(x, TWICE)
        (loop,) = loops_of(staged, (x, TWICE))
    assert "python" in str(loop.function)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_python_is_not_called_for_parts(number):
    shape, part, axis = CASES[number]
    x = np.random.default_rng(1).random(shape)

    def turns(x, y, count):
        for k in range(count):
            y = y + np.sum((x * (k + 1))[part], axis=axis)
        return y

    given = x, np.zeros_like(np.sum(x[part], axis=axis)), TWICE
    with ag.config(backend="native"):
        staged = ag.function(turns)
        assert np.array_equal(staged(*given), turns(*given))
        (loop,) = loops_of(staged, given)
    assert "python" not in str(loop.function)


def windows(x, high, wide):
    sums = np.zeros((len(x) - high, x.shape[1] - wide), x.dtype)
    means = np.zeros_like(sums)
    for i in range(len(x) - high):
        for j in range(x.shape[1] - wide):
            sums[i, j] = x[i : i + high, j : j + wide].sum()
            means[i, j] = np.mean(x[i : i + high, j : j + wide])
    return sums, means


@pytest.mark.parametrize("dtype", ["f8", "f4", "D"])
def test_sums_of_windows_have_numpys_bits(dtype):
    x = np.random.default_rng(2).random((40, 40)).astype(dtype)
    with ag.config(backend="native"):
        staged = ag.function(windows)
        # Of one row, of one column, of more than are copied at once, and of nothing.
        for high, wide in ((3, 9), (1, 9), (9, 1), (16, 32), (19, 27), (38, 38)):
            given = x, np.int64(high), np.int64(wide)
            found, wanted = staged(*given), windows(*given)
            for one, other in zip(found, wanted, strict=True):
                assert one.tobytes() == other.tobytes(), (high, wide)


@pytest.mark.parametrize("part", ["x", "x[::-1]", "x[:, ::-1]", "x.T", "x[::2, ::3]"])
def test_sums_of_windows_of_parts_have_numpys_bits(part):
    x = eval(part, {"x": np.random.default_rng(3).random((30, 30))})
    given = x, np.int64(3), np.int64(7)
    with ag.config(backend="native"):
        found = ag.function(windows)(*given)
    for one, other in zip(found, windows(*given), strict=True):
        assert one.tobytes() == other.tobytes()


def spreads(x, high, wide):
    found = np.zeros((3, len(x) - high, x.shape[1] - wide))
    for i in range(len(x) - high):
        for j in range(x.shape[1] - wide):
            window = x[i : i + high, j : j + wide]
            found[:, i, j] = window.std(), np.var(window, ddof=1), np.ptp(window)
    return found


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1"])
def test_spreads_of_windows_have_numpys_bits(dtype):
    x = (np.random.default_rng(4).random((32, 40)) * 100).astype(dtype)
    with ag.config(backend="native"):
        staged = ag.function(spreads)
        for part in (x, x[::2, ::2], x[:, ::-1], x.T):
            for high, wide in ((3, 3), (1, 9), (9, 1), (15, 18)):
                given = part, np.int64(high), np.int64(wide)
                assert staged(*given).tobytes() == spreads(*given).tobytes()
        given = x, np.int64(3), np.int64(3)
        texts = [str(loop.function) for loop in loops_of(staged, given)]
    # There is a place for the copy.
    assert any(str(COPIED * x.itemsize) in text for text in texts)


def test_the_sum_of_a_window_without_rows_is_zero():
    def empty(x, n):
        total = 1.0
        for i in range(n):
            total += x[n:n, i:].sum() + x[i:, n:n].sum()
        return total

    with ag.config(backend="native"):
        assert ag.function(empty)(np.ones((4, 4)), np.int64(4)) == 1.0


@pytest.mark.parametrize("dtype", ["i8", "u1", "f8", "?"])
@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean"])
def test_no_rows_at_all_have_numpys_result(name, dtype):
    function = getattr(np, name)

    def turns(x, first, count):
        for _ in range(count):
            found = function(x[first:, 1:])
        return found

    x = np.ones((12, 9), dtype)
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a mean of nothing
        staged = ag.function(turns)
        for first in (0, 2, 12, 30):
            given = x[::2, ::2], np.int64(first), TWICE
            found, wanted = staged(*given), turns(*given)
            assert found.tobytes() == wanted.tobytes()
