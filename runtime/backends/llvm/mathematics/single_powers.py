"""single_powers: powers of float32 by known exponents, with the C library's bits.

That library's `powf` computes in float64, and is off by little more than half a unit:
its sources bound what it loses, which grows with the logarithm of the result. Here a
power is a product of float64. Where that is farther than the bound from the middle of
two floats, the library can only have the float next to it; elsewhere it is asked, of
two to five elements of a hundred. Exponents are halves of ints, as in `rounded.py`.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.rounded import known_powers
from runtime.backends.llvm.mathematics.writer import Value, Writer

# Exponents: their halves, up to this.
HALVES = 12
# Bits that a float64 has beyond those of a float32.
MORE = 29
# What the library is off, in the last places of a float64: 1.69 * 2**-34 of the result,
# and 1.83 * 2**-33 of its logarithm, for each power of 2 in it; and what ours is.
ALWAYS, EACH = 950_000, 1_400_000
# Between the power of 2 of this and of its negative the result is a usual float.
USUAL = 120.0


def known_power(halves: int, writer: Writer, x: Value, y: Value) -> Value:
    """x**y for a y that is known: half of `halves`; x is a float32 as float64."""
    form, whole = x.form, halves % 2 == 0
    most = 2.0 ** (2 * USUAL / abs(halves)) if abs(halves) > 2 else 2.0**USUAL
    bits = x.size() if whole else x.bits()
    fits = bits.is_within(form.bits(1 / most), form.bits(most))
    if halves > 0 and whole:
        fits |= bits.equals(0)
    made = _product_of(writer, writer.leave(~fits, x), abs(halves))
    if halves < 0:
        made = 1.0 / made
    rare = _is_near_a_middle(writer, made)
    writer.rare = rare if writer.rare is None else writer.rare | rare
    return made


def _product_of(writer: Writer, x: Value, halves: int) -> Value:
    """The power of an exponent above 0."""
    found = x.root() if halves % 2 else None
    count, factor = halves // 2, x
    while count:
        if count % 2:
            found = factor if found is None else found * factor
        count //= 2
        if count:
            factor = factor * factor
    assert found is not None, "an exponent above 0"
    return found


def _is_near_a_middle(writer: Writer, made: Value) -> Value:
    """Whether the library may have the one or the other of two floats."""
    form, size = made.form, made.size()
    power = (size >> form.fraction) - form.bias
    power = power.is_below(0).choose(0 - power, power)
    # A zero is none of those.
    power = power.is_below(form.bias // 2).choose(power, 0)
    far = (power + 1) * EACH + ALWAYS
    middle = 1 << (MORE - 1)
    off = (size - middle + far) & ((1 << MORE) - 1)
    return writer.compare("icmp ule", off, far + far)


NAME = "single_pow"
KNOWN = known_powers(known_power, HALVES)
