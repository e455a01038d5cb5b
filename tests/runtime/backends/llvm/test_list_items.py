"""What machine code puts into lists are the objects that Python would put there."""

import gc
import sys

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import abi
from tests.runtime.backends.llvm.compiling import agreeing

pytestmark = pytest.mark.usefixtures("others_set_aside")

BIG = 10**6


def flags(xs, n):
    for i in range(n):
        xs[i] = i % 3 == 0
    return xs


def numbers(xs, first, n):
    for i in range(n):
        xs[i] = first + i
    return xs


def appended(n):
    xs = []
    for i in range(n):
        xs.append(i * 7 - 20)
        xs.append(i % 2 == 0)
    return xs


def compiled(function):
    return ag.function(function)


@pytest.fixture(autouse=True)
def _at_once():
    with ag.config(backend="native"):
        yield


@pytest.mark.parametrize("scale", [BIG, 0.5])
def test_an_item_that_is_moved_stays_the_object_that_it_is(scale):
    def shifted(n):
        xs = [k * scale for k in range(n)]
        i = n - 1
        while i > 1:
            xs[i] = xs[i - 1]
            i -= 1
        return xs

    xs = compiled(shifted)(np.int64(40))
    assert xs == shifted(40)
    assert xs[2] is xs[1]
    # The one is there twice, the last that was there has gone.
    counts = [sys.getrefcount(xs[k]) for k in range(40)]
    assert counts[1:3] == [counts[3] + 1] * 2
    assert len(set(counts[3:])) == 1


def test_items_are_moved_whatever_is_between():
    def sort(xs, n):
        for i in range(1, n):
            x = xs[i]
            j = i - 1
            while j >= 0 and xs[j] > x:
                xs[j + 1] = xs[j]
                j -= 1
            xs[j + 1] = x
        return xs

    def overwritten(xs, n):
        for i in range(n):
            a = xs[i]
            xs[i] = 10**9 + i  # which may be the last that refers to the object
            xs[n - 1 - i] = a
        return xs

    data = [int(k) for k in np.random.default_rng(0).integers(0, 1000, 60)]
    agreeing(sort, [(list(data), np.int64(60))])
    agreeing(overwritten, [([BIG + k for k in range(50)], np.int64(50))])


def test_truths_and_small_ints_are_pythons_own():
    found = compiled(flags)([BIG] * 50, np.int64(50))
    assert found == flags([0] * 50, 50)
    assert all(type(one) is bool for one in found)
    for first in (-30, 240):
        found = compiled(numbers)([0] * 50, first, np.int64(50))
        assert found == list(range(first, first + 50))
        small = [one for one in found if -5 <= one <= 256]
        assert small
        assert all(one is int(str(one)) for one in small)
    agreeing(appended, [(np.int64(60),)])


def test_references_are_counted():
    seven, staged = int("7"), compiled(numbers)
    # What is made of the first calls, and what compiles them, holds some meanwhile.
    for _ in range(300):
        staged([True] * 50, 0, np.int64(50))
    gc.collect()
    truths, sevens = sys.getrefcount(True), sys.getrefcount(seven)
    kept = [staged([True] * 50, 0, np.int64(50)) for _ in range(300)]
    if abi.counting() == "all":
        assert sys.getrefcount(seven) - sevens in range(300, 310)
        assert abs(sys.getrefcount(True) - truths) < 10
    del kept
    assert abs(sys.getrefcount(seven) - sevens) < 10


def test_how_references_are_counted_is_found():
    assert abi.counting() == ("mortal" if sys.version_info >= (3, 12) else "all")
    assert abi.known_ints() is not None
