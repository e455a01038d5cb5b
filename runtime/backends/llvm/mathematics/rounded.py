"""rounded: the C library's `exp`, `log`, `pow`, `sin`, `cos` to the bit, by our code.

That library's results are nearly those that are nearest to the exact ones: from 2.28 on
glibc's manual and its sources bound what they are off by half a unit of the last place
and a hundredth or so. Here a result is the sum of two floats, `high + low`, and nearly
exact. Where the exact result is farther from the middle of two floats than that
hundredth, the library can only have the float next to it, and so have we. Where it is
as near as that, which of both it has nobody knows but itself: it is asked, of three to
six elements of a hundred, as it is of all that is not usual.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from runtime.backends.llvm.mathematics.angles import is_small, quarters, turned
from runtime.backends.llvm.mathematics.exponentials import power_of_2, reduced
from runtime.backends.llvm.mathematics.logarithms import parts, usual
from runtime.backends.llvm.mathematics.pairs import (
    Pair,
    plus,
    product,
    reciprocal,
    root,
    square,
)
from runtime.backends.llvm.mathematics.powers import times_logarithm
from runtime.backends.llvm.mathematics.writer import Value, Writer

# How far from the middle of two floats we are sure, in units of the last place: what
# the library says of its errors beyond a half, and what ours come to.
#   exp: 0.511, of any processor
#   log: 0.520
#   pow: as exp, and 1.5 * 2**-68 of the logarithm of the result; ours of squares none
#   sin, cos: 3 * 2**-62 in all, by what it rounds, with fused products 2; 0.506 below
#   1/8, where that is more than 0.023; ours 0.0016, and at most 0.2 * 2**-60
EXP, LOG, POWER, SQUARE, ANGLE, ANGLE_MOST = (
    0.0125,
    0.021,
    0.0125,
    0.011,
    0.0255,
    2.0**-60,
)
# Ours for each unit of r**2, and of what the logarithm is beside 2 * s.
EXP_EACH, LOG_EACH = 0.09, 5 * 2.0**-53
# Of a power, for each unit of its logarithm: the library's error, and ours.
POWER_EACH, ITS_OWN_EACH = 4.6e-5, 9e-4
# Between its negative and this, e**x is a usual float.
MOST = 707.0
# Known powers are between the powers of 2 of this and its negative: the smaller, the
# less the library is off.
USUAL = 128.0
# Angles up to which there are three parts of a right angle; and how near they may come
# to one.
LARGE, NEAR = 2.0**20, 2.0**-32
# Exponents for which no logarithm is needed: their halves, up to this.
HALVES = 24
# Of these the first part is the float next to the sum: the processor has them.
NEAREST = {4, 1, -2}


def exp(writer: Writer, x: Value) -> Value:
    """e**x."""
    form = x.form
    is_large = x.size().is_within(form.bits(MOST), form.sign - 1)
    k, near, z = _exponential(writer, writer.leave(is_large, x))
    more = writer.fma(z, _times_off(EXP_EACH), 1.0 + _times_off(EXP))
    return _stretched(writer, _renewed(near), more) * power_of_2(k)


def log(writer: Writer, x: Value) -> Value:
    """The logarithm."""
    count, f = parts(usual(writer, x))
    under = f + 2.0
    under_low = f - (under - 2.0)
    s = f / under
    # 2 / (2 + f) is 1 - s.
    left = writer.fma(-s, under_low, writer.fma(-s, under, f)) * (1.0 - s)
    z = s * s
    # The cube of s, too, is of all of it.
    left = writer.fma(z, left, left)
    (third, _) = writer.numbers("2/3", x.form)
    rest = s * z * writer.fma(z, writer.polynomial(z, "log_rest"), third)
    ln2, ln2_low = writer.numbers("ln2", x.form)
    twice = s + s
    whole = count * ln2
    first = whole + twice
    first_low = (whole - first) + twice
    high = first + rest
    rest_low = (first - high) + rest
    low = (first_low + rest_low) + writer.fma(count, ln2_low, left)
    far = writer.fma(rest.absolute(), LOG_EACH, _units((high, low), LOG))
    return _settled(writer, (high, low), far)


def power(writer: Writer, x: Value, y: Value) -> Value:
    """x**y, of x above 0."""
    made, rest = times_logarithm(writer, x, y, MOST)
    k, near, z = _exponential(writer, made, rest)
    sure = writer.fma(made.absolute(), POWER_EACH + ITS_OWN_EACH, POWER)
    sure = writer.fma(z, EXP_EACH, sure)
    return _settled(writer, near, _units(near, sure)) * power_of_2(k)


def known_power(halves: int, writer: Writer, x: Value, y: Value) -> Value:
    """x**y for a y that is known: half of `halves`; by products, and a root."""
    form, whole = x.form, halves % 2 == 0
    most = 2.0 ** min(USUAL, 2 * USUAL / abs(halves))
    bits = x.size() if whole else x.bits()
    fits = bits.is_within(form.bits(1 / most), form.bits(most))
    if halves > 0 and whole and writer.count > 1:
        # Zeros, of which there may be many; that below 0 has an odd power of its sign,
        # which no sum of two floats is.
        fits |= (x.bits() if halves % 4 else bits).equals(0)
    if writer.count == 1 and halves == 4:
        # Of a square its own size tells, of which there is no sign.
        bits = (x * x).bits()
        fits = bits.is_within(form.bits(2.0**-USUAL), form.bits(2.0**USUAL))
    x = writer.leave(~fits, x)
    made = _product_of(writer, x, abs(halves))
    if halves < 0:
        made = reciprocal(writer, made)
    if halves not in NEAREST:
        made = _renewed(made)
    most_off = (SQUARE if halves == 4 else POWER) + POWER_EACH * USUAL * math.log(2)
    return _stretched(writer, made, 1.0 + _times_off(most_off, most_off))


def sin(writer: Writer, x: Value) -> Value:
    """The sine."""
    return is_small(x).choose(x, _of_angle(writer, x, 0))


def cos(writer: Writer, x: Value) -> Value:
    """The cosine."""
    return _of_angle(writer, x, 1)


def _of_angle(writer: Writer, x: Value, more: int) -> Value:
    """The sine of x and so many right angles."""
    form = x.form
    is_large = x.size().is_within(form.bits(LARGE), form.sign - 1)
    k, r, low = quarters(writer, writer.leave(is_large, x))
    # Nearer to a multiple of a right angle three floats do not tell how far.
    is_near = r.size().is_below(form.bits(NEAR)) & ~x.size().is_below(form.bits(0.5))
    r = writer.leave(is_near, r)
    quarter = k.bits() + more
    is_sine = (quarter & 1).equals(0)
    z = square(writer, (r, low))
    outer = product(writer, z, _of_square(writer, z, is_sine))
    # The sine is r + r * outer, the cosine 1 + z * (outer - 1/2).
    inner = plus(-0.5, outer)
    factor = is_sine.choose(r, z[0]), is_sine.choose(low, z[1])
    by = is_sine.choose(outer[0], inner[0]), is_sine.choose(outer[1], inner[1])
    high, left = product(writer, factor, by)
    first, second = is_sine.choose(r, 1.0), is_sine.choose(low, 0.0)
    near = plus(first, (high, left + second))
    far = _units(near, ANGLE)
    far = far.bits().is_below(form.bits(ANGLE_MOST)).choose(far, ANGLE_MOST)
    return turned(_settled(writer, near, far), quarter)


def _of_square(writer: Writer, z: Pair, is_sine: Value) -> Pair:
    """What is by z in the sine or the cosine beyond their first terms, nearly exact.

    The last step of the polynomial loses what would be a hundredth of a unit.
    """
    square_, left = z
    assert left is not None, "a square"
    form, names = square_.form, ("sin_rest", "cos_rest")

    def chosen(sine: float, cosine: float) -> Value:
        return is_sine.choose(writer.constant(square_.type, sine), cosine)

    rest = is_sine.choose(*(writer.polynomial(square_, name, 1) for name in names))
    first = chosen(*(writer.numbers(name, form)[0] for name in names))
    inner = writer.fma(square_, rest, first)
    inner_low = writer.fma(square_, rest, first - inner)
    by, lost = writer.two_product(square_, inner)
    lost = writer.fma(left, inner, writer.fma(square_, inner_low, lost))
    (sixth, sixth_low), others = (writer.numbers(one, form) for one in ("1/6", "1/24"))
    high, more = plus(chosen(-sixth, others[0]), (by, lost))
    assert more is not None, "a pair"
    return high, more + chosen(-sixth_low, others[1])


def _product_of(writer: Writer, x: Value, halves: int) -> Pair:
    """The power of an exponent above 0."""
    found: Pair | None = root(writer, x) if halves % 2 else None
    factor: Pair
    count, factor = halves // 2, (x, None)
    while count:
        if count % 2:
            found = factor if found is None else product(writer, found, factor)
        count //= 2
        if count:
            factor = square(writer, factor)
    assert found is not None, "an exponent above 0"
    return found


def _exponential(
    writer: Writer, x: Value, low: Value | None = None
) -> tuple[Value, Pair, Value]:
    """k, whose last bits are an int, and e**(x + low) / 2**k as a pair; and r**2.

    A sum of products is rounded once by `fma`, and what that loses is another one.
    """
    k, r, rest = reduced(writer, x)
    if low is not None:
        rough, rest = r, rest + low
        r = rough + rest
        rest = (rough - r) + rest
    z, z_low = square(writer, (r, None))
    (sixth, _) = writer.numbers("1/6", x.form)
    third = writer.fma(r, writer.polynomial(r, "exp_rest"), sixth)
    half = writer.fma(r, third, 0.5)
    half_low = writer.fma(r, third, 0.5 - half)
    first = r + 1.0
    first_low = (1.0 - first) + r
    high = writer.fma(z, half, first)
    left = writer.fma(z, half, first - high)
    # e**(r + rest) is about e**r * (1 + rest).
    early = writer.fma(rest, high, writer.fma(z_low, half, first_low))
    return k, (high, left + writer.fma(z, half_low, early)), z


def _units(near: Pair, count: float | Value) -> Value:
    """So many units of a pair's last place, as it will be."""
    high, form = near[0], near[0].form
    return (high.bits() & form.infinity).real() * (count * 2.0**-form.fraction)


def _settled(writer: Writer, near: Pair, far: Value) -> Value:
    """A pair as one float; the C library is asked where it is too near to the middle.

    far: how far from there it is not
    """
    high, low = near
    above, below = high + (low + far), high + (low - far)
    rare = ~above.bits().equals(below.bits())
    writer.rare = rare if writer.rare is None else writer.rare | rare
    return above


def _stretched(writer: Writer, near: Pair, more: float | Value) -> Value:
    """The same, of a pair whose second part by `more` is over the middle if it may be.

    near: the first part is the float next to the sum; more: see `_times_off`
    """
    high, low = near
    if low is None:
        return high
    rare = writer.compare("fcmp one", writer.fma(low, more, high), high)
    writer.rare = rare if writer.rare is None else writer.rare | rare
    return high


def _renewed(pair: Pair) -> Pair:
    """A pair whose first part is the float next to the sum."""
    if pair[1] is None:
        return pair
    high = pair[0] + pair[1]
    return high, (pair[0] - high) + pair[1]


def _times_off(units: float, most: float = 0.05) -> float:
    """What more than 1 brings a part to the middle that is so many units nearer.

    A little more than that; most: so many units there are at most
    """
    return 2.01 * units / (1.0 - 2.0 * most)


def known_name(halves: int, of: str = "rounded_pow") -> str:
    """What a power by a known exponent is called."""
    sign = "minus_" if halves < 0 else ""
    return f"{of}_{sign}{abs(halves)}_halves"


def known_powers(
    write: Callable[..., Value], most: int
) -> dict[int, Callable[..., Value]]:
    """What writes powers by known exponents, by the halves of these."""
    halves = (one for one in range(-most, most + 1) if one)
    return {one: partial(write, one) for one in halves}


KNOWN = known_powers(known_power, HALVES)
