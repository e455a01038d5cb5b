"""Every op on single numbers as machine code gives what Python gives, to the bit."""

import importlib.util
import itertools
import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot
from tests.runtime.backends.llvm.compiling import loops_of

FLOATS = [0.0, -0.0, 1.0, -1.5, 2.5, 7.0, 1e300, -1e300, 5e-324, 1e16, 0.1]
ODD = [np.inf, -np.inf, np.nan]
INTS = [0, 1, -1, 2, -3, 7, 8, 100, 2**31, -(2**31), 2**62, -(2**63), 2**63 - 1]
BINARY = ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b"]
BINARY += ["divmod(a, b)[0]", "divmod(a, b)[1]"]
COMPARED = ["a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b"]
BITS = ["a & b", "a | b", "a ^ b", "a << b", "a >> b"]
UNARY = ["-a", "abs(a)", "a ** 2", "a ** 3", "not a", "a and b", "a or b"]
NUMPYS = ["np.exp(a)", "np.log(a)", "np.sin(a)", "np.sqrt(a)", "np.floor(a)"]
NUMPYS += ["np.maximum(a, b)", "np.hypot(a, b)", "np.arctan2(a, b)", "np.sign(a)"]
NUMPYS += ["np.isnan(a)", "np.tanh(a)", "np.minimum(a, b)", "np.logical_xor(a, b)"]
MATHS = ["math.exp(a)", "math.log(a)", "math.sqrt(a)", "math.sin(a)", "math.atan(a)"]
MATHS += ["math.atan2(a, b)", "math.floor(a)", "math.ceil(a)", "math.trunc(a)"]
MATHS += ["round(a)", "round(a + 0.5)"]
MATHS += ["math.erf(a)", "math.erfc(a)", "math.pow(a, b)", "math.fmod(a, b)"]
MATHS += ["math.fabs(a)", "math.copysign(a, b)", "math.degrees(a)", "math.radians(a)"]
MATHS += ["math.isnan(a) + 0", "math.isinf(a) + 0", "math.isfinite(a) + 0"]
MATHS += ["a ** b", "a ** 0.5", "int(a)", "float(a)", "bool(a)", "complex(a, b)"]
COMPLEX = ["a + b", "a - b", "a * b", "-a", "abs(a)", "a == b", "a != b"]
COMPLEX += [
    "a.real",
    "a.imag",
    "bool(a)",
    "a / b",
    "b / a.real",
    "a.imag / b",
    "a ** 2",
]
COMPLEX += ["a ** 3", "a ** 7", "a ** -1", "a ** -2", "a ** 2.0", "3 / a"]
SOURCE = """
import math
import numpy as np

def f(xs, ys, out, n):
    last = 0
    for i in range(n):
        a = {a}
        b = {b}
        out[i] = {expression}
        last = i
    return last
"""


def made(folder, expression, wrapped):
    """A function that computes an expression of each pair of items."""
    path = folder / "program.py"
    a, b = (f"{wrapped}({name}[i])" for name in ("xs", "ys"))
    path.write_text(SOURCE.format(a=a, b=b, expression=expression))
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def outcome(function, xs, ys, dtype, count=None):
    """What it returns or raises of the first ones, and what it has written."""
    out = np.zeros(len(xs), dtype)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            count = len(xs) if count is None else count
            found = repr(function(xs, ys, out, np.int64(count)))
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
    return found, out.tobytes()


def agree(folder, expression, xs, ys, wrapped="", dtype=None):
    """Python and machine code do the same, whatever they meet first."""
    function = made(folder, expression, wrapped)
    with ag.config(backend="native"):
        staged = ag.function(function)
        dtype = dtype or (complex if "complex" in expression else xs.dtype)
        # All at once, and one by one: what raises hides what comes after. The sizes
        # are the same, so that one trace is compiled.
        cases = [(len(xs), 0), *((1, place) for place in range(len(xs)))]
        for count, place in cases:
            given = np.roll(xs, -place), np.roll(ys, -place), dtype, count
            python = outcome(function, *given)
            assert outcome(staged, *given) == python, (expression, place)
    assert is_native(staged, xs, ys, dtype)


def is_native(staged, xs, ys, dtype):
    """Whether the loop has become machine code."""
    out = np.zeros(len(xs), dtype)
    concrete = staged.get_concrete_function(xs, ys, out, np.int64(1))
    loops = [v for v in vars_of(concrete) if isinstance(v, hot.HotLoop)]
    return bool(loops) and all(loop.function is not None for loop in loops)


def vars_of(concrete):
    return concrete.run.__globals__.values()


def pairs(values, dtype):
    return tuple(
        np.array(side, dtype)
        for side in zip(*itertools.product(values, values), strict=True)
    )


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("expression", BINARY + COMPARED + UNARY + NUMPYS)
def test_numpys_floats(tmp_path, expression, dtype):
    with np.errstate(all="ignore"):
        xs, ys = pairs(FLOATS[:8] + ODD, dtype)
    agree(tmp_path, expression, xs, ys)


@pytest.mark.parametrize("expression", BINARY + COMPARED + UNARY + MATHS)
def test_pythons_floats(tmp_path, expression):
    xs, ys = pairs(FLOATS[:8] + ODD, "f8")
    agree(tmp_path, expression, xs, ys, wrapped="float")


@pytest.mark.parametrize("expression", ["math.floor(a)", "math.trunc(a)"])
def test_rounded_float32s_of_which_trunc_refuses_each(tmp_path, expression):
    xs, ys = pairs([0.0, 1.5, -2.5, 7.0], "f4")
    agree(tmp_path, expression, xs, ys)


@pytest.mark.parametrize("dtype", ["i8", "i4", "i2", "i1", "u1"])
@pytest.mark.parametrize("expression", ["math.sqrt(a)", "math.exp(a)", "math.sin(a)"])
def test_pythons_functions_of_numpys_ints(tmp_path, expression, dtype):
    xs, ys = pairs([0, 1, 7, 100], dtype)
    agree(tmp_path, expression, xs, ys, dtype="f8")


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "u8"])
@pytest.mark.parametrize("expression", BINARY + COMPARED + BITS + UNARY)
def test_numpys_ints(tmp_path, expression, dtype):
    known = np.iinfo(dtype)
    values = [v for v in INTS if known.min <= v <= known.max][:9] + [known.max]
    xs, ys = pairs(values, dtype)
    agree(tmp_path, expression, xs, ys, dtype="f8" if "/ b" in expression else None)


@pytest.mark.parametrize("expression", BINARY + COMPARED + BITS + UNARY + ["int(a)"])
def test_pythons_ints(tmp_path, expression):
    xs, ys = pairs(INTS, "i8")
    agree(tmp_path, expression, xs, ys, "int", "f8" if "/ b" in expression else None)


@pytest.mark.parametrize("wrapped", ["", "complex"])
@pytest.mark.parametrize("expression", COMPLEX)
def test_complex_numbers(tmp_path, expression, wrapped):
    parts = itertools.product([0.0, -1.5, 3.0, np.inf], repeat=2)
    xs, ys = pairs([complex(*both) for both in parts], "c16")
    agree(tmp_path, expression, xs, ys, wrapped)


@pytest.mark.parametrize(
    "dtypes", [("f8", "f4"), ("i8", "f8"), ("i4", "f4"), ("u1", "i8")]
)
@pytest.mark.parametrize("expression", BINARY + COMPARED)
def test_numbers_of_two_dtypes(tmp_path, expression, dtypes):
    xs, ys = pairs([0, 1, 2, 7, 100], "i8")
    agree(tmp_path, expression, xs.astype(dtypes[0]), ys.astype(dtypes[1]), dtype="f8")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("exponent", [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0])
def test_powers_of_numbers_are_the_roots_and_products_that_numpy_takes(
    tmp_path, exponent, dtype
):
    """Of one number it takes a square for a power of 2: another last bit."""
    xs = np.random.default_rng(0).uniform(0.01, 10.0, 2000).astype(dtype)
    ys = np.full_like(xs, exponent)
    plain = made(tmp_path, "np.power(a, b)", "")
    with ag.config(backend="native"):
        found = outcome(ag.function(plain), xs, ys, dtype)
    assert found == outcome(plain, xs, ys, dtype)


def roots(x, total, count):
    for i in range(count):
        if x[i] >= 0.0:
            total = total + np.sqrt(x[i]) + math.sqrt(x[i] + 1.0)
    return total


def all_roots(x, total, count):
    for i in range(count):
        total = total + np.sqrt(x[i])
    return total


def test_roots_of_numbers_are_the_machines_own_and_warn_as_numpys():
    x = np.array([4.0, -1.0, 2.0, np.nan, 0.0])
    arguments = (x, np.float64(0.0), np.int64(5))
    with ag.config(backend="native"):
        for function, told in ((roots, 0), (all_roots, 1)):
            staged = ag.function(function)
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                expected, made = function(*arguments), staged(*arguments)
            assert repr(made) == repr(expected)
            assert [str(one.message) for one in found] == [
                "invalid value encountered in sqrt"
            ] * (2 * told)
            (loop,) = loops_of(staged, arguments)
            assert not {one.op for one in loop.function.body.walk()} & {"numpy", "call"}
