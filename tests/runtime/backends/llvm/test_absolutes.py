"""`abs(z) < x` of complex numbers: the root where it is needed, and Python's answer."""

import operator
import re
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing

# LLVM's passes are what would move the root.
pytestmark = pytest.mark.with_passes

ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)
PLACES = np.linspace(0.0, np.pi, 50)
# How far from the circle: on it, by a rounding or two, within the roundings, outside.
FAR = (0.0, 1e-16, -1e-16, 2e-16, -2e-16, 1e-13, -1e-13, 1e-11, -1e-11, 0.1, -0.1)
RARE = (0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e-200, 1e200, 1.2e308, 3.0)


def circle(x):
    z = np.concatenate([x * (1.0 + far) * np.exp(1j * PLACES) for far in FAR])
    return np.concatenate([z, z.conj() * 1j])


def rare():
    return np.array([complex(a, b) for a in RARE for b in RARE])


def below(z, x):
    count = z.real[0]
    for i in range(z.shape[0]):
        if abs(z[i]) < x:
            count = count + z.imag[i]
    return count


def orders(z, out):
    for i in range(z.shape[0]):
        size = abs(complex(z[i]))
        out[i] = 1 if size < 2.0 else 0
    for i in range(z.shape[0]):
        out[i] += 2 if abs(complex(z[i])) <= 2.0 else 0
    for i in range(z.shape[0]):
        out[i] += 4 if 2.0 < abs(complex(z[i])) else 0
    for i in range(z.shape[0]):
        out[i] += 8 if 2.0 <= abs(complex(z[i])) else 0
    return out


def beside(z, x, out):
    for i in range(z.shape[0]):
        out[i] = 1 if abs(complex(z[i])) < x else 2
    return out


def escape(re, im, limit):
    out = np.zeros((len(im), len(re)), np.int64)
    for i in range(len(im)):
        for j in range(len(re)):
            c, z, k = complex(re[j], im[i]), 0j, 0
            while k < limit and abs(z) < 2:
                z = z * z + c
                k += 1
            out[i, j] = k
    return out


def check(function, *arguments):
    with ag.config(backend="native"):
        staged = agreeing(function, [arguments])
    return staged.get_concrete_function(*arguments).inspect("loops")


def test_numbers_on_a_circle_and_next_to_it_are_compared_as_python_does():
    z = circle(2.0)
    text = check(orders, z, np.zeros(z.size, np.int64))
    # One for each time that a turn is written, and in a branch.
    written = text.count("store i64(")
    assert written >= 4
    assert text.count("call m_hypot") == written
    assert len(re.findall(r"\} then \{\n +v\d+ = call m_hypot", text)) == written


@pytest.mark.parametrize("x", [2.0, 1e-150, 1e-5, 3.3, 1e160, 0.0, -1.0, np.inf])
def test_a_number_of_the_run_may_be_any(x):
    around = circle(abs(x)) if 0 < abs(x) < 1e300 else circle(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(beside, around, x, np.zeros(around.size, np.int64))


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize("x", [2.0, 1e30, 0.5])
def test_numbers_of_numpys_are_compared_and_warned_of_as_they_are(dtype, x):
    z = np.concatenate([circle(x), rare()[:60]])
    with np.errstate(all="ignore"):
        z = z.astype(dtype)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        staged = ag.function(below)
        with ag.config(backend="native"):
            found = staged(z, x)
        of_staged = [str(one.message) for one in told]
        told.clear()
        assert found == below(z, x)
        assert of_staged == [str(one.message) for one in told]


def test_what_is_no_number_or_too_large_is_pythons():
    z = rare()
    check(beside, z[np.isfinite(z) & (abs(z.real) < 1e308)], 2.0, np.zeros(100, int))
    check(beside, z, 2.0, np.zeros(z.size, int))
    # Python raises: the root is no float.
    check(beside, np.array([1.0, 1.7e308 * (1 + 1j)]), 2.0, np.zeros(2, int))


def test_a_picture_of_lanes_is_pythons():
    for limit in (3, 50):
        text = check(
            escape, np.linspace(-2.1, 0.7, 37), np.linspace(-1.2, 1.2, 23), limit
        )
        assert "lanes" in text
