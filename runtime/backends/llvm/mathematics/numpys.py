"""numpys: NumPy's own functions to the bit, as LLVM's text: of float32, and `tanh`.

Where the processor has fused products, NumPy computes `exp`, `log`, `sin` and `cos` of
float32, and `tanh`, by formulas of its own, the same for each element wherever it
stands: a reduced argument, then a quotient of two polynomials, a polynomial, or one of
some. Its figures are here, and each step is rounded as its step is, so no bit differs.
It writes vectors to memory by masks and looks up polynomials by permutations, which
some processors take long for; here they are part of what is computed with them. What
is infinite, logarithms of 0 and below and large angles are given by NumPy's own loop,
one by one: with what it notes of them.

Whether NumPy has these formulas, on this machine and in this version, it is asked once
(`library_bits.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from runtime.backends.llvm.mathematics.lookups import columns
from runtime.backends.llvm.mathematics.numpys_tanh import ROWS
from runtime.backends.llvm.mathematics.writer import HARMLESS, Value, Writer

# Of numbers between its negative and this e**x is a usual float; from the second on it
# is infinite, and up to the third 0. Down to the negative of the last, powers of 2 of
# what is near 1 are usual.
MOST, OVER, UNDER, SMALLEST = 87.0, 88.72283935546875, -103.97208404541015625, 125
# log(2) in two parts, of which the first has few bits.
LN2, LN2_LOW = 6.93145752e-1, 1.42860677e-6
# By powers, from the lowest: above and below the line of a quotient.
EXP = (
    (
        *(9.999999999980870924916e-01, 7.257664613233124478488e-01),
        *(2.473615434895520810817e-01, 5.114512081637298353406e-02),
        *(6.757896990527504603057e-03, 5.082762527590693718096e-04),
    ),
    (1.0, -2.742335390411667452936e-01, 2.159509375685829852307e-02),
)
LOG = (
    (
        *(0.0, 9.999999999999998702752e-01, 2.112677543073053063722e00),
        *(1.480000633576506585156e00, 3.808837741388407920751e-01),
        2.589979117907922693523e-02,
    ),
    (
        *(1.0, 2.612677543073109236779e00, 2.453006071784736363091e00),
        *(9.864942958519418960339e-01, 1.546476374983906719538e-01),
        5.875095403124574342950e-03,
    ),
)
# Up to these angles a right angle has three parts.
ANGLES = {"sin": 117435.992, "cos": 71476.0625}
RIGHT_ANGLE = tuple(
    float.fromhex(word) for word in ("1.921fb0p+0", "1.5110b4p-22", "1.846988p-48")
)
SIN = tuple(
    float.fromhex(word)
    for word in ("-1.555556p-03", "1.11119ap-07", "-1.a06bbap-13", "1.7d3bbcp-19")
)
COS = tuple(
    float.fromhex(word)
    for word in ("1p0", "-1p-1", "1.55553cp-05", "-1.6c06dcp-10", "1.98e616p-16")
)
# A polynomial of a tanh is for a quarter, or half, of what lies between two powers of
# 2. Those from which bit on tell its place; which bits has the first one, and which,
# from there on, the last one, from where on a tanh is 1.
PARTS = {
    "f32": (21, 0x3D400000, 0x03E00000),
    "f64": (51, 0x3FC0000000000000, 0x0078000000000000),
}
TABLE = "tanh_polynomials"


def exp(writer: Writer, x: Value) -> Value:
    """e**x, as a quotient of two polynomials by a power of 2."""
    near, k = _exponential(writer, x)
    return (near.bits() + (k.bits() << x.form.fraction)).real()


def any_exp(writer: Writer, x: Value) -> Value:
    """The same of any number: what is less than all its bits is rounded once more."""
    form = x.form
    bits = x.bits()
    x = writer.leave(writer.compare("icmp sge", bits, form.bits(OVER)), x)
    is_zero = bits.is_within(form.bits(UNDER), form.infinity - form.sign)
    near, k = _exponential(writer, is_zero.choose(UNDER, x))
    count = k.bits() - form.bits(form.magic)
    first = count.is_below(-SMALLEST).choose(-SMALLEST, count)
    scaled = (near.bits() + (first << form.fraction)).real()
    rest = ((count - first + form.bias) << form.fraction).real()
    return is_zero.choose(0.0, scaled * rest)


def log(writer: Writer, x: Value) -> Value:
    """The logarithm: of a number near 1 a quotient, and of a power of 2."""
    form, bits = x.form, x.bits()
    # From a half to 1: then twice that where it is below the root of a half.
    near = ((bits & ((1 << form.fraction) - 1)) | form.bits(0.5)).real()
    count = (bits >> form.fraction) - (form.bias - 1)
    is_low = near.bits().is_below(form.bits(0.5**0.5) + 1)
    near = is_low.choose(near + near, near) - 1.0
    count = is_low.choose(count - 1, count)
    (ln2,) = writer.numbers("log(2)", form)
    power = writer.cast("sitofp", count, form.real)
    return writer.fma(power, ln2, _quotient(writer, near, LOG))


def angle(name: str, writer: Writer, x: Value) -> Value:
    """The sine or cosine: one or the other of what is left of some right angles."""
    form = x.form
    (turns,) = writer.numbers("2/pi", form)
    k = x * turns + form.magic
    count, r = k - form.magic, x
    for part in RIGHT_ANGLE:
        r = writer.fma(count, -part, r)
    square = r * r
    cos = _polynomial(writer, square, COS)
    # The zero that is added takes its sign from a product that is 0.
    cube = writer.fma(_polynomial(writer, square, SIN), square, 0.0)
    sin = writer.fma(cube, r, r)
    quarter = k.bits() + (name == "cos")
    found = (quarter & 1).equals(0).choose(sin, cos)
    return (quarter & 2).equals(0).choose(found, 0.0 - found)


def tanh(writer: Writer, x: Value) -> Value:
    """One of some polynomials, by the size of x."""
    name, size = x.form.name, x.size()
    part, first, last = PARTS[name]
    count, numbers = ROWS[name]
    place = (size & -(1 << part)) - first
    place = place.is_below(0).choose(0, place)
    place = place.is_below(last).choose(place, last)
    table = f"{TABLE}_{name}"
    middle, *powers = columns(writer, table, count, numbers, place >> part)
    found = _polynomial(writer, size.real() - middle, powers)
    return (found.bits() | (x.bits() ^ size)).real()


def any_tanh(writer: Writer, x: Value) -> Value:
    """The same, of infinities too."""
    form, size = x.form, x.size()
    size = size.is_below(form.infinity).choose(size, form.infinity - 1)
    return tanh(writer, (size | (x.bits() & -form.sign)).real())


def any_log(writer: Writer, x: Value) -> Value:
    """The same; of what is not usual NumPy is asked."""
    return log(writer, writer.leave(_is_not_usual(writer, x), x))


def any_angle(name: str, writer: Writer, x: Value) -> Value:
    """The same; of large angles NumPy is asked."""
    is_large = _is_large(ANGLES[name], writer, x)
    return angle(name, writer, writer.leave(is_large, x))


# --- which are usual ------------------------------------------------------------------
def _is_large(most: float, writer: Writer, x: Value) -> Value:
    """Whether a number is beyond, or none."""
    return writer.compare("icmp sgt", x.size(), x.form.bits(most))


def _is_not_finite(writer: Writer, x: Value) -> Value:
    return writer.compare("icmp sge", x.size(), x.form.infinity)


def _is_not_usual(writer: Writer, x: Value) -> Value:
    """Whether it is not above 0, too small to have all its bits, or infinite."""
    form = x.form
    least = 1 << form.fraction
    return writer.compare("icmp uge", x.bits() - least, form.infinity - least)


class Formula(NamedTuple):
    """How a function is computed.

    usual:   of usual numbers
    is_rare: which are not
    any:     of any that are numbers
    """

    usual: Callable[[Writer, Value], Value]
    is_rare: Callable[[Writer, Value], Value]
    any: Callable[[Writer, Value], Value]


FORMULAS = {
    "exp": Formula(exp, partial(_is_large, MOST), any_exp),
    "log": Formula(log, _is_not_usual, any_log),
    "tanh": Formula(tanh, _is_not_finite, any_tanh),
    **{
        name: Formula(
            partial(angle, name), partial(_is_large, most), partial(any_angle, name)
        )
        for name, most in ANGLES.items()
    },
}


def of_any(name: str, writer: Writer, x: Value) -> Value:
    """The function of numbers of which some may not be usual; of NaN one that is."""
    is_none = writer.compare("icmp sgt", x.size(), x.form.infinity)
    found = FORMULAS[name].any(writer, is_none.choose(HARMLESS, x))
    return is_none.choose(math.nan, found)


def of_usual(name: str, writer: Writer, x: Value) -> Value:
    """The function of a vector whose numbers are all usual."""
    formula = FORMULAS[name]
    writer.whole_if(formula.is_rare(writer, x))
    return formula.usual(writer, x)


# --- parts ----------------------------------------------------------------------------
def _exponential(writer: Writer, x: Value) -> tuple[Value, Value]:
    """A number near 1, and a k in whose last bits is by which power of 2 it is."""
    form = x.form
    (log2_e,) = writer.numbers("log2(e)", form)
    k = x * log2_e + form.magic
    count = k - form.magic
    r = writer.fma(count, -LN2_LOW, writer.fma(count, -LN2, x))
    return _quotient(writer, r, EXP), k


def _polynomial(
    writer: Writer, x: Value, numbers: tuple[float, ...] | list[Value]
) -> Value:
    """By powers of x, one after the other, as NumPy adds them."""
    last, *others = reversed(numbers)
    found = last if isinstance(last, Value) else writer.constant(x.type, last)
    for number in others:
        found = writer.fma(found, x, number)
    return found


def _quotient(
    writer: Writer, x: Value, numbers: tuple[tuple[float, ...], ...]
) -> Value:
    above, below = (_polynomial(writer, x, each) for each in numbers)
    return above / below
