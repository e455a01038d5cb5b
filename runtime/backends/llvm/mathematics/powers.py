"""powers: x**y by the logarithm in two floats, roots of the third degree, lengths."""

from __future__ import annotations

from runtime.backends.llvm.mathematics.exponentials import (
    exponential,
    times_power_of_2,
)
from runtime.backends.llvm.mathematics.logarithms import is_usual, parts, usual, whole
from runtime.backends.llvm.mathematics.writer import HARMLESS, Value, Writer

# The logarithm of a result that is a usual float; an exponent that may have one.
MOST, MOST_EXPONENT = 708.0, 2.0**64
# Of numbers between these the squares are usual floats.
LEAST_SQUARED, MOST_SQUARED = 2.0**-500, 2.0**500


def power(writer: Writer, x: Value, y: Value) -> Value:
    """x**y, of x above 0; all else is the C library's."""
    near, k, _ = exponential(writer, *times_logarithm(writer, x, y, MOST))
    return times_power_of_2(writer, near, k)


def times_logarithm(
    writer: Writer, x: Value, y: Value, most: float
) -> tuple[Value, Value | None]:
    """The product of y and log(x), up to `most`, and what is left of it.

    The C library is asked of all that is not usual.
    """
    form = x.form
    is_large = y.size().is_within(form.bits(MOST_EXPONENT), form.sign - 1)
    is_rare = is_large | ~is_usual(x)
    x, y = writer.leave(is_rare, x), is_rare.choose(HARMLESS, y)
    rest: Value | None = None
    if writer.is_wide:
        product = y * whole(writer, *parts(x))
    else:
        high, low = logarithm(writer, x)
        product, left = writer.two_product(y, high)
        rest = writer.fma(y, low, left)
    is_large = product.size().is_within(form.bits(most), form.infinity)
    return writer.leave(is_large, product), rest


def logarithm(writer: Writer, x: Value) -> tuple[Value, Value]:
    """log(x) as the sum of two floats, with twelve bits more than one has."""
    form = x.form
    count, f = parts(x)
    m = f + 1.0
    under = m + 1.0
    under_low = m - (under - 1.0)
    by = 1.0 / under
    s = f * by
    s_low = (writer.fma(-s, under, f) - s * under_low) * by
    z, z_low = writer.two_product(s, s)
    z_low = writer.fma(s + s, s_low, z_low)
    third, third_low = writer.numbers("2/3", form)
    rest = z * writer.polynomial(z, "log_rest")
    q = third + rest
    q_low = ((third - q) + rest) + third_low
    t, t_low = _product(writer, (z, z_low), (q, q_low))
    v, v_low = _product(writer, (s, s_low), (t, t_low))
    twice = s + s
    a = twice + v
    a_low = ((twice - a) + v) + (s_low + s_low + v_low)
    ln2, ln2_low = writer.numbers("ln2", form)
    b = count * ln2
    high = b + a
    return high, ((b - high) + a) + writer.fma(count, ln2_low, a_low)


def _product(
    writer: Writer, a: tuple[Value, Value], b: tuple[Value, Value]
) -> tuple[Value, Value]:
    """The product of two sums of two floats."""
    high, low = writer.two_product(a[0], b[0])
    return high, writer.fma(a[0], b[1], writer.fma(a[1], b[0], low))


def cbrt(writer: Writer, x: Value) -> Value:
    """The cubic root: a polynomial, a step of Halley's, and one of Newton's."""
    form = x.form
    u = usual(writer, x.absolute())
    exponent = u.bits() >> form.fraction
    base = 2.0**form.fraction
    count = (exponent | form.bits(base)).real() - (base + form.bias)
    j = writer.fma(count - 1.0, 1.0 / 3.0, form.magic)
    thrice = writer.fma(j - form.magic, 3.0, form.magic)
    a = (u.bits() - (thrice.bits() << form.fraction)).real()
    y = writer.polynomial(a, "cbrt")
    cube = y * y * y
    y = y * ((cube + (a + a)) / (cube + cube + a))
    if not writer.is_wide:
        left = writer.fma(y * y, y, -a)
        y = y - left / (3.0 * (y * y))
    return (y.bits() + (j.bits() << form.fraction)).real().with_sign_of(x)


def hypot(writer: Writer, x: Value, y: Value) -> Value:
    """The length of (x, y)."""
    form = x.form
    sizes = x.size(), y.size()
    most = sizes[0].is_below(sizes[1]).choose(sizes[1], sizes[0])
    fits = most.is_within(form.bits(LEAST_SQUARED), form.bits(MOST_SQUARED))
    is_rare = ~(fits | most.equals(0))
    x, y = writer.leave(is_rare, x), is_rare.choose(HARMLESS, y)
    return writer.fma(x, x, y * y).root()
