"""Sums of ints are added up in vectors where none can outgrow the machine."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

SIZES = [63, 64, 65, 300, 4_095, 4_096, 4_100, 9_000]


def total(x):
    s = 0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def above(x):
    s, n = 0, 0
    for i in range(x.shape[0]):
        if x[i] > 40:
            s += x[i]
            n += 1
    return s, n


def squares(x):
    s = x[0]
    for i in range(x.shape[0] - 1):
        s -= x[i] * x[i + 1] - 3
    return s


def several(x):
    a, b, most = x[0], 5, x[0]
    for i in range(x.shape[0]):
        a += x[i]
        b = b - x[i]
        most = max(most, x[i])
    return a, b, most


def python_total(x):
    s = int(x[0])
    for i in range(x.shape[0]):
        s += int(x[i])
    return s


def python_squares(x):
    s = 0
    for i in range(x.shape[0] - 1):
        s += int(x[i]) * int(x[i + 1]) - 3
    return s


def anew(x):
    s = 0
    for i in range(x.shape[0]):
        s = s + x[i] if x[i] > 0 else x[i]
    return s


def in_turn(x):
    s = 0
    for i in range(x.shape[0]):
        s += s * x[i]
    return s


def stored(x):
    s = 0
    y = np.zeros(x.shape[0], np.int64)
    for i in range(x.shape[0]):
        s += x[i]
        y[i] = x[i] + 1
    return s, y


def five_times(x):
    s = 0
    for i in range(x.shape[0]):
        s = s + x[i] + x[i] + x[i] + x[i] + x[i]
    return s


# Sums of Python's ints have no end; those of NumPy's wrap around, and warn.
PYTHONS = [python_total, python_squares]
AHEAD = [total, above, squares, several, *PYTHONS]
OTHERS = [anew, in_turn, stored, five_times]


def numbers(size, most=50):
    return np.random.default_rng(size).integers(-most, most, size)


def has_turns_ahead(function):
    concrete = ag.function(function).get_concrete_function(numbers(300))
    text = concrete.inspect("loops")
    # What is only looked at before turns (`grown.py`) is followed by chunks of them.
    return "for turns" in text and "while chunk" not in text


@pytest.mark.parametrize("function", AHEAD)
def test_sums_that_may_leave_are_vectors(function):
    assert has_turns_ahead(function)


@pytest.mark.parametrize("function", AHEAD)
def test_how_large_ints_are_is_asked_without_a_shift(function):
    """AVX2 has none that keeps the sign of 64 bits."""
    with ag.config(backend="native"):
        staged = ag.function(function)
        given = (numbers(300),)
        staged(*given)
        (loop,) = loops_of(staged, given)
    inside = [*loop.lowered()[1].body.walk()]
    assert not any(one.op == "ashr" and one.args[1] == 63 for one in inside)


def told(function, x):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        return function(x), [(str(one.message), one.lineno) for one in found]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("function", AHEAD)
def test_sums_that_wrap_round_say_so(function, sign):
    x = numbers(5_000)
    x[4_500:4_503] = sign * (2**62 + 9)
    x[4_504:4_507] = -sign * 2**62
    with ag.config(backend="native"):
        assert told(ag.function(function), x) == told(function, x)


@pytest.mark.parametrize("function", OTHERS)
def test_other_turns_that_may_leave_are_done_one_by_one(function):
    assert not has_turns_ahead(function)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [*AHEAD, *OTHERS])
def test_sums_are_pythons(function, layout):
    calls = [(numbers(size),) for size in (63, 64, 300)]
    calls += [(-abs(numbers(200)),), (numbers(300, 2**40),), (numbers(300, 2**58),)]
    with ag.config(backend="native"):
        agreeing(function, calls, LAYOUTS[layout])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", AHEAD)
def test_sums_go_on_from_stretch_to_stretch(function, size):
    x = numbers(size)
    with ag.config(backend="native"):
        assert ag.function(function)(x) == function(x)


def test_a_sum_to_which_nothing_is_added_stays_a_python_int():
    with ag.config(backend="native"):
        agreeing(above, [(numbers(300, 30),), (numbers(300),), (numbers(5_000, 30),)])


@pytest.mark.parametrize("place", [0, 70, 4_095, 4_096, 4_500, 4_990])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("function", AHEAD)
def test_sums_that_outgrow_the_machine_leave_at_their_turn(function, sign, place):
    x = numbers(5_000)
    x[place : place + 3] = sign * (2**62 + 9)
    x[place + 4 : place + 7] = -sign * (2**62)
    with ag.config(backend="native"):
        agreeing(function, [(x,)])


@pytest.mark.parametrize("bits", [22, 23, 24, 31, 32, 46, 47, 48, 50, 52, 61, 62])
@pytest.mark.parametrize("function", [several, *PYTHONS])
def test_sums_of_large_ints_in_a_row_are_pythons(function, bits):
    x = np.full(8_200, 2**bits - 1)
    with ag.config(backend="native"):
        agreeing(function, [(x,), (-x - 1,)])


@pytest.mark.parametrize("first", [2**61 - 1, 2**61, 2**63 - 200, -(2**63) + 200])
def test_sums_that_begin_far_away_are_pythons(first):
    x = numbers(400)
    x[0] = first
    with ag.config(backend="native"):
        agreeing(several, [(x,)])
        agreeing(python_total, [(x,)])


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_that_begins_near_the_end_leaves_by_small_ints(sign):
    def go_on(s, x):
        for i in range(x.shape[0]):
            s += int(x[i])
        return s

    x = np.full(300, sign)
    with ag.config(backend="native"):
        agreeing(go_on, [(sign * first, x) for first in (2**63 - 200, 2**63 - 301)])


def test_products_that_wrap_around_to_small_ints_leave():
    x = np.full(300, 2**32)
    with ag.config(backend="native"):
        agreeing(python_squares, [(x,)])
