"""Functions of our own that have the C library's bits: all of them, always."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot, library_bits
from runtime.backends.llvm.library_bits import is_known, is_librarys, of_numbers
from runtime.backends.llvm.mathematics import PREFIX, ROUNDED
from runtime.backends.llvm.mathematics.rounded import HALVES, KNOWN
from runtime.backends.llvm.vectors import lanes
from tests.runtime.backends.llvm.compiling import parts_of

LONG = np.longdouble
COUNT = 100_003  # not a whole number of vectors
# Where a function does most of its work.
USUAL = {
    "exp": (-30.0, 30.0),
    "log": (0.0, 30.0),
    "sin": (-100.0, 100.0),
    "cos": (-100.0, 100.0),
}
EXPONENTS = [3, 4, 5, 6.5, 7.5, -1, -2, -3.5, 0.5, -0.5, 1.5, 12, -11.5]
SPECIAL = [
    *(0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-40, -1e-40),
    *(5e-324, -5e-324, 1e-310, 1e300, -1e300, 709.0, 710.0, -708.5, -745.0, -746.0),
    *(1.5, -1.5, 2.0**20, 1e22, -1e22, 1e-160, 1e160, 3.0, np.pi, 1e-20, 2.0**-1022),
]

# Where more is told of, all is Python's.
USUALLY = {"all": "warn", "under": "ignore"}

# Elsewhere (musl, macOS, another machine) the library is called as before: there is
# nothing of ours that could have its bits.
only_where_known = pytest.mark.skipif(
    not is_known(), reason="this C library's errors are not known"
)
pytestmark = [only_where_known, pytest.mark.usefixtures("noted_in_machine_code")]


def of_arrays(name):
    """A function of elements in a chain: one op alone is NumPy's loop."""
    if not is_librarys(name):
        # With AVX-512 NumPy's loops are no library's, and are called as before.
        pytest.skip("NumPy has a function of its own")
    ufunc = getattr(np, name)
    if ufunc.nin == 1:
        return ufunc, ag.function(lambda x: 1.0 * ufunc(x))
    return ufunc, ag.function(lambda x, y: 1.0 * ufunc(x, y))


def is_same(found, wanted):
    """Whether all bits are the same, but those of NaNs."""
    both = np.isnan(found) & np.isnan(wanted)
    return bool(np.all((found.view(np.int64) == wanted.view(np.int64)) | both))


def of_any_bits(rng, count=COUNT):
    """Numbers over all exponents, infinities and NaNs among them."""
    least, most = -(2**63), 2**63 - 1
    return rng.integers(least, most, count, dtype=np.int64, endpoint=True).view(float)


def near_a_middle(function, x, exact=None):
    """Those of x whose exact result is next to the middle of two floats."""
    exact = function(x.astype(LONG)) if exact is None else exact
    nearest = exact.astype(float)
    off = np.abs((exact - nearest.astype(LONG)) / np.spacing(nearest).astype(LONG))
    return x[np.abs(off - 0.5) < 0.03]


# What bits are near a middle is found by floats of 64 bits, which not all have.
only_where_exact = pytest.mark.skipif(
    np.finfo(LONG).nmant < 60, reason="there is nothing more exact to compare with"
)


# --- arrays ---------------------------------------------------------------------------
@pytest.mark.parametrize("name", USUAL)
def test_elements_have_the_librarys_bits(name):
    ufunc, function = of_arrays(name)
    rng = np.random.default_rng(len(name))
    near = 1.0 + rng.uniform(-0.1, 0.1, COUNT)
    small = np.exp(rng.uniform(-60.0, 1.0, COUNT)) * rng.choice([-1, 1], COUNT)
    wide = rng.uniform(-760.0, 760.0, COUNT)
    for x in (rng.uniform(*USUAL[name], COUNT), near, small, wide, of_any_bits(rng)):
        assert is_same(function(x), ufunc(x))
    (region,) = parts_of(function, (x,), hot.Region)
    assert f"{PREFIX}rounded_{name}_v" in region.text(*region.lowered()).write()


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_angles_near_multiples_of_a_right_one_have_them(name):
    ufunc, function = of_arrays(name)
    rng = np.random.default_rng(3)
    x = np.pi / 2 * rng.integers(-700_000, 700_000, COUNT)
    x = x * (1.0 + rng.integers(-2, 3, COUNT) * 2.0**-52)
    assert is_same(function(x), ufunc(x))


def test_powers_of_arrays_have_them():
    ufunc, function = of_arrays("power")
    rng = np.random.default_rng(5)
    wide = np.exp(rng.uniform(-300.0, 300.0, COUNT))
    pairs = [
        (rng.uniform(0.0, 20.0, COUNT), rng.uniform(-9.0, 9.0, COUNT)),
        (wide, rng.uniform(-3.0, 3.0, COUNT)),
        (rng.uniform(0.5, 2.0, COUNT), rng.uniform(-900.0, 900.0, COUNT)),
        (1.0 + rng.uniform(-1e-3, 1e-3, COUNT), rng.uniform(-1e5, 1e5, COUNT)),
        (of_any_bits(rng), of_any_bits(rng)),
        (of_any_bits(rng), rng.integers(-9, 9, COUNT).astype(float)),
    ]
    for x, y in pairs:
        assert is_same(function(x, y), ufunc(x, y))


@pytest.mark.parametrize("exponent", [*EXPONENTS, 2.3, -0.7])
def test_powers_of_arrays_by_a_number_have_them(exponent):
    rng = np.random.default_rng(int(2 * exponent) + 99)
    whole = float(exponent).is_integer()
    signed = rng.normal(size=COUNT // 4) if whole else []
    usual = rng.uniform(0.0, 5.0, COUNT // 4)

    def raised(x):
        return x**exponent * 1.0

    function = ag.function(raised)
    for x in (np.concatenate([usual, signed]), of_any_bits(rng, COUNT // 4)):
        assert is_same(function(x), raised(x))


@pytest.mark.parametrize("exponent", [2.0, 0.5, -1.0, 1.0, 3.0, -0.5, 400.0])
def test_powers_of_numpys_function_by_a_number_are_its_own(exponent):
    x = np.random.default_rng(19).uniform(0.0, 5.0, COUNT)

    def raised(x):
        return np.power(x, exponent) * 1.0

    assert is_same(ag.function(raised)(x), raised(x))


@only_where_exact
@pytest.mark.parametrize("name", USUAL)
def test_results_near_the_middle_of_two_floats_are_the_librarys(name):
    ufunc, function = of_arrays(name)
    rng = np.random.default_rng(7)
    low, high = USUAL[name]
    x = near_a_middle(ufunc, rng.uniform(low, min(high, 9.0), 10 * COUNT))
    assert x.size > COUNT // 4
    assert is_same(function(x), ufunc(x))


@only_where_exact
@pytest.mark.parametrize("exponent", [2, 3, 0.5, 1.5, -1, -2.5, 6, -12])
def test_powers_near_the_middle_of_two_floats_are_the_librarys(exponent):
    rng = np.random.default_rng(11)
    x = rng.uniform(0.5, 4.0, 2 * COUNT)
    x = near_a_middle(None, x, x.astype(LONG) ** LONG(exponent))[:4000]

    def raised(x, made):
        for i in range(len(x)):
            made[i] = x[i] ** exponent
        return made

    assert x.size > 1000
    wanted = np.array([math.pow(one, exponent) for one in x.tolist()])
    assert is_same(ag.function(raised)(x, np.zeros(len(x))), wanted)


@pytest.mark.parametrize("name", [*USUAL, "power"])
def test_special_values_are_the_librarys_wherever_they_stand(name):
    ufunc, function = of_arrays(name)
    for number, one in enumerate(SPECIAL):
        for count in range(1, 20):
            x = np.linspace(0.1, 3.0, count)
            x[(5 * number) % count] = one
            given = [x, x[::-1].copy()][: ufunc.nin]
            assert is_same(function(*given), ufunc(*given)), (one, count)


@pytest.mark.parametrize("name", [*USUAL, "power"])
def test_warnings_are_numpys(name):
    ufunc, function = of_arrays(name)
    for one in SPECIAL:
        x = np.full(19, 0.75)
        x[4] = one
        given = [x, x[::-1] + 1.5][: ufunc.nin]
        with np.errstate(**USUALLY):
            assert told_by(function, given) == told_by(ufunc, given), one


@pytest.mark.parametrize("exponent", [-2, 3, -0.5, 1.5, -12])
def test_warnings_of_powers_by_a_number_are_numpys(exponent):
    def raised(x):
        return x**exponent * 1.0

    function = ag.function(raised)
    for one in SPECIAL:
        x = np.full(19, 0.75)
        x[4] = one
        with np.errstate(**USUALLY):
            assert told_by(function, [x]) == told_by(raised, [x]), one


def told_by(function, given):
    """The kinds of warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(*given)
    return {str(one.message).split(" encountered")[0] for one in told}


# --- numbers --------------------------------------------------------------------------
def powers_of(exponent):
    """A loop over numbers of Python's, and one over NumPy's."""

    def of_pythons(x, made):
        for i in range(len(x)):
            made[i] = float(x[i]) ** exponent
        return made

    def of_numpys(x, made):
        for i in range(len(x)):
            made[i] = x[i] ** exponent
        return made

    return of_pythons, of_numpys


@pytest.mark.parametrize("exponent", [*EXPONENTS, 2.3, 13, 2])
def test_powers_of_numbers_have_the_librarys_bits(exponent):
    rng = np.random.default_rng(13)
    x = np.exp(rng.uniform(-3.0, 3.0, 3001))
    if float(exponent).is_integer():
        x[::3] *= -1.0
    wanted = np.array([math.pow(one, exponent) for one in x.tolist()])
    for loop in powers_of(exponent):
        assert is_same(ag.function(loop)(x, np.zeros(len(x))), wanted)


@pytest.mark.parametrize("exponent", [3, 1.5, -2, -0.5, 2.3])
def test_special_powers_of_numbers_are_numpys(exponent):
    x = np.array([*SPECIAL] * 3)
    _, loop = powers_of(exponent)
    wanted = loop(x, np.zeros(len(x)))
    assert is_same(ag.function(loop)(x, np.zeros(len(x))), wanted)
    with np.errstate(**USUALLY):
        function = ag.function(loop)
        for one in SPECIAL:
            given = np.full(9, one), np.zeros(9)
            assert told_by(function, given) == told_by(loop, given), one


@pytest.mark.parametrize(
    ("base", "exponent"), [(1e200, 3), (0.0, -2), (0.0, -0.5), (1e-200, -12)]
)
def test_powers_of_numbers_raise_as_pythons_do(base, exponent):
    def powers(x):
        total = 0.0
        for one in x:
            total = total + one**exponent
        return total

    x = [1.0, 2.0, base]
    with pytest.raises((OverflowError, ZeroDivisionError)) as wanted:
        powers(x)
    with pytest.raises(wanted.type) as found:
        ag.function(powers)(x)
    assert str(found.value) == str(wanted.value)


def test_a_root_of_a_number_below_zero_is_complex():
    def roots(x):
        total = 0.0
        for one in x:
            total = total + one**0.5
        return total

    assert ag.function(roots)([1.0, 2.0, -4.0]) == roots([1.0, 2.0, -4.0])


def test_functions_of_numbers_have_them():
    def mixed(x, made):
        for i in range(len(x)):
            v = float(x[i])
            made[i] = math.exp(-v) * math.sin(v) + math.cos(v) * math.log(v) + v**v
        return made

    x = np.random.default_rng(17).uniform(0.01, 9.0, 20_003)
    wanted = mixed(x, np.zeros(len(x)))
    assert is_same(ag.function(mixed)(x, np.zeros(len(x))), wanted)


def in_lanes(x):
    made = np.zeros(len(x))
    for i in range(len(x)):
        y, r = x[i], x[i]
        while abs(np.cos(y) - y) > 1e-4:
            y = 0.5 * (y + np.cos(y))
            r = r + y**3 - y**1.5
        made[i] = y + r
    return made


def test_lanes_have_them():
    x = np.linspace(0.1, 4.0, 300)
    function = ag.function(in_lanes)
    assert is_same(function(x), in_lanes(x))
    (loop, *_) = parts_of(function, (x,), hot.HotLoop)
    text = loop.text(*loop.lowered()).write()
    assert f"{PREFIX}rounded_pow_6_halves_v{lanes()}f64" in text
    if is_librarys("cos"):
        assert f"{PREFIX}rounded_cos_v{lanes()}f64" in text


# --- where they are -------------------------------------------------------------------
def chain(x):
    return np.exp(x) * 0.5 + x**3


def text_of(function, *arguments):
    (region,) = parts_of(function, arguments, hot.Region)
    return region.text(*region.lowered()).write()


def test_of_another_numpy_elements_are_its_own(monkeypatch):
    monkeypatch.setattr(library_bits, "is_librarys", lambda name, exponent=None: False)
    x = np.linspace(0.1, 4.0, 300)
    assert PREFIX not in text_of(ag.function(chain), x)


def test_of_another_library_nothing_is_ours(monkeypatch):
    monkeypatch.setattr(library_bits, "is_known", lambda: False)
    x = np.linspace(0.1, 4.0, 300)
    assert PREFIX not in text_of(ag.function(chain), x)
    assert of_numbers("exp") is None


@pytest.mark.parametrize(
    ("version", "machine", "known"),
    [
        ("glibc 2.28", "x86_64", True),
        ("glibc 2.36", "aarch64", True),
        ("glibc 3.0", "x86_64", True),
        ("glibc 2.27", "x86_64", False),
        ("glibc 2.36", "i686", False),
        ("NPTL 2.36", "x86_64", False),
        ("", "x86_64", False),
    ],
)
def test_only_a_library_whose_errors_are_bounded_is_known(
    monkeypatch, version, machine, known
):
    monkeypatch.setattr(library_bits, "version", lambda: version)
    monkeypatch.setattr(library_bits.platform, "machine", lambda: machine)
    monkeypatch.setattr(library_bits, "has_fma", lambda: True)
    assert is_known.__wrapped__() is known


def test_a_library_that_differs_in_one_of_a_thousand_is_another_one(monkeypatch):
    def other(x):
        found = math.exp(x)
        return math.nextafter(found, 9e99) if hash(x) % 1000 == 0 else found

    monkeypatch.setitem(library_bits._ASKED, "exp", (other, -20.0, 20.0))
    assert not is_librarys.__wrapped__("exp")


def test_a_short_cut_of_numpys_is_not_the_librarys_power():
    is_one = {exponent: is_librarys("power", exponent) for exponent in (2.0, 0.5)}
    assert is_one == {2.0: False, 0.5: False}


def test_float32_is_not_the_librarys():
    x = np.linspace(0.1, 4.0, 300, dtype=np.float32)
    text = text_of(ag.function(chain), x)
    assert not [name for name in ROUNDED if f"{PREFIX}{name}_" in text]


def test_where_it_is_not_precise_the_functions_are_the_others():
    x = np.linspace(0.1, 4.0, 300)
    text = text_of(ag.function(chain, precise=False), x)
    assert not [name for name in ROUNDED if f"{PREFIX}{name}_" in text]


def test_each_half_up_to_twelve_is_a_known_power():
    assert [*KNOWN] == [n for n in range(-HALVES, HALVES + 1) if n]
    assert of_numbers("pow", -1.5) == "rounded_pow_minus_3_halves"
    assert of_numbers("pow", 12.5) == of_numbers("pow", 0.3) == "rounded_pow"
    assert of_numbers("pow", 0.0) == "rounded_pow"
    assert {of_numbers("pow", n / 2) for n in KNOWN} < {*ROUNDED}
