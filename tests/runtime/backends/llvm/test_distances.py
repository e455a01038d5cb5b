"""`math.hypot` of two numbers in loops: Python's bits, and no call of it."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.distances import is_rounded_once
from tests.conformance.harness import disagreement, observe

pytestmark = pytest.mark.skipif(
    not is_rounded_once(), reason="this Python rounds otherwise, and is called"
)
SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -3.0, 5e-324, 1e308, 1e-300, 1e-140]
)
COUNT = 4_000


def distances(x, y, found):
    for k in range(len(x)):
        found[k] = math.hypot(x[k], y[k])
    return found


def of_ints(x, y, found):
    for k in range(len(x)):
        found[k] = math.hypot(int(x[k]), y[k]) + math.hypot(k, 3)
    return found


def pairs(name):
    draw = np.random.default_rng(0)
    if name == "ties":
        # The exact number is in the middle of two floats, or next to it.
        k = draw.integers(2**51, 2**52, COUNT)
        return 3.0 * k, 4.0 * k
    if name == "special":
        return tuple(map(np.ravel, np.meshgrid(SPECIAL, SPECIAL)))
    if name == "float32":
        return draw.random(COUNT).astype("f4"), draw.random(COUNT).astype("f4")
    scale = float(name)
    far = 2.0 ** draw.integers(-60, 3, COUNT)
    return draw.normal(size=COUNT) * scale, draw.normal(size=COUNT) * scale * far


@pytest.mark.parametrize(
    "name", ["1", "1e-130", "1e130", "1e-200", "1e200", "ties", "special", "float32"]
)
def test_distances_have_pythons_bits(name):
    x, y = pairs(name)
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = ag.function(distances)
        for _ in range(2):
            wanted = distances(x, y, np.zeros(len(x)))
            found = staged(x, y, np.zeros(len(x)))
            assert found.tobytes() == wanted.tobytes()
        assert "root_of_squares" in str(staged.inspect("loops"))


def test_ints_are_floats_first():
    draw = np.random.default_rng(1)
    x, y = draw.integers(-(2**60), 2**60, 50), draw.integers(-9, 9, 50)
    with ag.config(backend="native"):
        staged, given = ag.function(of_ints), lambda: (x, y, np.zeros(50))
        found = disagreement(observe(of_ints, given()), observe(staged, given()))
        assert found is None, found.sentence


def test_a_nan_is_nothing_to_warn_of():
    warnings.resetwarnings()

    def summed(x, y):
        total = np.float64(0.0)
        for k in range(len(x)):
            total = total + x[k] / 2 + math.hypot(x[k], y[k])
        return total

    x, y = np.array([1.0, np.nan, 2.0, 3.0]), np.array([np.inf, 1.0, np.nan, 1e-200])
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        staged = ag.function(summed)
        for _ in range(12):
            assert repr(staged(x, y)) == repr(summed(x, y))
    assert not told
