"""Of ints that turns read side by side each is looked at once."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

FAR = np.iinfo(np.int64).max


def three(x, z, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = x[i + 1] + 2 * x[i] + x[i - 1]
    return y


def two_rows(x, z, y):
    for i in range(2, x.shape[0] - 3):
        y[i] = x[i - 2] - x[i + 3] + z[i]
    return y


def far_apart(x, z, y):
    for i in range(x.shape[0] - 40):
        y[i] = x[i] + x[i + 40] + z[i + 39] + z[i + 1] + z[i + 15]
    return y


def backwards(x, z, y):
    n = x.shape[0]
    for i in range(2, n - 2):
        y[i] = x[n - i] + x[n - 1 - i] + z[i - 1] + z[i + 1]
    return y


def own_and_others(x, z, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = y[i] + x[i - 1] + x[i + 1]
    return y


def beside_its_own(x, z, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = y[i] + y[i + 1] + x[i]
    return y


def thousands(x, z, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = 1000 * x[i - 1] + 1000 * x[i] + 1000 * x[i + 1]
    return y


def read_once_more(x, z, y):
    for i in range(x.shape[0] - 1):
        y[i] = 16 * y[i] + x[i]
        y[i] = 16 * y[i] + y[i + 1]
    return y


def squares(x, z, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = x[i - 1] * x[i + 1] - z[i] * z[i + 1]
    return y


def above_and_below(x, z, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            s = x[i - 1, j - 1] + x[i - 1, j + 1] + x[i, j] - x[i + 1, j]
            if s > 1:
                y[i, j] = s + z[i, j - 1] + z[i, j]
    return y


LINES = (
    *(three, two_rows, far_apart, backwards),
    *(own_and_others, beside_its_own, read_once_more, squares),
)


def _drawn(shape, large, dtype="i8"):
    rng = np.random.default_rng(3)
    x, z, y = rng.integers(-9, 9, (3, *shape)).astype(dtype)
    for place, value in large.items():
        x[place] = np.iinfo(dtype).max // value
    return x, z, y


def told(function, *call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        function(*(one.copy() for one in call))
    return [(str(one.message), one.lineno) for one in found]


def parts(z):
    return thousands(z[:200], z, z[197:])


@pytest.mark.parametrize(
    ("function", "call"),
    [
        (read_once_more, (np.full(200, 5), np.zeros(1), np.full(200, 2**55))),
        (parts, (np.full(400, 2**49),)),
    ],
)
def test_what_turns_have_written_is_no_row_that_is_read(function, call):
    """What is read before all turns is small; what they write and read is not."""
    small = [one * 0 for one in call]
    with ag.config(backend="native"):
        staged = ag.function(function)
        for given in (small, call, call):
            assert told(staged, *given) == told(function, *given)


PLACES = [0, 1, 2, 3, 63, 64, 150, -1, -2, -3, -4]


@pytest.mark.parametrize("function", LINES)
@pytest.mark.parametrize("dtype", ["i8", "i4"])
@pytest.mark.parametrize("layout", ["own", "steps"])
def test_large_ones_are_found_wherever_they_lie(function, dtype, layout):
    with ag.config(backend="native"):
        calls = [_drawn((n,), {}, dtype) for n in (300, 106, 70, 41, 3)]
        calls += [_drawn((300,), {place: 1}, dtype) for place in PLACES]
        calls += [_drawn((300,), {place: 2}, dtype)[::-1] for place in PLACES[:3]]
        agreeing(function, calls, LAYOUTS[layout])


@pytest.mark.parametrize("place", [(0, 0), (0, -1), (5, 0), (5, 70), (-1, 1), (-1, -2)])
def test_rows_above_and_below_are_rows_of_their_own(place):
    with ag.config(backend="native"):
        calls = [_drawn((9, 140), large) for large in ({}, {place: 1}, {place: 3})]
        agreeing(above_and_below, calls)


def test_arrays_that_meet_are_changed_in_order():
    def part(z):
        three(z[1:-1], z, z[2:])
        return three(z[3:], z, z[:-3])

    with ag.config(backend="native"):
        agreeing(part, [(np.arange(400),), (np.arange(400)[::-1],)])


@pytest.mark.parametrize(
    ("function", "looks"),
    [
        (three, [1]),
        (beside_its_own, [1, 1]),
        (two_rows, [1, 1]),
        (far_apart, [3, 1]),
        (squares, [1, 1]),
    ],
)
def test_each_is_looked_at_once(function, looks):
    """The loops that look read one element for each row."""
    call = _drawn((300,), {})
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(*call)
        (loop,) = loops_of(staged, call)
    turns = [one for one in loop.lowered()[1].body.walk() if one.type == "turns"]
    words = [[inner.op for inner in one.blocks[0].walk()] for one in turns]
    found = [ops.count("load") for ops in words if "store" not in ops]
    assert sorted(found) == sorted(looks)
