"""NumPy's functions that are an instruction or two of an element: to the bit."""

import warnings

import numpy as np
import pytest

import autograph as ag

SPECIAL = np.array(
    [
        *(0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 1e-30, 3.7, -2.5),
        *(1e30, 57.29578, 180.0, -0.1),
    ]
    * 5
)
pytestmark = pytest.mark.usefixtures("noted_in_machine_code")
ALONE = [
    *(np.isnan, np.isinf, np.isfinite, np.signbit, np.fabs, np.reciprocal),
    *(np.deg2rad, np.radians, np.rad2deg, np.degrees),
]


def told_by(function, *given):
    """What it gives, and the words of warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(*given)
    return found.tobytes(), found.dtype, {str(one.message) for one in told}


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("ufunc", ALONE)
def test_elements_are_numpys(ufunc, char):
    def function(x):
        return np.where(ufunc(x), x, 2) * 1

    made, x = ag.function(function), SPECIAL.astype(char)
    with np.errstate(all="warn", under="ignore"):
        for given in (x, x[::2], x[:1]):
            assert told_by(made, given) == told_by(function, given)
    assert "numpys" not in made.inspect("loops")


@pytest.mark.parametrize("char", "fd")
def test_signs_of_others_are_numpys(char):
    def function(x):
        return np.copysign(x, x[::-1]) + np.copysign(2, x)

    made, x = ag.function(function), SPECIAL.astype(char)
    with np.errstate(all="ignore"):
        assert told_by(made, x) == told_by(function, x)
    assert "numpys" not in made.inspect("loops")


def test_conjugates_are_numpys():
    def function(z):
        return np.conjugate(z) + 1.0

    z = np.empty((SPECIAL.size, SPECIAL.size), complex)
    z.real, z.imag = SPECIAL, SPECIAL[:, None]
    made = ag.function(function)
    assert told_by(made, z) == told_by(function, z)
    assert "numpys" not in made.inspect("loops")


@pytest.mark.parametrize("char", "fd")
def test_numbers_are_numpys(char):
    def by_index(x, made):
        for i in range(len(x)):
            if np.isnan(x[i]):
                made[i] = np.copysign(1.0, x[i])
            elif np.isfinite(x[i]):
                made[i] = np.fabs(x[i]) + np.deg2rad(x[i]) - np.rad2deg(x[i])
            else:
                made[i] = np.signbit(x[i]) + np.isinf(x[i])
        return made

    made, x = ag.function(by_index), SPECIAL.astype(char)
    wanted = by_index(x, np.zeros_like(x))
    assert made(x, np.zeros_like(x)).tobytes() == wanted.tobytes()
    assert "numpy " not in made.inspect("loops")
