"""What a turn leaves where the next one reads is handed on, and is what memory has."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases

draw = np.random.default_rng(3)
FLOATS, INTS = draw.random(300), draw.integers(-50, 50, 300)
LARGE = np.full(300, 2**55)
GRID = draw.random((40, 45))
CASES, case = cases()


@case((FLOATS,), (INTS,), (FLOATS.astype("f4"),), (INTS.astype("i2"),), (FLOATS[:1],))
def sums_in_place(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


@case((LARGE, LARGE), (INTS, INTS))
def sums_that_outgrow_the_machine(x, y):
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]
    return y


@case((FLOATS,), (INTS,), (FLOATS[:2],), (FLOATS[:0],), (np.array([np.nan, 2.0, 1.0]),))
def neighbours_that_are_exchanged(x):
    for i in range(len(x)):
        for j in range(len(x) - 1 - i):
            if x[j] > x[j + 1]:
                t = x[j]
                x[j] = x[j + 1]
                x[j + 1] = t
    return x


@case((INTS.reshape(15, 20),), (INTS.reshape(300, 1),), (LARGE.reshape(15, 20),))
def cheapest_path(cost):
    n, m = cost.shape
    d = np.zeros((n, m), np.int64)
    d[0, 0] = cost[0, 0]
    for j in range(1, m):
        d[0, j] = d[0, j - 1] + cost[0, j]
    for i in range(1, n):
        d[i, 0] = d[i - 1, 0] + cost[i, 0]
        for j in range(1, m):
            d[i, j] = min(d[i - 1, j], d[i, j - 1]) + cost[i, j]
    return d


@case((FLOATS.reshape(15, 20),))
def a_square_and_its_neighbours(x):
    for i in range(1, len(x) - 1):
        for j in range(1, x.shape[1] - 1):
            x[i, j] = (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) / 4
    return x


@case((FLOATS,))
def that_is_written_twice(x):
    for i in range(1, len(x)):
        a = x[i - 1]
        x[i] = a * 0.5
        x[i] = x[i] + a
        if a > 0.5:
            x[i] -= 1.0
    return x


@case((FLOATS,), (INTS,))
def that_is_written_in_some_turns(x):
    for i in range(1, len(x)):
        a = x[i - 1]
        if a > 0:
            x[i] = a - 3
    return x


@case((FLOATS, FLOATS[::-1].copy()))
def beside_another_that_is_written(x, y):
    for i in range(1, len(x)):
        a = x[i - 1]
        x[i] = a * 0.5 + y[i]
        y[i] = a
    return x, y


@case((FLOATS,))
def two_turns_before(x):
    for i in range(2, len(x)):
        x[i] = x[i - 1] * 0.5 + x[i - 2] * 0.25
    return x


@case((FLOATS, 299), (FLOATS, 300), (FLOATS, 302), (FLOATS[:3], 9), (FLOATS, 0))
def outside_at_a_turn(x, n):
    for i in range(1, n):
        x[i] = x[i - 1] + x[i]
    return x


@case((GRID,), ((GRID * 99).astype(int),), (np.full((40, 45), 2**55),))
def few_turns(x):
    """So few that nothing looks at the clock within."""
    largest = x[0, 0]
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            new = (x[i + 1, j] + x[i - 1, j] + x[i, j + 1] + x[i, j - 1]) / 4 - x[i, j]
            x[i, j] = new
            if new > largest:
                largest = new
                x[i - 1, j] = new
    return x, largest


@case((GRID,), ((GRID * 99).astype(int),))
def relaxed(x):
    largest = 0.0
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            old = x[i, j]
            x[i, j] = (x[i + 1, j] + x[i - 1, j] + x[i, j + 1] + x[i, j - 1]) / 4
            largest = max(largest, abs(x[i, j] - old))
    return x, largest


@case((GRID, 42), (GRID, 46))
def few_turns_and_outside(x, n):
    for i in range(x.shape[0]):
        for j in range(1, min(n, 60)):
            x[i, j] += x[i, j - 1]
    return x


@case((FLOATS > 0.5,))
def truths(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] != x[i]
    return x


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_elements_are_what_they_are_in_python(function, arguments, layout):
    with ag.config(backend="native"):
        agreeing(function, arguments, LAYOUTS[layout])


def overlapping(x, y):
    for i in range(1, len(y)):
        y[i] = y[i - 1] * 0.5 + x[i]
    return y.copy()


def beside(x, y):
    for i in range(1, len(y)):
        a = y[i - 1]
        y[i] = a + 1.0
        x[i] = a * 0.5
    return y.copy()


def views():
    """Arrays that share memory, as a base and two parts."""
    for shift in (-2, -1, 0, 1, 2):
        base = FLOATS.copy()
        yield base, base[2 + shift : 290 + shift], base[2:290]
    base = FLOATS.copy()
    yield base, base, np.lib.stride_tricks.as_strided(base, (100,), (0,))
    yield base, base[::-1], base


@pytest.mark.parametrize("function", [overlapping, beside])
def test_arguments_that_share_memory_are_read_where_they_were_written(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for (one, *own), (other, *others) in zip(views(), views(), strict=True):
            assert function(*own).tobytes() == staged(*others).tobytes()
            assert one.tobytes() == other.tobytes()


def parts(base, shift):
    x, y = base[2 + shift : 290 + shift], base[2:290]
    for i in range(1, len(y)):
        a = y[i - 1]
        y[i] = a + 1.0
        x[i] = a * 0.5
    return base


def part_of_a_part(base, shift):
    x, y = base[2 + shift : 290 + shift], base[2:290]
    for i in range(1, len(y)):
        a = y[i - 1]
        if a > 0.5:
            y[i] = a - 0.25
        else:
            x[i] = a + 0.5
            y[i] = a * 1.5
            x[i] = a
    return base


@pytest.mark.parametrize("function", [parts, part_of_a_part])
def test_parts_of_an_array_are_read_where_they_were_written(function):
    with ag.config(backend="native"):
        agreeing(function, [(FLOATS, shift) for shift in (-2, -1, 0, 1, 2)])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(neighbours_that_are_exchanged, (FLOATS,)), (sums_in_place, (INTS,))],
)
def test_a_turn_reads_what_it_has_not_written_alone(function, arguments):
    text = ag.function(function).get_concrete_function(*arguments).inspect("loops")
    loops = text.split("; HotLoop")[-1].split("for turns(")
    if len(loops) == 1:
        loops = text.split("; HotLoop")[-1].split("while chunk(")
    before, *_ = loops[1].split("store ")
    assert before.count("load(") == 1


def test_of_few_turns_each_reads_what_it_has_not_written_alone():
    staged = ag.function(relaxed)
    text = staged.get_concrete_function(GRID).inspect("loops").split("; HotLoop")[1]
    before, *_ = text.split("while few(")[-1].split("store ")
    # Of five elements the one to the left is what the turn before has written.
    assert before.count("load(") == 4
