"""complex_exp: e**z of complex numbers, with the C library's bits, by its parts.

That library's `cexp`, which NumPy calls, is `exp` of the one part by the sine and the
cosine of the other, all of which we have with its bits (`rounded.py`). So it is where
the exponential is a usual number and the angle is finite. Elsewhere those are given
another number, and `cexp` itself is asked, lane by lane.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import HARMLESS, Value, Writer

# From its negative to this the exponential is one number, not a product of two.
MOST = 708.0
# What gives a part of e**z: of one that is not usual it asks the library.
NAMES = ("cexp_real", "cexp_imag")
# What gives a part of z where e**z is usual, and elsewhere a harmless number.
USUAL = "cexp_usual"


def usual(writer: Writer, x: Value, real: Value, imag: Value) -> Value:
    """A part of z, or what is harmless where z is not usual."""
    return _is_rare(writer, real, imag).choose(HARMLESS, x)


def part(writer: Writer, real: Value, imag: Value, found: Value) -> Value:
    """A part of e**z that was found, where z is usual."""
    return writer.leave(_is_rare(writer, real, imag), found)


def _is_rare(writer: Writer, real: Value, imag: Value) -> Value:
    form = real.form
    is_large = writer.compare("icmp sgt", real.size(), form.bits(MOST))
    return is_large | writer.compare("icmp sge", imag.size(), form.infinity)
