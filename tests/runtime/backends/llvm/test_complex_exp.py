"""e**z of complex numbers, by functions of its parts: NumPy's bits, always."""

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot, library_bits
from runtime.backends.llvm.library_bits import is_known
from runtime.backends.llvm.mathematics import PREFIX
from tests.runtime.backends.llvm.compiling import parts_of

COUNT = 50_001
PARTS = [
    *(0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 708.5, 709.5, 710.0, -709.0),
    *(-746.0, 1e-310, 1e300, -3.0, 9.5),
]
SPECIAL = np.array([complex(*pair) for pair in itertools.product(PARTS, PARTS)])
pytestmark = [
    pytest.mark.skipif(not is_known(), reason="this C library is not known"),
    pytest.mark.usefixtures("noted_in_machine_code"),
]


def chain(z):
    return np.exp(z) + 1.0


def alone(z):
    return np.exp(z)


def waves(t):
    return np.exp(1j * t) * 0.5


def is_same(found, wanted):
    """Whether all bits are the same, but those of NaNs."""
    assert found.dtype == wanted.dtype
    a, b = (one.view(float) for one in (found, wanted))
    both = np.isnan(a) & np.isnan(b)
    return bool(np.all((a.view(np.int64) == b.view(np.int64)) | both))


def told_by(function, z):
    """The kinds of warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(z)
    return {str(one.message).split(" encountered")[0] for one in told}


@pytest.mark.parametrize("function", [chain, alone])
def test_elements_have_the_librarys_bits(function):
    rng = np.random.default_rng(3)
    made = ag.function(function)
    for real, imag in ((3.0, 20.0), (500.0, 1e5), (0.0, 3.0), (0.1, 1e-300)):
        z = real * rng.normal(size=COUNT) + 1j * imag * rng.normal(size=COUNT)
        assert is_same(made(z), function(z))
    z = np.frombuffer(rng.bytes(16 * COUNT), complex)
    assert is_same(made(z), function(z))
    (region,) = parts_of(made, (z,), hot.Region)
    text = region.text(*region.lowered()).write()
    assert f"{PREFIX}cexp_real_v" in text


def test_angles_have_them():
    t = np.random.default_rng(5).normal(size=COUNT) * 30.0
    assert is_same(ag.function(waves)(t), waves(t))


def test_what_is_special_is_noted_as_numpy_does():
    function = ag.function(chain)
    assert is_same(function(SPECIAL), chain(SPECIAL))
    with np.errstate(all="warn", under="ignore"):
        for one in SPECIAL:
            given = np.full(9, one)
            assert told_by(function, given) == told_by(chain, given), one


def test_numbers_have_them():
    def by_index(z, made):
        for i in range(len(z)):
            made[i] = np.exp(z[i]) * z[i]
        return made

    rng = np.random.default_rng(7)
    z = rng.normal(size=999) + 9j * rng.normal(size=999)
    z = np.concatenate([z, SPECIAL])
    assert is_same(ag.function(by_index)(z, 0 * z), by_index(z, 0 * z))


def test_of_another_library_it_is_numpys(monkeypatch):
    monkeypatch.setattr(library_bits, "is_known", lambda: False)
    z = np.linspace(0.1, 4.0, 300) * (1 + 2j)
    made = ag.function(chain)
    assert is_same(made(z), chain(z))
    (region,) = parts_of(made, (z,), hot.Region)
    assert PREFIX not in region.text(*region.lowered()).write()


def test_of_single_floats_it_is_numpys():
    z = (np.linspace(0.1, 4.0, 300) * (1 + 2j)).astype(np.complex64)
    found, wanted = ag.function(chain)(z), chain(z)
    assert found.dtype == wanted.dtype
    assert found.tobytes() == wanted.tobytes()
