"""angles: sin, cos and tan, and what gives angles.

x = k * pi/2 + r: polynomials give the sine and the cosine of r, and the last bits of k
say which of them it is. Large numbers, for which pi/2 would need more parts, are the C
library's.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import HARMLESS, Value, Writer

LARGE = 2.0**20
# Below this sin(x) is x.
SMALL = 2.0**-27
# Of numbers between these, products and sums are usual floats.
LEAST, MOST = 2.0**-1000, 2.0**1000
# tan(pi/8)
TAN_EIGHTH = 2.0**0.5 - 1.0


def sin(writer: Writer, x: Value) -> Value:
    """The sine."""
    sine, cosine, quarter = _both(writer, x)
    found = ((quarter & 1).equals(0)).choose(sine, cosine)
    return is_small(x).choose(x, turned(found, quarter))


def cos(writer: Writer, x: Value) -> Value:
    """The cosine."""
    sine, cosine, quarter = _both(writer, x)
    found = ((quarter & 1).equals(0)).choose(cosine, sine)
    return turned(found, quarter + 1)


def tan(writer: Writer, x: Value) -> Value:
    """The tangent: sine by cosine, or the other way round."""
    sine, cosine, quarter = _both(writer, x)
    is_even = (quarter & 1).equals(0)
    found = is_even.choose(sine, -cosine) / is_even.choose(cosine, sine)
    return is_small(x).choose(x, found)


def arctan(writer: Writer, x: Value) -> Value:
    """The angle of a tangent."""
    u = x.absolute()
    one = writer.constant(u.type, 1.0)
    high, low = _of_quotient(writer, u, one)
    return (high + low).with_sign_of(x)


def arctan2(writer: Writer, y: Value, x: Value) -> Value:
    """The angle of a point."""
    form, is_rare = x.form, x.size().equals(0) & y.size().equals(0)
    for one in (x, y):
        fits = one.size().is_within(form.bits(LEAST), form.bits(MOST))
        is_rare |= ~(fits | one.size().equals(0))
    u = writer.leave(is_rare, y.absolute())
    v = is_rare.choose(HARMLESS, x.absolute())
    high, low = _of_quotient(writer, u, v)
    pi, rest = writer.numbers("pi", form)
    is_left = x.bits().is_below(0)
    found = is_left.choose((pi - high) - (low - rest), high + low)
    return found.with_sign_of(y)


def arcsin(writer: Writer, x: Value) -> Value:
    """The angle of a sine."""
    s, rest, is_large = _of_sine(writer, x)
    high, low = writer.numbers("pi/2", x.form)[:2]
    large = (high - (s + s)) - ((rest + rest) - low)
    return is_large.choose(large, s + rest).with_sign_of(x)


def arccos(writer: Writer, x: Value) -> Value:
    """The angle of a cosine."""
    s, rest, is_large = _of_sine(writer, x)
    pi, pi_rest = writer.numbers("pi", x.form)
    high, low = writer.numbers("pi/2", x.form)[:2]
    is_left = x.bits().is_below(0)
    twice, more = s + s, rest + rest
    large = is_left.choose((pi - twice) - (more - pi_rest), twice + more)
    signed, signed_rest = s.with_sign_of(x), rest.with_sign_of(x)
    return is_large.choose(large, high - (signed - (low - signed_rest)))


# --- parts ----------------------------------------------------------------------------
def is_small(x: Value) -> Value:
    """Whether its sine is x."""
    return x.size().is_below(x.form.bits(SMALL))


def quarters(writer: Writer, x: Value) -> tuple[Value, Value, Value]:
    """k, of which the last two bits count, and r in two parts."""
    form = x.form
    (two_by_pi,) = writer.numbers("2/pi", form)
    first, second, third = writer.numbers("pi/2", form)
    k = writer.fma(x, two_by_pi, form.magic)
    count = k - form.magic
    rough = writer.fma(count, -first, x)
    r = writer.fma(count, -second, rough)
    return k, r, writer.fma(count, -third, writer.fma(count, -second, rough - r))


def _both(writer: Writer, x: Value) -> tuple[Value, Value, Value]:
    """The sine and the cosine of r, and k, of which the last two bits count."""
    is_large = x.size().is_within(x.form.bits(LARGE), x.form.infinity)
    k, r, low = quarters(writer, writer.leave(is_large, x))
    z = r * r
    half = z * 0.5
    near = 1.0 - half
    if writer.is_wide:
        sine = writer.fma(r * z, writer.polynomial(z, "sin"), r)
        return sine, writer.fma(z * z, writer.polynomial(z, "cos"), near), k.bits()
    sine = r + writer.fma(r * z, writer.polynomial(z, "sin"), low)
    rest = writer.fma(z * z, writer.polynomial(z, "cos"), -(r * low))
    return sine, near + (((1.0 - near) - half) + rest), k.bits()


def turned(x: Value, quarter: Value) -> Value:
    """-x where the angle is in the third or fourth quarter."""
    form = x.form
    place = form.fraction + form.bias.bit_length()
    return (x.bits() ^ ((quarter & 2) << place)).real()


def _of_quotient(writer: Writer, u: Value, v: Value) -> tuple[Value, Value]:
    """The angle whose tangent is u / v, of numbers that are not negative."""
    is_low = u.bits().is_below((v * TAN_EIGHTH).bits())
    is_high = v.bits().is_below((u * TAN_EIGHTH).bits())
    over = is_low.choose(u, is_high.choose(-v, u - v))
    under = is_low.choose(v, is_high.choose(u, u + v))
    t = over / under
    z = t * t
    pairs = zip(
        writer.numbers("pi/2", u.form), writer.numbers("pi/4", u.form), strict=False
    )
    zero = writer.constant(u.type, 0.0)
    high, low = (
        is_low.choose(zero, is_high.choose(writer.constant(u.type, half), quarter))
        for half, quarter in pairs
    )
    rest = writer.fma(t * z, writer.polynomial(z, "arctan"), low)
    return high, t + rest


def _of_sine(writer: Writer, x: Value) -> tuple[Value, Value, Value]:
    """The angle, as a sum, whose sine is |x|, or by half the one to a right angle."""
    form, u = x.form, x.absolute()
    one = form.bits(1.0)
    u = writer.leave(u.bits().is_within(one + 1, form.infinity), u)
    is_large = ~u.bits().is_below(form.bits(0.5))
    z = is_large.choose((1.0 - u) * 0.5, u * u)
    s = is_large.choose(z.root(), u)
    return s, s * (z * writer.polynomial(z, "arcsin")), is_large
