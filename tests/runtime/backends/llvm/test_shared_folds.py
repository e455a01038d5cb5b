"""The largest of all that is computed, and sums of ints, by several threads."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import crew
from runtime.backends.llvm.shared_folds import MANY
from tests.conformance.harness import disagreement, observe

SHAPES = [
    *((MANY,), (MANY - 1,), (6 * MANY + 1,), (50,), (300, 400), (7, 100, 80)),
    *((1, 5 * MANY), (5 * MANY, 1), (3, 50_001)),
]


def of_floats(x, y):
    return np.max(np.abs(x - y)), np.min(x * y), np.any(x > y + 9), np.all(x * 0 == 0)


def of_ints(x, y):
    return np.sum(x * y), np.max(x + y), np.min(x - y), np.prod(x | 1)


def of_repeated(x, y):
    """A row and a column that are repeated: they have no part of the first axis."""
    return np.max(np.abs(x - y[:1])), np.min(x + y[..., :1])


def agree(function, *given):
    with ag.config(backend="native", num_threads=3), np.errstate(all="ignore"):
        staged = ag.function(function)
        for _ in range(2):
            found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, found.sentence
        return staged


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("laid", ["C", "F", "gaps"])
def test_all_elements_come_to_numpys_number(shape, laid):
    x, y = np.random.default_rng(0).normal(size=(2, *shape))
    if laid == "F":
        x, y = np.asfortranarray(x), np.asfortranarray(y)
    elif laid == "gaps":
        x, y = np.repeat(x, 2, axis=0)[::2], np.repeat(y, 2, axis=-1)[..., ::2]
    agree(of_floats, x, y)
    agree(of_ints, (x * 99).astype(int), (y * 99).astype(int))
    agree(of_ints, (x * 9).astype("i2"), (y * 9).astype("u1"))
    agree(of_repeated, x, y)


@pytest.mark.parametrize("place", [0, 3, MANY, -1])
def test_a_nan_and_zeros_are_numpys(place):
    x, y = np.random.default_rng(0).normal(size=(2, 6 * MANY))
    x[place] = -np.nan
    agree(of_floats, x, y)
    zeros = np.zeros(6 * MANY)
    zeros[place] = -0.0
    agree(of_floats, zeros, -zeros)


def test_threads_share_it():
    x, y = np.random.default_rng(0).normal(size=(2, 500_000))
    staged = agree(lambda x, y: np.max(np.abs(np.exp(x) - np.exp(y))), x, y)
    with ag.config(backend="native", num_threads=3):
        before = crew.CREW.number
        staged(x, y)
    assert not crew.CREW.run or crew.CREW.number > before
