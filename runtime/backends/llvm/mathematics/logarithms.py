"""logarithms: log(x) and what is made of it.

x = 2**k * m, with m between the roots of 1/2 and 2, and s = (m - 1) / (m + 1): log(m)
is 2s and a polynomial by s**2. What is no usual float above 0 is the C library's.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import Form, Value, Writer

SMALLEST = {"f64": 2.0**-1022, "f32": 2.0**-126}
# Above this 1 + x is x, and 2**-k may be no float.
LARGE = {"f64": 2.0**1000, "f32": 2.0**120}


def log(writer: Writer, x: Value) -> Value:
    """The logarithm."""
    count, f = parts(usual(writer, x))
    return _whole(writer, count, f)


def log2(writer: Writer, x: Value) -> Value:
    """The logarithm for the base 2."""
    count, f = parts(usual(writer, x))
    (log2_e,) = writer.numbers("log2(e)", x.form)
    return writer.fma(_of_part(writer, f), log2_e, count)


def log10(writer: Writer, x: Value) -> Value:
    """The logarithm for the base 10."""
    count, f = parts(usual(writer, x))
    (log10_e,) = writer.numbers("log10(e)", x.form)
    high, low = writer.numbers("log10(2)", x.form)
    part = writer.fma(_of_part(writer, f), log10_e, count * low)
    return writer.fma(count, high, part)


def log1p(writer: Writer, x: Value) -> Value:
    """log(1 + x): what 1 + x loses is added to the part that is near 1."""
    form = x.form
    below = form.bits(-1.0)
    is_rare = x.bits().is_within(form.bits(LARGE[form.name]), form.sign - 1)
    is_rare |= x.bits().is_within(below, -1)
    y = writer.leave(is_rare, x)
    u = y + 1.0
    v = u - 1.0
    lost = (1.0 - (u - v)) + (y - v)
    exponent, f = split(u)
    scale = ((2 * form.bias - exponent) << form.fraction).real()
    found = _whole(writer, as_number(exponent, form), writer.fma(lost, scale, f))
    return found.with_sign_of(x)


# --- parts ----------------------------------------------------------------------------
def usual(writer: Writer, x: Value) -> Value:
    """x; the C library is asked where it is no usual float above 0."""
    form = x.form
    least = form.bits(SMALLEST[form.name])
    fits = x.bits().is_within(least, form.infinity - 1)
    return writer.leave(~fits, x)


def split(x: Value) -> tuple[Value, Value]:
    """K and the bias, as an int, and m - 1."""
    form, bits = x.form, x.bits()
    one = form.bias << form.fraction
    exponent = (bits + (one - form.bits(0.5**0.5))) >> form.fraction
    m = (bits - (exponent << form.fraction) + one).real()
    return exponent, m - 1.0


def as_number(exponent: Value, form: Form) -> Value:
    """K as a float."""
    base = 2.0**form.fraction
    return (exponent | form.bits(base)).real() - (base + form.bias)


def parts(x: Value) -> tuple[Value, Value]:
    """k, and m - 1."""
    exponent, f = split(x)
    return as_number(exponent, x.form), f


def _terms(writer: Writer, f: Value) -> tuple[Value, Value]:
    """log(1 + f) is `f - (half - rest)`."""
    s = f / (f + 2.0)
    z = s * s
    half = f * f * 0.5
    return half, s * writer.fma(z, writer.polynomial(z, "log"), half)


def _of_part(writer: Writer, f: Value) -> Value:
    half, rest = _terms(writer, f)
    return f - (half - rest)


def _whole(writer: Writer, count: Value, f: Value) -> Value:
    high, low = writer.numbers("ln2", f.form)
    half, rest = _terms(writer, f)
    return writer.fma(count, high, f - (half - writer.fma(count, low, rest)))
