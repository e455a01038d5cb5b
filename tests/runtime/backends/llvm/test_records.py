"""The least and the greatest so far: without jumps, and with them where a NaN comes."""

import platform
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import records
from runtime.backends.llvm.lesser import Orders
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

NAN = float("nan")
SPECIAL = [0.0, -0.0, NAN, 1.0, -1.0, np.inf, -np.inf, 5e-324, -NAN, 1e308, -1e308]

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="x86's instructions"
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(records, "_is_quick", lambda: True)


def best_trade(x):
    low, best = x[0], 0.0
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
        if x[i] - low > best:
            best = x[i] - low
    return low, best


def both_ends(x):
    least = most = x[0]
    for i in range(len(x)):
        least = min(least, x[i] * 2)
        most = max(x[i] * 2, most)
    return least, most


def last_of_equals(x):
    least, most = x[0], x[0]
    for i in range(len(x)):
        v = x[i] + 0.0
        if v <= least:
            least = v
        if not v < most:
            most = v
    return least, most


def after_others(x):
    least, total = x[0], x[0] - x[0]
    for i in range(len(x)):
        total = total + x[i]
        if total < least:
            least = total
    return least, total


def with_a_place(x):
    best, place, was_found = 0.0, -1, False
    for i in range(len(x)):
        v = x[i] * 3
        if v > best:
            best = v
            place = i
            was_found = True
    return best, place, was_found


def with_a_flag(x):
    best, was_found = 0.0, False
    for i in range(len(x)):
        v = x[i] * 3
        if v > best:
            best = v
            was_found = True
    return best, was_found


def rows(x):
    total = 0.0
    for i in range(3):
        best = x[0]
        for j in range(len(x)):
            best = max(best, x[j] * (i - 1))
        total = total + best
    return total


FOUND = [best_trade, both_ends, last_of_equals, after_others, with_a_flag, rows]


def given(size, kind, special=()):
    x = np.random.default_rng(size).standard_normal(size).astype(kind)
    for place, one in special:
        x[place % size] = one
    return x


def calls(kind):
    yield from ((given(size, kind),) for size in (1, 2, 63, 64, 65, 300, 9_000))
    for one in SPECIAL:
        for places in ((0,), (200,), (0, 70, 299), (299,)):
            with np.errstate(all="ignore"):
                yield (given(300, kind, [(place, one) for place in places]),)
    signs = np.array([0.0, -0.0, 0.0, 0.0, -0.0, -0.0], kind)
    yield from ((np.roll(np.tile(signs, 50), k),) for k in range(6))


@pytest.mark.parametrize("kind", [float, np.float32])
@pytest.mark.parametrize("function", [*FOUND, with_a_place])
def test_records_are_python_s_in_value_zero_nan_and_warning(function, kind):
    with ag.config(backend="native"):
        agreeing(function, [*calls(kind)])


def of_a_sum(x):
    least, most, total = x[0], x[0], x[0]
    for i in range(len(x)):
        v = x[i] * 1.0
        total = total + v
        if v <= least:
            least = v
        if not v < most:
            most = v
    return least, most, total


@pytest.mark.parametrize("place", [20, 500, 8_000])
def test_a_nan_after_an_invalid_value_is_compared_with_care(place):
    x = given(9_000, float, [(3, np.inf), (5, -np.inf), (place, NAN)])
    with ag.config(backend="native"):
        agreeing(of_a_sum, [(x,)])


@pytest.mark.parametrize("function", [*FOUND, of_a_sum])
def test_records_are_no_jumps(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(given(300, float))
        concrete = staged.get_concrete_function(given(300, float))
        words = concrete.inspect("llvm")
    assert "@llvm.x86.sse2.m" in words


def test_what_other_turns_of_a_record_do_is_a_jump():
    with ag.config(backend="native"):
        staged = ag.function(with_a_place)
        staged(given(300, float))
        (loop,) = loops_of(staged, (given(300, float),))
        inside = [*loop.function.body.walk()]
    found = [one for one in inside if one.op == "while"]
    assert found
    assert all(records.records_of(Orders(inside), one) is None for one in found)


@pytest.mark.parametrize("place", [5, 150, 299])
def test_a_nan_that_is_compared_is_not_warned_of(place):
    x = given(300, float, [(place, NAN)])
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        staged = ag.function(best_trade)
        for _ in range(3):
            assert disagreement(observe(best_trade, [x]), observe(staged, [x])) is None


def test_what_overflows_is_warned_of():
    x = given(300, float, [(3, -1.7e308), (250, 1.7e308)])
    with ag.config(backend="native"):
        staged = agreeing(best_trade, [(x,)])
        with pytest.warns(RuntimeWarning, match="overflow encountered"):
            staged(x)
