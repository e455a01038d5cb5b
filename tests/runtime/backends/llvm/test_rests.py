"""What is left of a division of floats, and quotients towards -inf: NumPy's bits."""

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.mathematics.rests import NAME
from runtime.backends.llvm.switch import has_fma

COUNT = 50_001
NUMBERS = [
    *(0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 3.0, 7.0, np.inf, -np.inf, np.nan),
    *(1e-40, 5e-324, -5e-324, 1e300, 2.0**53, 2.0**52, -(2.0**53) - 2, 2.0**24, 1e-300),
]
PAIRS = np.array([*itertools.product(NUMBERS, NUMBERS)])
pytestmark = [
    pytest.mark.skipif(not has_fma(), reason="the library is called"),
    pytest.mark.usefixtures("noted_in_machine_code"),
]


def left(x, y):
    return (x % y) * 1.0


def left_by_a_number(x, y):
    return x % 0.3 + 1.0, np.mod(x, -2.5), x % y[0]


def quotients(x, y):
    return (x // 0.7) * 1.0, x // -2.0 + x, np.floor_divide(x, 1e-3)


FUNCTIONS = [left, left_by_a_number, quotients]


def is_same(found, wanted):
    """Whether all bits are the same, but those of NaNs."""
    pairs = [*zip(found, wanted, strict=True)] if type(found) is tuple else None
    if pairs is not None:
        return all(is_same(*pair) for pair in pairs)
    both = np.isnan(found) & np.isnan(wanted)
    whole = f"i{found.dtype.itemsize}"
    same = found.view(whole) == wanted.view(whole)
    return found.dtype == wanted.dtype and bool(np.all(same | both))


def near_multiples(rng, char):
    """Numbers, and what is next to many times as much."""
    y = rng.normal(size=COUNT).astype(char)
    x = (rng.integers(-(10**6), 10**6, COUNT) * y).astype(char)
    ends = rng.choice([-np.inf, 0.0, np.inf], COUNT).astype(char)
    return np.where(ends == 0.0, x, np.nextafter(x, ends)), y


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_elements_are_numpys_to_the_bit(function, char):
    rng, size = np.random.default_rng(1), np.dtype(char).itemsize
    made = ag.function(function)
    usual = 10 * rng.normal(size=COUNT), rng.normal(size=COUNT)
    ints = rng.integers(-50, 50, COUNT), rng.integers(-9, 9, COUNT)
    any_bits = [np.frombuffer(rng.bytes(COUNT * size), char) for _ in range(2)]
    for pair in (usual, ints, any_bits, near_multiples(rng, char), PAIRS.T):
        with np.errstate(all="ignore"):
            x, y = (one.astype(char) for one in pair)
        assert is_same(made(x, y), function(x, y))
    assert f"own {'float' if char == 'f' else 'double'} {NAME}" in made.inspect("loops")


def told_by(function, *given):
    """The words of warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(*given)
    return {str(one.message) for one in told}


@pytest.mark.parametrize("function", [left, quotients])
def test_what_is_special_is_noted_as_numpy_does(function):
    made = ag.function(function)
    with np.errstate(all="warn", under="ignore"):
        for pair in PAIRS:
            x, y = (np.full(9, one) for one in pair)
            assert told_by(made, x, y) == told_by(function, x, y), pair


def test_quotients_by_what_may_be_0_are_numpys():
    made = ag.function(lambda x, y: (x // y) * 1.0)
    x, y = PAIRS.T
    assert is_same(made(x, y), (x // y) * 1.0)
    assert "numpys floor_divide" in made.inspect("loops")


def test_numbers_are_pythons_and_numpys():
    def by_index(x, y, made):
        for i in range(len(x)):
            if y[i] != 0.0:
                of_pythons = float(x[i]) % float(y[i]) + float(x[i]) // float(y[i])
                made[i] = of_pythons + x[i] % y[i] + divmod(x[i], y[i])[0]
        return made

    rng = np.random.default_rng(3)
    finite = PAIRS[np.isfinite(PAIRS).all(1)]
    x, y = np.concatenate([9 * rng.normal(size=(2001, 2)), finite]).T.copy()
    made = ag.function(by_index)
    assert is_same(made(x, y, 0 * x), by_index(x, y, 0 * x))
    assert NAME in made.inspect("loops")
