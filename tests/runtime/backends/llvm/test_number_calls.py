"""Functions of Python's numbers in loops: machine code, and Python where that ends."""

import math
import struct
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

n = np.int64
LARGE = 2**63
RNG = np.random.default_rng(5)
INTS = [0, 1, -1, 2, 3, -8, 9, 10, 99, 100, -101, 10**18, 2**31, 2**32, 2**53]
INTS += [LARGE - 1, 1 - LARGE, -LARGE, 2**62, -(2**62) - 1]
WIDE = np.array(INTS)
DRAWN = RNG.integers(-(2**62), 2**62, 300) >> RNG.integers(0, 62, 300)
SMALL = RNG.integers(0, 40, 300)


def compiled(function, given):
    """The function in machine code, which has done all that Python does."""
    with ag.config(backend="native"):
        staged = agreeing(function, given)
        (loop,) = loops_of(staged, given[0])
    assert loop.is_made
    return loop


def calls_of(loop):
    """How many calls of Python its machine code has."""
    return sum(one.op == "python" for one in loop.function.body.walk())


# --- ints -----------------------------------------------------------------------------
def bits(x, count):
    found = 0
    for k in range(count):
        i = int(x[k])
        found = (found * 3 + i.bit_count() * 100 + i.bit_length()) % 1_000_003
    return found


def shown(x, count):
    found = 0
    for k in range(count):
        i = int(x[k])
        found = found * 3 + bin(i).count("1") + len(str(i)) + f"{i:b}".count("1")
        found = (found * 3 + len(f"{i}")) % 1_000_003
    return found


def of_bools(x, count):
    found = 0
    for k in range(count):
        is_so = bool(x[k] > 3)
        found = found * 2 % 1001 + is_so.bit_count() + is_so.bit_length()
    return found


@pytest.mark.parametrize("function", [bits, shown, of_bools])
def test_bits_and_digits_of_ints(function):
    loop = compiled(function, [(one, n(len(one))) for one in (WIDE, DRAWN)])
    assert calls_of(loop) == 0


def other_texts(x, count):
    found = 0
    for k in range(count):
        i = int(x[k])
        found = found * 3 + bin(i).count("0") + bin(i).count("11") + len(bin(i))
        found = (found * 3 + f"{i:x}".count("1") + len(f"{i:>9}")) % 1_000_003
    return found


def test_other_questions_of_texts_are_pythons():
    with ag.config(backend="native"):
        agreeing(other_texts, [(WIDE, n(len(WIDE))), (DRAWN, n(300))])


def in_common(x, y, count):
    found = 0
    for k in range(count):
        found = (found * 3 + math.lcm(x[k], y[k])) % 1_000_000_007
    return found


def test_the_least_common_multiple():
    x, y = np.array([(a, b) for a in INTS for b in INTS]).T
    small, other = RNG.integers(-(10**9), 10**9, (2, 300))
    given = [(small, other, n(300)), (x, y, n(len(x))), (DRAWN, SMALL, n(300))]
    compiled(in_common, given)


def chosen(x, y, count):
    found = 0
    for k in range(count):
        a, b = int(x[k]), int(y[k])
        found = (found * 3 + math.comb(a, b) + math.perm(a, b)) % 1_000_000_007
    return found


def products(x, count):
    found = 0
    for k in range(count):
        found = (found * 3 + math.factorial(int(x[k]))) % 1_000_000_007
    return found


def test_how_many_choices_there_are():
    a, b = np.array([(a, b) for a in range(70) for b in range(70)]).T
    compiled(chosen, [(a, b, n(len(a))), (a, b[::-1].copy(), n(len(a)))])
    far = np.array([2**62, 2**40, 10**9, 5]), np.array([1, 2, 2, 2**62])
    compiled(chosen, [(*far, n(4))])
    compiled(products, [(SMALL, n(300)), (np.arange(26), n(26))])


@pytest.mark.parametrize("pair", [(-1, 2), (3, -1), (-5, -7)])
def test_what_python_refuses_it_refuses_in_its_words(pair):
    x, y = (np.array([5, 3, one]) for one in pair)
    compiled(chosen, [(x, y, n(3)), (x, y, n(2))])
    if pair[0] < 0:
        compiled(products, [(x, n(3)), (x, n(2))])


def powers(x, y, modulus, count):
    found = 0
    for k in range(count):
        found = found * 3 + pow(int(x[k]), int(y[k]), int(modulus[k]))
        found %= 1_000_000_007
    return found


def test_powers_of_a_rest():
    most = 2**32
    moduli = [1, 2, 3, 97, 10**9 + 7, most - 1, most, most + 1, 2**61 - 1, -7, -1]
    bases = [0, 1, -1, 2, -3, 10**9, most - 1, -most, LARGE - 1, -LARGE]
    exponents = [0, 1, 2, 3, 64, 65537, 2**40, LARGE - 1]
    each = [(a, b, m) for m in moduli for a in bases for b in exponents]
    x, y, modulus = np.array(each).T
    compiled(powers, [(x, y, modulus, n(len(x)))])
    drawn = RNG.integers(0, most, 300)
    compiled(powers, [(DRAWN, np.abs(DRAWN), drawn + 1, n(300))])


@pytest.mark.parametrize("last", [(3, -1, 7), (3, -1, 9), (4, 5, 0), (0, -2, 5)])
def test_powers_that_are_inverses_or_none(last):
    x, y, modulus = (np.array([7, one]) for one in last)
    compiled(powers, [(x, y, modulus, n(2)), (x, y, modulus, n(1))])


# --- floats ---------------------------------------------------------------------------
def round_to(digits):
    def rounded(x, found, count):
        for k in range(count):
            found[k] = round(float(x[k]), digits)
        return found

    return rounded


def as_bits(one):
    return struct.pack("<d", one)


def floats():
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.8e308, 0.5, 2.5]
    special += [2.675, 1.005, 0.125, -0.125, 0.285, 1e15 + 0.5, 2.0**51 + 0.5, 1e22]
    halves = RNG.integers(-(10**6), 10**6, 400) + 0.5
    halves /= 10.0 ** RNG.integers(0, 9, 400)
    beside = np.nextafter(halves, np.inf), np.nextafter(halves, -np.inf)
    exact = RNG.integers(-(2**20), 2**20, 400) / 2.0 ** RNG.integers(0, 18, 400)
    wide = RNG.normal(size=400) * 10.0 ** RNG.integers(-30, 30, 400)
    return np.concatenate([special, halves, *beside, exact, wide])


@pytest.mark.parametrize("digits", [*range(9), 12, 15, 16, 20, 22, 23, -1, -3])
def test_decimals_are_rounded_to_the_bit(digits):
    x = floats()
    with ag.config(backend="native"):
        staged = ag.function(round_to(digits))
        for _ in range(3):
            found = staged(x, np.zeros(len(x)), n(len(x)))
            for one, value in zip(x.tolist(), found.tolist(), strict=True):
                assert as_bits(value) == as_bits(round(one, digits)), (one, digits)


def test_rounding_is_machine_code():
    x = RNG.normal(size=300)
    compiled(round_to(2), [(x, np.zeros(300), n(300))])


def numpys_rounded(x, count):
    found = 0.0
    for k in range(count):
        found = found * 0.5 + round(x[k], 2) + round(x[k], 0)
    return found


def test_numpys_numbers_are_rounded_as_numpy_does():
    usual = floats()
    usual = usual[np.isfinite(usual)]
    with ag.config(backend="native"):
        staged = agreeing(numpys_rounded, [(usual, n(len(usual)))])
        for number in (math.nan, math.inf, 1.7e308):
            agreeing(numpys_rounded, [(np.array([1.5, number, 2.25]), n(3))])
        agreeing(numpys_rounded, [(usual[20:].astype("f4"), n(300))])
    assert staged


def rounded_ints(x, count):
    found = 0
    for k in range(count):
        found = found * 3 % 1001 + round(int(x[k]), 2) + round(int(x[k]), -2)
    return found


def whole(x, count):
    found = 0
    for k in range(count):
        found = found * 2 % 1009 + float(x[k]).is_integer() + (k * 1.5).is_integer()
    return found


def close(x, count):
    found = 0
    for k in range(count):
        a, b = float(x[k]), float(x[k - 1])
        found = found * 2 % 1009 + math.isclose(a, b) + math.isclose(a, a + 1e-9)
        found += math.isclose(a, 1.0, rel_tol=0.5) + math.isclose(0, a, abs_tol=1)
        found += math.isclose(k, a, rel_tol=0, abs_tol=0.25)
    return found


def logs(x, count):
    found = 0.0
    for k in range(count):
        found = found * 0.5 + math.log(float(x[k]), 2) + math.log(k + 2, 10.0)
    return found


@pytest.mark.parametrize("function", [rounded_ints, whole, close, logs])
def test_other_functions_of_numbers(function):
    warnings.resetwarnings()
    x = floats()
    positive = np.abs(x[np.isfinite(x) & (x != 0)])
    given = {rounded_ints: WIDE, logs: positive}.get(function, x)
    loop = compiled(function, [(given, n(len(given))), (given[:3].copy(), n(3))])
    assert (calls_of(loop) > 0) is (function is rounded_ints)


def negative_tolerance(x, count):
    found = 0
    for k in range(count):
        found += math.isclose(float(x[k]), 1.0, rel_tol=-1)
    return found


def log_of_nothing(x, count):
    found = 0.0
    for k in range(count):
        found += math.log(2.5, float(x[k]))
    return found


@pytest.mark.parametrize("function", [negative_tolerance, log_of_nothing])
@pytest.mark.parametrize("last", [1.0, 0.0, -1.0, math.nan, math.inf])
def test_functions_of_numbers_raise_as_python_does(function, last):
    x = np.array([2.0, 3.0, last])
    with ag.config(backend="native"):
        agreeing(function, [(x, n(2)), (x, n(3))])


def warned(x, count):
    found = np.float64(0.0)
    for k in range(count):
        found = found + round(float(x[k]), 2) / x[k] + math.isclose(x[k], 1e308)
    return found


def test_what_is_rounded_or_compared_warns_of_nothing():
    """Products with a power of ten overflow, and so do differences of large floats."""
    warnings.resetwarnings()
    x = np.array([1.5, 1e308, -1e308, 2.0])
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        staged = ag.function(warned)
        for _ in range(12):  # of the first ones Python makes anew what may warn
            assert staged(x, n(4)) == warned(x, n(4))
    assert not told


def rounded_beyond(x, count):
    found = np.zeros(len(x))
    for k in range(count):
        found[k] = round(x[k], 10)
    return found


def test_a_product_that_is_too_large_is_told():
    """Of numbers of NumPy's, as NumPy rounds them."""
    warnings.resetwarnings()
    x = np.array([1.5, -1e300, 2.0])
    with ag.config(backend="native"):
        staged = ag.function(rounded_beyond)
        for _ in range(3):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                assert (staged(x, n(3)) == rounded_beyond(x, 3)).all()
            first, second = told
            assert str(first.message) == "overflow encountered in multiply"
            assert (str(second.message), second.lineno) == (
                str(first.message),
                first.lineno,
            )


def powers_of_numpys(x, count):
    found = 0
    for k in range(count):
        found += pow(x[k], 2, 5)
    return found


def powers_by_numpys(x, count):
    found = 0
    for k in range(count):
        found += pow(int(x[k]), 2, x[k])
    return found


@pytest.mark.parametrize("function", [powers_of_numpys, powers_by_numpys])
def test_numbers_of_numpys_take_no_modulus(function):
    with ag.config(backend="native"):
        agreeing(function, [(np.arange(1, 9), n(0)), (np.arange(1, 9), n(8))])


def combinations(x, y, count):
    found = 0
    for k in range(count):
        found = (found * 3 + math.comb(int(x[k]), int(y[k]))) % 1_000_000_007
    return found


def test_python_is_asked_where_the_machine_ends_and_the_loop_goes_on():
    """A product on the way needs more than 64 bits, the result does not."""
    x, y = np.full(300, 62), np.full(300, 31)
    x[::2] = 20
    loop = compiled(combinations, [(x, y, n(300))] * 12)
    assert calls_of(loop) > 0
    assert not loop.refused
