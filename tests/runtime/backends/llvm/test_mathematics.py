"""With precise=False machine code has exp, sin and the like of our own."""

import math
import warnings

import numpy as np
import pytest

try:
    from scipy import special
except ImportError:
    special = None

import autograph as ag
from runtime import store
from runtime.backends.llvm import engine, hot, switch
from runtime.backends.llvm.mathematics import FUNCTIONS, PREFIX
from runtime.backends.llvm.scalars import MAPPED
from runtime.backends.llvm.vectors import lanes
from tests.runtime.backends.llvm.compiling import parts_of
from tests.runtime.backends.llvm.exact import exactly, named

LONG = np.longdouble
# In units of the last place; of all others so many.
BEST = dict.fromkeys(("exp", "log", "sin", "cos", "tanh"), 1.5)
REST = 4.0
# Where a function does most of its work.
USUAL = {
    **dict.fromkeys(("exp", "expm1", "sinh", "cosh"), (-87.0, 88.0)),
    **dict.fromkeys(("exp2", "tanh", "arctan", "cbrt"), (-20.0, 20.0)),
    **dict.fromkeys(("sin", "cos", "tan"), (-1e4, 1e4)),
    **dict.fromkeys(("arcsin", "arccos"), (-1.0, 1.0)),
    **dict.fromkeys(("log", "log2", "log10", "power", "hypot"), (0.0, 50.0)),
    **dict.fromkeys(("log1p", "arctan2", "arcsinh"), (-1.0, 3.0)),
    **dict.fromkeys(("arctanh",), (-1.0, 1.0)),
    **dict.fromkeys(("arccosh",), (1.0, 3.0)),
    **{"erf": (-6.5, 6.5), "gammaln": (0.0, 12.0)},
}
COUNT = 4099  # not a whole number of vectors
DTYPES = [np.float64, np.float32]
SPECIAL = [
    *(0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-40, -1e-40),
    *(5e-324, -5e-324, 1e-310, 1e300, -1e300, 709.0, 710.0, -708.5, -745.0, -746.0),
    *(88.0, 89.0, -87.5, -104.0, 1023.5, 1024.0, -1074.0, -1080.0, 128.0, -150.0),
    *(1e22, -1e22, 2.0**20, 1.5, -1.5, 22.0, -2.0, 3.0, 1e-20, 1000.0, -1000.0),
]


def own(name):
    """A function of elements with our own mathematics; one op alone has none."""
    ufunc = named(name)
    if ufunc.nin == 1:
        return ag.function(lambda x: 1.0 * ufunc(x), precise=False)
    return ag.function(lambda x, y: 1.0 * ufunc(x, y), precise=False)


@pytest.fixture(autouse=True)
def _all_at_once():
    with ag.config(backend="native"):
        yield


def of_all_sizes(rng, dtype):
    """Numbers of any bits: over all exponents, infinities and NaNs among them."""
    kind = np.dtype(f"u{np.dtype(dtype).itemsize}")
    bits = rng.integers(0, np.iinfo(kind).max, COUNT, dtype=kind, endpoint=True)
    return bits.view(dtype)


def units(found, exact, dtype):
    """How far results are from the exact ones, in units of the last place."""
    known = np.finfo(dtype)
    is_usual = np.isfinite(exact) & (np.abs(exact) <= LONG(known.max))
    _, exponents = np.frexp(np.where(is_usual, exact, 1))
    least = known.minexp - known.nmant
    unit = np.ldexp(LONG(1), np.maximum(exponents - 1 - known.nmant, least))
    return np.where(is_usual, np.abs(found.astype(LONG) - exact) / unit, 0)


@pytest.mark.skipif(
    np.finfo(LONG).nmant < 60, reason="there is nothing more exact to compare with"
)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_near(name, dtype):
    ufunc, function, exact_of = named(name), own(name), exactly(name)
    rng = np.random.default_rng(len(name))
    low, high = USUAL[name]
    usual = [rng.uniform(low, high, COUNT).astype(dtype) for _ in range(ufunc.nin)]
    near = [1 + rng.uniform(-0.1, 0.1, COUNT).astype(dtype) for _ in range(ufunc.nin)]
    any_ = [of_all_sizes(rng, dtype) for _ in range(ufunc.nin)]
    if name == "gammaln":
        any_ = [np.abs(one) for one in any_]  # below 0 it is the C library's
    with np.errstate(all="ignore"):
        for given in (usual, near, any_):
            exact = exact_of(*[one.astype(LONG) for one in given])
            found = function(*given)
            assert found.dtype == dtype
            assert np.array_equal(np.isnan(found), np.isnan(exact))
            assert units(found, exact, dtype).max() <= BEST.get(name, REST)


def told_by(function, given):
    """What comes of it, and the kinds of NumPy's warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(*given)
    return found, {str(one.message).split(" encountered")[0] for one in told}


def is_alike(found, wanted, dtype):
    """Whether zeros, infinities and NaNs are the same, signs too, and the rest near."""
    is_number = ~np.isnan(wanted)
    a, b = found[is_number], wanted[is_number]
    is_special = (b == 0) | np.isinf(b)
    near = np.isclose(a, b, rtol=4 * np.finfo(dtype).eps, atol=0)
    return bool(
        np.array_equal(np.isnan(found), ~is_number)
        and np.array_equal(np.signbit(a), np.signbit(b))
        and np.all(np.where(is_special, a == b, near | (np.abs(a - b) <= 4e-323)))
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values_are_numpys(name, dtype):
    ufunc, function = named(name), own(name)
    with np.errstate(all="ignore"):
        numbers = np.array(SPECIAL).astype(dtype)
    if name == "gammaln":
        # SciPy's is infinite for numbers that are too small to be inverted.
        numbers = numbers[
            (numbers == 0) | (np.abs(numbers) > 1e-39) | np.isnan(numbers)
        ]
    for x in numbers:
        for y in numbers[::3] if ufunc.nin == 2 else [x]:
            # Beside usual numbers, in vectors and in what remains.
            given = [np.full(19, one) for one in (x, y)][: ufunc.nin]
            for one in given:
                one[3:5] = 0.75
            wanted, warned = told_by(ufunc, given)
            found, told = told_by(function, given)
            with np.errstate(all="ignore"):
                assert is_alike(found, wanted, dtype), (x, y, found, wanted)
            # NumPy's functions for vectors note more than those for one number, or
            # less; of infinite operands nothing overflows, though they may say so.
            _, once = told_by(ufunc, [one[0] for one in given])
            is_exact = not told and np.isinf([x, y]).any()
            assert told in (warned, once) or is_exact, (x, y, told, warned)


# --- where they are used --------------------------------------------------------------
x19 = np.linspace(0.1, 4.0, 19)
x300 = np.linspace(0.1, 4.0, 300)  # its loops are not unrolled


def mixed(x):
    return np.exp(-x) * np.log(x) + np.tanh(x) * np.sin(x) + x**2.5


def in_steps(x):
    return np.exp(x[::2]) - np.cos(x[::2])


def summed(x):
    return np.sum(np.exp(-x * x)) + np.mean(np.tanh(x))


def by_element(x):
    total = 0.0
    for i in range(len(x)):
        total = total + np.exp(x[i]) * np.power(x[i], 1.5)
    return total


def in_lanes(x):
    made = np.zeros(len(x))
    for i in range(len(x)):
        y = x[i]
        while abs(np.cos(y) - y) > 1e-4:
            y = 0.5 * (y + np.cos(y))
        made[i] = y
    return made


def of_scipy(x):
    part = 0.5 * x * (1.0 + special.erf(x / 2**0.5))
    return np.sum(special.gammaln(part + 1.0) - special.erf(x)), part


def of_scipy_by_element(x):
    total = 0.0
    for i in range(len(x)):
        total = total + special.erf(x[i]) * special.gammaln(x[i] + 2.5)
    return total


def of_python(x):
    total = 0.0
    for i in range(len(x)):
        v = float(x[i])
        total = total + math.erf(v) - math.lgamma(v + 0.5) * math.exp(-v)
    return total


USES = [mixed, in_steps, summed, by_element, in_lanes, of_python]
if special is not None:
    USES += [of_scipy, of_scipy_by_element]


def parts(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_all_kinds_of_loops_have_them(use, dtype):
    x = x300.astype(dtype)
    function = ag.function(use, precise=False)
    near = 30 * np.finfo(dtype).eps
    for found, wanted in zip(parts(function(x)), parts(use(x)), strict=True):
        assert np.allclose(found, wanted, rtol=near, atol=near)
    text = function.get_concrete_function(x).inspect("llvm")
    assert PREFIX in text


@pytest.mark.parametrize("exponent", [2.3, -1.7, np.float64(0.3)])
def test_powers_by_the_operator_are_our_own(exponent):
    def raised(x):
        return x**exponent + x ** (x - 0.5)

    function = ag.function(raised, precise=False)
    assert np.allclose(function(x300), raised(x300), rtol=1e-15)
    assert f"{PREFIX}power" in function.get_concrete_function(x300).inspect("llvm")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exponent", [3, 8, 7.0, 12, -3, 1.5, -0.5, 2.5])
def test_powers_by_halves_of_ints_need_no_logarithm(exponent, dtype):
    function = ag.function(lambda x: 1.0 * x**exponent, precise=False)
    x = np.linspace(0.1, 4.0, 67).astype(dtype)
    exact = x.astype(LONG) ** LONG(exponent)
    assert units(function(x), exact, dtype).max() <= REST
    assert f"{PREFIX}power" not in text_of(function, x)
    for number in (0.0, -0.0, np.inf, -np.inf, np.nan, -1.5, 1e30, -1e-30):
        given = np.full(19, number, dtype)
        given[3:5] = 0.75
        wanted, warned = told_by(lambda x: x**exponent, (given,))
        found, told = told_by(function, (given,))
        with np.errstate(all="ignore"):
            assert is_alike(found, wanted, dtype), (number, found, wanted)
        assert told == warned, (number, told, warned)


@pytest.mark.parametrize("exponent", [-1, 0, -1.0])
def test_powers_with_another_name_warn_as_numpy_does(exponent):
    def raised(x):
        return x**exponent * 2.0

    x = np.array([0.0, 2.0, 0.5] * 9)
    function = ag.function(raised, precise=False)
    wanted, warned = told_by(raised, (x,))
    found, told = told_by(function, (x,))
    assert (found.tobytes(), told) == (wanted.tobytes(), warned)


def test_lanes_have_their_own():
    function = ag.function(in_lanes, precise=False)
    (loop, *_) = parts_of(function, (x300,), hot.HotLoop)
    assert f"{PREFIX}cos_v{lanes()}f64" in loop.text(*loop.lowered()).write()


def test_an_element_is_the_same_wherever_it_stands():
    function = own("exp")
    x = np.linspace(-5.0, 5.0, 23)
    whole = function(x)
    for first in range(9):
        assert function(x[first:]).tobytes() == whole[first:].tobytes()


@pytest.mark.with_passes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["exp", "log", "tanh"])
def test_an_element_is_the_same_beside_what_is_not_usual(name, dtype):
    function, x = own(name), np.geomspace(0.05, 9.0, 48).astype(dtype)
    usual, others = function(x), np.arange(48) % 16 != 5
    for number in (np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, -3.0, 1e-40, 9e2):
        y = np.where(others, x, dtype(number))
        with np.errstate(all="ignore"):
            assert function(y)[others].tobytes() == usual[others].tobytes()


# --- the setting ----------------------------------------------------------------------
def text_of(function, *arguments):
    """LLVM's text of the one region."""
    (region,) = parts_of(function, arguments, hot.Region)
    return region.text(*region.lowered()).write()


def test_without_it_the_bits_are_numpys_and_the_text_is_another():
    usual, ours = ag.function(mixed), ag.function(mixed, precise=False)
    assert usual(x19).tobytes() == mixed(x19).tobytes()
    texts = [text_of(one, x19) for one in (usual, ours)]
    assert [f"{PREFIX}tanh" in text for text in texts] == [False, True]
    assert len({store.key_of(text) for text in texts}) == 2


@pytest.mark.skipif(special is None, reason="SciPy is not installed")
def test_without_it_scipys_functions_are_its_own():
    function = ag.function(of_scipy)
    for found, wanted in zip(function(x300), of_scipy(x300), strict=True):
        assert found.tobytes() == wanted.tobytes()
    text = function.get_concrete_function(x300).inspect("llvm")
    assert not [name for name in FUNCTIONS if f"{PREFIX}{name}_" in text]


def test_it_is_asked_when_a_trace_is_made():
    function, other = ag.function(mixed), ag.function(mixed, precise=True)
    with ag.config(precise=False):
        function(x19)
        other(x19)
        assert f"{PREFIX}tanh" not in text_of(other, x19)
    assert f"{PREFIX}tanh" in text_of(function, x19)


def test_vectors_are_made_of_them():
    function = ag.function(mixed, precise=False)
    text = text_of(function, x19)
    assert MAPPED in text
    assert "call <" in engine.optimized(text)


def test_without_a_fused_product_the_functions_are_numpys(monkeypatch):
    monkeypatch.setattr(switch, "has_fma", lambda: False)
    function = ag.function(mixed, precise=False)
    assert function(x19).tobytes() == mixed(x19).tobytes()
