"""The sum of all elements, shared by threads: the additions are NumPy's."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import crew
from runtime.backends.llvm.halves import MANY

SIZES = [0, 1, 7, 8, 9, 127, 128, 129, 1000, MANY - 1, MANY, MANY + 1, 20_001]
LONG = [99_999, 1_000_000, 1_000_003]


@pytest.fixture(autouse=True)
def three_threads():
    with ag.config(backend="native", num_threads=3):
        yield


def squares(x):
    return np.sum(x * x)


def weighed(x):
    return np.mean(np.exp(-np.abs(x)) * x + 0.5)


def drawn(size, dtype):
    x = np.random.default_rng(size).standard_normal(size)
    return (x * 10.0 ** (size % 7)).astype(dtype)


def runs(staged, *given):
    """How many pieces of work the crew was given by a call."""
    before = crew.CREW.number
    staged(*given)
    return crew.CREW.number - before


@pytest.mark.parametrize("function", [squares, weighed])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_it_is_numpys_to_the_bit(function, dtype):
    # Of a known size each, and then of any.
    known, staged = ag.function(function), ag.function(function)
    known(drawn(MANY + 1, dtype))
    for size in SIZES[1:] + LONG:
        x = drawn(size, dtype)
        for given in (x, np.repeat(x, 2)[::2], x[: size // 10 * 10].reshape(-1, 10)):
            if given.size:
                assert staged(given).tobytes() == function(given).tobytes(), size


def test_the_sum_of_nothing_is_zero():
    staged = ag.function(squares)
    for size in (0, 5, 0, 3 * MANY, 0):
        x = drawn(size, "f8")
        assert staged(x).tobytes() == squares(x).tobytes()


@pytest.mark.parametrize("size", LONG)
def test_threads_share_it(size):
    x, staged = drawn(size, "f8"), ag.function(weighed)
    staged(x)
    assert runs(staged, x) == 1
    with ag.config(num_threads=1):
        assert runs(staged, x) == 0
        assert staged(x).tobytes() == weighed(x).tobytes()


def test_a_short_one_is_no_work_for_several():
    x, staged = drawn(1000, "f8"), ag.function(squares)
    staged(x)
    assert runs(staged, x) == 0


def test_it_is_warned_of_numbers_that_overflow_in_other_threads():
    x, staged = drawn(300_000, "f8"), ag.function(squares)
    x[-1] = 1e200
    staged(drawn(300_000, "f8"))
    with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
        staged(x)
