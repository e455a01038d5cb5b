"""Indices of arrays of any size are compared with it before a loop, once."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.told import told
from tests.runtime.backends.llvm.compiling import cases

CASES, case = cases()
n = np.int64


def numbers(*shape):
    return np.random.default_rng(0).random(shape)


def arrays(*sizes):
    return tuple(numbers(size) for size in sizes)


@case(arrays(40, 40), arrays(1, 1), arrays(0, 0), arrays(2, 2), arrays(9, 4))
def a_stencil(x, y):
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


@case(arrays(40, 40), arrays(3, 3), arrays(0, 1), arrays(4, 3), arrays(3, 4))
def the_other_way_round(x, y):
    size = len(x)
    for i in range(size):
        y[i] = x[size - 1 - i] * 2.0
    return y


@case(*((*arrays(9, 9), n(k)) for k in (0, 3, 9, 10, -1, -9, 2**62, 2**63 - 1)))
def some_places_before(x, y, far):
    for i in range(len(x)):
        y[i] = x[i - far] + 1.0
    return y


@case(*((*arrays(9, 9), n(k)) for k in (0, 1, 9, 10, 2**31, -3)))
def a_count_of_its_own(x, y, count):
    for i in range(count):
        y[i] = x[i] * 2.0
    return y


@case(
    *((numbers(12), n(k), n(m)) for k, m in ((3, 4), (4, 3), (4, 4), (3, -1), (0, 0)))
)
def rows_of_one_array(x, rows, size):
    for i in range(rows):
        total = 0.0
        for j in range(size):
            total += x[i * size + j]
            x[i * size + j] = total
    return x


@case(*((*arrays(18, 9), n(k)) for k in (0, 1, 2, 3, -2, 2**31, 2**61)))
def each_of_some(x, y, step):
    for i in range(len(y)):
        y[i] = x[i * step]
    return y


@case(*((numbers(*shape), numbers(6, 5)) for shape in ((6, 5), (7, 6), (3, 3), (0, 4))))
def neighbours_of_rows(u, f):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] - f[i, j]
    return u


@case(arrays(9, 9), arrays(9, 10), arrays(9, 8), arrays(1, 0))
def places_that_data_tell(x, y):
    for i in range(len(x)):
        if x[i] > 0.5:
            y[i + 1] = x[i]
        else:
            y[i] = x[i - 1]
    return y


@case(
    (numbers(9), numbers(9), np.arange(9) - 4),
    (numbers(8), numbers(7), np.arange(7) - 8),
    (numbers(6), numbers(7), np.arange(8) - 6),
    (numbers(3), numbers(9), np.array([0, -3, 3])),
)
def places_that_are_read(x, y, places):
    for i in range(len(places)):
        y[i] = x[places[i]] + 1.0
    return y


@case(
    *((numbers(9), n(k)) for k in (0, 8, 9, -1, -9, -10, 2**62)),
    (numbers(0), n(0)),
    (numbers(1), n(0)),
    (numbers(1), n(1)),
)
def the_place_of_the_largest(x, first):
    best = first
    for i in range(1, len(x)):
        if x[i] > x[best]:
            best = i
    return best


@case(*((*arrays(9, size), n(k)) for size in (9, 7, 12) for k in (0, 3, 8, -1, 11)))
def two_places_that_are_kept(x, y, first):
    low = high = first
    for i in range(len(x)):
        if y[low] > x[i]:
            low = i + 1
        if x[high] < x[i]:
            high = low
        y[low] += 1.0
    return low, high


@case(*((numbers(9), np.arange(9) + k, n(0)) for k in (0, -9, 1, 8)))
def a_place_that_data_tell_is_kept(x, places, first):
    best = first
    for i in range(len(x)):
        place = places[i]
        if x[i] >= x[best]:
            best = place
    return best


def done(function, given):
    given = [np.array(one) if isinstance(one, np.ndarray) else one for one in given]
    try:
        found = function(*given)
    except IndexError as error:
        found = str(error)
    return found, given


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_trace_of_any_size_does_what_python_does(function, arguments):
    staged = ag.function(function)
    with ag.config(backend="native"):
        for given in (*arguments, *arguments):
            (expected, left), (found, found_left) = (
                done(function, given),
                done(staged, given),
            )
            np.testing.assert_equal(found, expected)
            np.testing.assert_equal(found_left, left)


def steps_behind(x, low, high, step, first):
    for i in range(low, high):
        x[first + i * step] += 1.0
    return x


def steps_before(x, low, high, step, first):
    for i in range(low, high):
        x[i * step + first] += 1.0
    return x


def steps_of_a_while(x, low, high, step, first):
    i = low
    while i < high:
        x[first + i * step] += 1.0
        i += 1
    return x


# Of the last ones the first and the last place are within, but for 2**64.
@pytest.mark.parametrize(
    "bounds",
    [
        *((0, 9, 1, 0), (0, 4, 2, 1), (0, 5, -2, 8), (2, 5, 4, -8)),
        *((0, 5, 2**62, 0), (0, 2**35 + 1, 2**29, 0), (2**61, 2**61 + 2, 8, 0)),
        (-(2**61), 2, 8, 0),
    ],
)
@pytest.mark.parametrize("function", [steps_behind, steps_before, steps_of_a_while])
def test_places_are_those_of_ints_that_may_not_fit(function, bounds):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for size in (9, 10, 9):
            given = numbers(size), *map(n, bounds)
            assert told(staged, given) == told(function, given)


def of_any_size(function, stage, *sizes):
    """The text of the loops over arrays whose sizes are unknown."""
    staged = ag.function(function)
    with ag.config(backend="native"):
        for size in sizes:
            staged(*size)
    (*_, last) = staged.inspect(stage).split("; HotLoop")
    return last


def test_a_stencil_over_arrays_of_any_size_is_in_vectors():
    sizes = arrays(90, 90), arrays(80, 80)
    assert "for turns" in of_any_size(a_stencil, "loops", *sizes)
    assert " x double> " in of_any_size(a_stencil, "llvm", *sizes)


def test_rows_that_stay_the_same_are_compared_before_their_loop():
    sizes = [(numbers(one, one), numbers(one, one)) for one in (20, 30)]
    loops = of_any_size(neighbours_of_rows, "loops", *sizes)
    assert "float64[v" in loops
    before, *_ = loops.partition("while(")
    assert before.count("icmp ult") > 4
    assert "for turns" in loops


@pytest.mark.parametrize("size", [8, 5, 1, 0])
def test_a_loop_that_leaves_has_done_its_turns_before(size):
    def counted(x, y):
        for i in range(len(x)):
            y[i] = x[i] + 1.0

    staged = ag.function(counted)
    for length in (12, 11):
        staged(np.ones(length), np.zeros(length))
    y = np.zeros(size)
    with pytest.raises(IndexError, match=f"index {size} is out of bounds"):
        staged(np.ones(11), y)
    np.testing.assert_array_equal(y, np.full(size, 2.0))


def test_an_index_of_data_is_compared_once_in_either_loop():
    sizes = [(numbers(size), numbers(size), np.arange(size)) for size in (20, 30)]
    loops = of_any_size(places_that_are_read, "loops", *sizes)
    # The loop as it was compares three indices, the other one that of data alone.
    assert loops.count("leave_if") == 1 + 3
    assert loops.count("if seldom(") == 2
    assert "select(" not in loops


def test_a_place_that_turns_keep_is_compared_where_it_begins():
    sizes = [(numbers(size), n(0)) for size in (20, 30)]
    loops = of_any_size(the_place_of_the_largest, "loops", *sizes)
    fast, _, slow = loops.partition("} then {\n    while(")
    assert (fast.count("leave_if"), slow.count("leave_if")) == (0, 2)


def test_a_place_that_data_tell_is_compared_where_it_is_kept():
    sizes = [(numbers(size), np.arange(size), n(0)) for size in (20, 30)]
    loops = of_any_size(a_place_that_data_tell_is_kept, "loops", *sizes)
    assert loops.count("leave_if") == 1 + 3
