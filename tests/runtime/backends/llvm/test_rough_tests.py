"""Squares that are only compared: products where those are clear, Python's answer."""

import itertools
import math
import random
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing

# LLVM's passes are what would move the squares.
pytestmark = pytest.mark.with_passes

RARE = (
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    5e-324,
    1e-200,
    1e-80,
    1e154,
    1.3e154,
    1e200,
)
ROUGH, SQUARE = "own double rough_", "own double rounded_pow_4_halves"


def nearest(x, y, a, b):
    best, at = np.inf, -1
    for i in range(len(x)):
        far = (x[i] - a) ** 2 + (y[i] - b) ** 2
        if far < best:
            best, at = far, i
    return best, at


def farthest(x, y, a, b):
    most, at = -1e308, -1
    for i in range(len(x)):
        far = np.sqrt((x[i] - a) ** 2 + (y[i] - b) ** 2) * 0.5
        if most <= far:
            most, at = far, i
    return most, at


def rows_nearest(rows, wanted, found):
    for q in range(len(wanted)):
        best, at = 1e300, -1
        for i in range(len(rows)):
            far = 0.0
            for k in range(rows.shape[1]):
                far += (rows[i, k] - wanted[q, k]) ** 2
            if far < best:
                best, at = far, i
        found[q] = at + best
    return found


def within(x, y, far):
    count = 0
    for i in range(len(x)):
        if x[i] ** 2 + y[i] ** 2 <= far[i]:
            count += i
    return count


def in_circle(x, y, limit):
    count = 0
    for i in range(len(x)):
        if limit > 0.5 * (x[i] ** 2 + 3.0 * y[i] ** 2):
            count += 1
    return count


def orders(x, y, far, out):
    for i in range(len(x)):
        here = x[i] ** 2 + y[i] ** 2
        if here < far[i]:
            out[i] += 1
    for i in range(len(x)):
        here = x[i] ** 2 + y[i] ** 2
        if far[i] < here:
            out[i] += 2
        else:
            out[i] += here
    for i in range(len(x)):
        here = x[i] ** 2 + y[i] ** 2
        if here >= far[i]:
            out[i] += 4
    for i in range(len(x)):
        here = x[i] ** 2 + y[i] ** 2
        if far[i] >= here:
            out[i] += here
    return out


def pythons(x, limit):
    count, total = 0, 0.0
    for i in range(len(x)):
        here = float(x[i])
        size = math.sqrt(here**2 + 3.0 * here**2)
        if size < limit:
            count, total = count + 1, total + size
    return count, total


def stored(x, out):
    kept = 0.0
    for i in range(len(x)):
        here = x[i] ** 2
        out[i] = here
        if here < 0.5:
            kept += here
    return kept


def named_anew(x, a):
    count = 0
    for i in range(len(x)):
        step = x[i] - a
        here = step**2
        a, step = a + 0.01, 7.0
        if here < 0.25:
            count, a = count + 1, a + here + step * 0.001
    return count, a


def of_one(x, out):
    count = 0
    for i in range(len(x)):
        here = x[i] ** 2
        if here * 0.5 < here:
            count += i
        there = (x[i] - 0.5) ** 2
        if there > there * 2.0:
            out[i] += 1.0
        far = (x[i] + 0.25) ** 2
        if far >= far:
            out[i] += far
    return count, out


def reduced(x, y, most):
    count, at = 0, 0.0
    for i in range(len(x)):
        far = (x[i] ** 2 + y[i] ** 2) * 0.001 * 0.001 * 0.001
        if most <= far:
            count, at = count + i, far
    return count, at


def rooted(x, y, most):
    count, at = 0, 0.0
    for i in range(len(x)):
        far = np.sqrt(x[i] ** 2 + y[i] ** 2)
        if most <= far:
            count, at = count + i, far
    return count, at


def check(function, *arguments):
    with ag.config(backend="native"):
        staged = agreeing(function, [arguments])
    return staged.get_concrete_function(*arguments).inspect("loops")


def drawn(count, seed=0):
    draw = random.Random(seed)
    return np.array([draw.uniform(-1.0, 1.0) for _ in range(count)])


def near_ties(count):
    """Points, and Python's own sums of their squares, to the bit or next to it."""
    x, y = drawn(count, 1), drawn(count, 2)
    # Products have other bits than the C library for one of a thousand.
    apart = [one for one in drawn(40 * count, 3).tolist() if one**2 != one * one]
    x[: len(apart)] = apart
    y[: len(apart)] = 0.0
    far = [a**2 + b**2 for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    towards = itertools.cycle((0.0, np.inf, -np.inf, 0.0, 3.0))
    moved = [np.nextafter(one, one + to) for one, to in zip(far, towards, strict=False)]
    return x, y, np.array(moved)


@pytest.mark.parametrize("function", [nearest, farthest])
def test_the_nearest_and_the_farthest_place_have_pythons_bits(function):
    x, y = drawn(400, 3), drawn(400, 4)
    text = check(function, x, y, 0.1, -0.2)
    assert ROUGH in text
    x = np.round(x, 1)
    check(function, x, x[::-1].copy(), 0.25, 0.5)


def test_sums_that_are_next_to_what_they_are_compared_with_are_computed_exactly():
    x, y, far = near_ties(1000)
    assert ROUGH in check(within, x, y, far)
    assert ROUGH in check(orders, x, y, far, np.zeros(1000))


def test_numbers_that_are_not_usual_are_compared_as_python_does():
    pairs = [*itertools.product(RARE, RARE)]
    x, y = (np.array(one) for one in zip(*pairs, strict=True))
    limits = (*RARE, 1.7976931348623157e308, -1e308, 1e-160, 1.69e308)
    calls = [(x, y, np.full(len(x), far)) for far in limits]
    with np.errstate(all="ignore"), ag.config(backend="native"):
        agreeing(within, calls)
        agreeing(orders, [(*call, np.zeros(len(x))) for call in calls])
        agreeing(nearest, [(x, y, 0.0, 0.0)])
        agreeing(farthest, [(x, y, 0.0, 0.0)])


def test_what_is_compared_with_parts_of_itself_stays_where_they_read_it():
    x = drawn(200, 9)
    x[:4] = 0.0, 0.5, np.nan, 1e-170
    assert "seldom" in check(of_one, x, np.zeros(200))


@np.errstate(all="ignore")
def test_a_sum_that_is_infinite_by_one_of_its_bits_is_compared_as_pythons():
    draw, found = random.Random(0), []
    while len(found) < 40:
        a = draw.uniform(0.5e154, 1.3e154)
        if a**2 <= a * a:
            continue
        b = math.sqrt(np.finfo(float).max - a * a)
        for _ in range(40):
            if np.isinf(np.float64(a**2) + b**2) and b**2 == b * b:
                break
            b = np.nextafter(b, np.inf)
        if np.isfinite(np.float64(a * a) + b * b):
            found.append((a, b))
    x, y = (np.array(one) for one in zip(*found, strict=True))
    assert np.isinf([a**2 + b**2 for a, b in zip(x, y, strict=True)]).any()
    assert ROUGH in check(reduced, x, y, 1e305)
    assert ROUGH in check(rooted, x, y, 1e200)


def test_vectors_compare_products_and_ask_where_one_of_their_numbers_is_near():
    x, y = drawn(1000, 12), drawn(1000, 13)
    text = check(in_circle, x, y, 0.25)
    assert "for turns" in text
    a, b, far = near_ties(1000)
    far[np.arange(1000) % 9 > 0] *= 1.5
    assert "for turns" in check(within, a, b, far)
    ties = [(x, y, limit) for limit in (0.25, np.nan, np.inf, -0.0, 0.0, -1.0)]
    for call in [(np.zeros(70), np.zeros(70), 0.0), (-x * 1e200, y, 1e300), *ties]:
        with np.errstate(all="ignore"):
            check(in_circle, *call)


def test_infinite_places_are_compared_without_a_warning():
    x, y = drawn(50, 10), drawn(50, 11)
    x[:2] = np.inf, -np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = check(nearest, x, y, 0.5, 0.25)
    # Those of the program: one infinite sum less another is noted.
    assert text.count("fsub") == 2


def test_a_square_of_pythons_that_is_too_large_raises():
    text = check(pythons, drawn(50, 5), 0.9)
    assert "seldom" in text
    assert "leave_if" in text
    with ag.config(backend="native"):
        staged = ag.function(pythons)
        for _ in range(3):
            with pytest.raises(OverflowError, match="34"):
                staged(np.array([0.1, 0.2, 1e200, 0.3]), 0.9)


def test_sums_that_begin_with_0_are_sums_of_squares_in_lanes_too():
    rows, wanted = drawn(120).reshape(40, 3), drawn(600, 9).reshape(200, 3)
    text = check(rows_nearest, rows, wanted, np.zeros(200))
    assert ROUGH in text
    # Many are as far from several rows.
    check(rows_nearest, np.round(rows * 2), np.round(wanted * 2), np.zeros(200))


def test_what_others_read_is_computed_once_where_it_was():
    x, out = drawn(300, 6), np.zeros(300)
    text = check(stored, x, out)
    assert ROUGH not in text
    assert SQUARE in text


def test_names_that_are_given_something_else_before_the_test_are_read_before():
    check(named_anew, drawn(300, 7), 0.125)


def test_without_precision_squares_are_products():
    @ag.function(precise=False)
    def total(x):
        found = 0.0
        for i in range(len(x)):
            found += (x[i] - 0.5) ** 2
        return found

    x = drawn(64, 8)
    with ag.config(backend="native"):
        found = total(x)
    wanted = 0.0
    for one in x.tolist():
        wanted += (one - 0.5) * (one - 0.5)
    assert found == wanted
    assert "pow" not in total.get_concrete_function(x).inspect("loops")
