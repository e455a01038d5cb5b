"""logarithms: log(x) and what is made of it.

x = 2**k * m, with m between the roots of 1/2 and 2, and s = (m - 1) / (m + 1): log(m)
is 2s and a polynomial by s**2. What is no usual float above 0 is the C library's.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import Form, Value, Writer

SMALLEST = {"f64": 2.0**-1022, "f32": 2.0**-126}
# Up to the first squares are usual floats; above the second 1 + x is x, and 2**-k may
# be no float.
ROOT = {"f64": 2.0**500, "f32": 2.0**60}
LARGE = {"f64": 2.0**1000, "f32": 2.0**120}


def log(writer: Writer, x: Value) -> Value:
    """The logarithm."""
    count, f = parts(usual(writer, x))
    return whole(writer, count, f)


def usual_log(writer: Writer, x: Value) -> Value:
    """The same, where all are usual floats above 0."""
    writer.whole_if(~is_usual(x))
    return whole(writer, *parts(x))


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
    return _of_sum(writer, writer.leave(is_rare, x)).with_sign_of(x)


def arcsinh(writer: Writer, x: Value) -> Value:
    """log(x + sqrt(x**2 + 1))."""
    form, u = x.form, x.absolute()
    is_rare = u.bits().is_within(form.bits(ROOT[form.name]), form.infinity)
    u = writer.leave(is_rare, u)
    square = u * u
    more = square / ((square + 1.0).root() + 1.0)
    return _of_sum(writer, u + more).with_sign_of(x)


def arccosh(writer: Writer, x: Value) -> Value:
    """log(x + sqrt(x**2 - 1)), of x from 1 on."""
    form = x.form
    fits = x.bits().is_within(form.bits(1.0), form.bits(ROOT[form.name]))
    t = writer.leave(~fits, x, 1.5) - 1.0
    return _of_sum(writer, t + writer.fma(t, t, t + t).root())


def arctanh(writer: Writer, x: Value) -> Value:
    """log((1 + x) / (1 - x)) / 2, of x between -1 and 1."""
    form, u = x.form, x.absolute()
    is_rare = u.bits().is_within(form.bits(1.0), form.infinity)
    u = writer.leave(is_rare, u)
    return (_of_sum(writer, (u + u) / (1.0 - u)) * 0.5).with_sign_of(x)


# --- parts ----------------------------------------------------------------------------
def _of_sum(writer: Writer, y: Value) -> Value:
    """log(1 + y)."""
    form = y.form
    u = y + 1.0
    v = u - 1.0
    lost = (1.0 - (u - v)) + (y - v)
    exponent, f = split(u)
    scale = ((2 * form.bias - exponent) << form.fraction).real()
    return whole(writer, as_number(exponent, form), writer.fma(lost, scale, f))


def is_usual(x: Value) -> Value:
    """Whether it is a usual float above 0."""
    form = x.form
    return x.bits().is_within(form.bits(SMALLEST[form.name]), form.infinity - 1)


def usual(writer: Writer, x: Value) -> Value:
    """x; the C library is asked where it is no usual float above 0."""
    return writer.leave(~is_usual(x), x)


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


def whole(writer: Writer, count: Value, f: Value) -> Value:
    """log(2**count * (1 + f))."""
    high, low = writer.numbers("ln2", f.form)
    half, rest = _terms(writer, f)
    return writer.fma(count, high, f - (half - writer.fma(count, low, rest)))
