"""rests: what is left of a division of floats, as the C library's `fmod`, for vectors.

It is exact: x without as many y as fit, which is a float. One fused product gives it
where the quotient has no more bits than a float; that may be rounded up to the next
int, which the sign of what is left then tells. Of others, of what is not finite, and of
divisors that are 0 or nearly, the library is asked.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import Value, Writer

NAME = "exact_fmod"


def fmod(writer: Writer, x: Value, y: Value) -> Value:
    """What is left of x by y, with the sign of x."""
    form = x.form
    least = 1 << form.fraction
    is_rare = ~y.size().is_within(least, form.infinity - 1)
    is_rare |= writer.compare("icmp sge", x.size(), form.infinity)
    given = writer.leave(is_rare, x)
    y = y if writer.count == 1 else is_rare.choose(1.0, y)
    count = writer.call("trunc", given / y)
    most = form.bits(2.0**form.fraction)
    writer.leave(writer.compare("icmp sge", count.size(), most), given)
    left = writer.fma(-count, y, given)
    is_beyond = (left.bits() ^ given.bits()).is_below(0)
    found = is_beyond.choose(left + y.with_sign_of(given), left)
    return left.size().equals(0).choose(0.0, found).with_sign_of(given)
