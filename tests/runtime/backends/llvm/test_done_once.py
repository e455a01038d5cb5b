"""What machine code has computed in place Python does not compute a second time."""

import warnings

import numpy as np
import pytest

import autograph as ag


def moved(k):
    x = np.arange(4) - k
    y = z = x
    return y if z is x else k


def told():
    print("told", np.zeros(3) / 0.0)


def made_before(k):
    """The array is Python's, and is computed in place beside what is warned of."""
    x = moved(k)
    told()
    return x, k


def in_rounds(x, count):
    y = x * 3.0
    for _ in range(count):
        y = y * 2.0 + 1.0
        x = x * 1e200
    return y, x


def given(x, k):
    y = np.arange(x.shape[0]) * 2 - k
    return y, np.sqrt(x - 5.0)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (made_before, [(np.int64(7),), (np.int64(0),)]),
        (in_rounds, [(np.ones(50), np.int64(6)), (np.ones(5), np.int64(9))]),
        (given, [(np.linspace(0, 9, 40), np.int64(3))]),
    ],
)
@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_it_is_done_once_where_numpy_warns(function, arguments, mode):
    with ag.config(backend="native"), np.errstate(all=mode):
        staged = ag.function(function)
        # No filter makes errors of warnings: else nothing would be done in place.
        with warnings.catch_warnings():
            warnings.resetwarnings()
            warnings.simplefilter("ignore")
            for call in [*arguments] * 3:
                for found, expected in zip(staged(*call), function(*call), strict=True):
                    np.testing.assert_array_equal(found, expected)
