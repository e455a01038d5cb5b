"""`np.maximum` and `np.minimum` of floats: which zero, and which NaN, as NumPy has."""

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import elements, library_bits
from runtime.backends.llvm.library_bits import are_second_of_equals
from tests.runtime.backends.llvm.compiling import LAYOUTS

# NaNs of their own, by which it is seen which one was taken.
NANS = np.array([0x7FF8000000000001, 0xFFF8000000000002], np.uint64).view(float)
NUMBERS = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 5e-324, *NANS.tolist()]
PAIRS = np.array([*itertools.product(NUMBERS, NUMBERS)] * 3)
pytestmark = pytest.mark.usefixtures("noted_in_machine_code")
only_where_known = pytest.mark.skipif(
    not are_second_of_equals(), reason="NumPy has another order of zeros here"
)
both = pytest.mark.parametrize("ufunc", [np.maximum, np.minimum])


@only_where_known
@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("layout", LAYOUTS)
@both
def test_elements_are_numpys_to_the_bit(ufunc, layout, char):
    x, y = (LAYOUTS[layout](one) for one in PAIRS.astype(char).T)

    def alone(x, y):
        return ufunc(x, y), ufunc(y, x)

    def by_a_number(x):
        return ufunc(x, 0.0) * 1, ufunc(0.0, x) * 1, ufunc(x, -0.0), ufunc(1.0, x)

    for function, given in ((alone, (x, y)), (by_a_number, (x,))):
        made = ag.function(function)
        for found, wanted in zip(made(*given), function(*given), strict=True):
            assert found.tobytes() == wanted.tobytes()
        assert "numpys" not in made.inspect("loops")


@only_where_known
@both
def test_numbers_are_numpys_to_the_bit(ufunc):
    def by_index(x, y, made):
        for i in range(len(x)):
            made[i] = ufunc(x[i], y[i])
        return made

    x, y = PAIRS.T.copy()
    made = ag.function(by_index)
    assert made(x, y, 0 * x).tobytes() == by_index(x, y, 0 * x).tobytes()
    assert "numpy maximum" not in made.inspect("loops")


@both
def test_nothing_is_said_of_nan(ufunc):
    def function(x):
        return ufunc(x, 0.5) * 2.0 + ufunc(x[::-1], x)

    x = np.array([np.nan, 1.0, -np.nan, 0.0] * 9)
    made = ag.function(function)
    with np.errstate(all="warn"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(x).tobytes() == function(x).tobytes()


@both
def test_what_is_computed_for_it_is_told_of(ufunc):
    def function(x):
        return ufunc(1.0 / x, 0.5) * 2.0

    made = ag.function(function)
    with np.errstate(all="warn"), pytest.warns(RuntimeWarning, match="divide by zero"):
        made(np.zeros(9))


@both
def test_in_another_order_of_zeros_it_is_numpys(ufunc, monkeypatch):
    monkeypatch.setattr(elements, "are_second_of_equals", lambda: False)
    made = ag.function(lambda x: ufunc(x, 0.0) * 2)
    made(np.linspace(-1.0, 1.0, 300))
    assert f"numpys {ufunc.__name__}" in made.inspect("loops")


@pytest.mark.parametrize("where", ["alone", "long", "gaps"])
def test_another_order_in_one_place_is_seen(where, monkeypatch):
    def first_of_equals(a, b):
        found = np.where((a >= b) | np.isnan(a), a, b)
        size = np.broadcast(a, b).size
        is_there = {
            "alone": size == 1,
            "long": size > 100,
            "gaps": 2 * b.itemsize in b.strides,
        }
        return found if is_there[where] else maximum(a, b)

    maximum = np.maximum
    monkeypatch.setattr(library_bits.np, "maximum", first_of_equals)
    assert not are_second_of_equals.__wrapped__()
