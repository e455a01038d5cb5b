"""What is not usual: our functions with the C library's bits give NumPy's."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import rests
from runtime.backends.llvm.library_bits import is_known
from tests.runtime.backends.llvm.test_rounded import (
    EXPONENTS,
    SPECIAL,
    USUAL,
    is_same,
    of_arrays,
)

pytestmark = pytest.mark.skipif(
    not is_known(), reason="this C library's errors are not known"
)


@pytest.fixture(autouse=True)
def _all_at_once(monkeypatch):
    # Python would make the first runs anew in which something is noted.
    monkeypatch.setattr(rests, "MADE_ANEW", 0)
    with ag.config(backend="native"), np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("name", USUAL)
def test_nans_have_the_bits_of_numpys(name):
    """Of numbers below 0 the C library has two logarithms, with a NaN each."""
    ufunc, function = of_arrays(name)

    def by_index(x, made):
        for i in range(len(x)):
            made[i] = ufunc(x[i])
        return made

    x = np.array([*SPECIAL, -np.nan] * 3)
    wanted = ufunc(x).tobytes()
    assert function(x).tobytes() == wanted
    assert ag.function(by_index)(x, np.zeros(len(x))).tobytes() == wanted


@pytest.mark.parametrize("exponent", [*EXPONENTS, 1, 2, 7])
def test_powers_by_a_number_are_numpys(exponent):
    def raised(x):
        return x**exponent * 1.0

    x = np.array([*SPECIAL] * 3)
    assert is_same(ag.function(raised)(x), raised(x))
