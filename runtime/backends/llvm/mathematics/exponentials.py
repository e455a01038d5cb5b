"""exponentials: e**x and what is made of it.

x = k * log(2) + r, with |r| at most log(2) / 2: a polynomial gives e**r, and k goes
into the exponent.
"""

from __future__ import annotations

from runtime.backends.llvm.mathematics.writer import Value, Writer

# Above the first the result may be infinite, below the second it is 0.
ENDS = {"f64": (709.7, -746.0), "f32": (88.7, -104.0)}
# The same for powers of 2, and where the result is -1, and where a tanh is 1.
ENDS_OF_2 = {"f64": (1023.9, -1076.0), "f32": (127.9, -151.0)}
ENDS_OF_TANH = {"f64": 22.0, "f32": 10.0}
# Up to here 2**k is a float of its own.
LARGEST = {"f64": 709.0, "f32": 88.0}
# Of numbers between its negative and this e**x is a usual float.
USUAL = {"f64": 708.0, "f32": 87.0}
# Below this a tanh is a polynomial.
SMALL = 0.625


def exp(writer: Writer, x: Value) -> Value:
    """e**x."""
    x = _bounded(writer, x, *ENDS[x.form.name])
    power, k, _ = exponential(writer, x)
    return times_power_of_2(writer, power, k)


def usual_exp(writer: Writer, x: Value) -> Value:
    """The same, where all results are usual floats: k is added to their exponents."""
    form = x.form
    writer.whole_if(writer.compare("icmp sgt", x.size(), form.bits(USUAL[form.name])))
    power, k, _ = exponential(writer, x)
    return (power.bits() + (k.bits() << form.fraction)).real()


def exp2(writer: Writer, x: Value) -> Value:
    """2**x."""
    form = x.form
    x = _bounded(writer, x, *ENDS_OF_2[form.name])
    k = x + form.magic
    r = x - (k - form.magic)
    power = writer.fma(r, writer.polynomial(r, "exp2"), 1.0)
    return times_power_of_2(writer, power, k)


def expm1(writer: Writer, x: Value) -> Value:
    """e**x - 1."""
    form = x.form
    most = LARGEST[form.name]
    bounded = _bounded(writer, x, most, -60.0)
    k, r, rest = reduced(writer, bounded)
    part = writer.fma(r * r, writer.polynomial(r, "expm1"), r) + rest
    power = power_of_2(k)
    return writer.fma(power, part, power - 1.0).with_sign_of(x)


def sinh(writer: Writer, x: Value) -> Value:
    """(e**x - e**-x) / 2."""
    u = _of_hyperbola(writer, x)
    power, k, _ = exponential(writer, u)
    half = power * power_of_2(k) * 0.5
    small = writer.fma(u * (u * u), writer.polynomial(u * u, "sinh"), u)
    is_small = u.bits().is_below(u.form.bits(1.0))
    return is_small.choose(small, half - 0.25 / half).with_sign_of(x)


def cosh(writer: Writer, x: Value) -> Value:
    """(e**x + e**-x) / 2."""
    u = _of_hyperbola(writer, x)
    power, k, _ = exponential(writer, u)
    half = power * power_of_2(k) * 0.5
    return half + 0.25 / half


def tanh(writer: Writer, x: Value) -> Value:
    """1 - 2 / (e**2x + 1); near 0 a polynomial."""
    form = x.form
    most = ENDS_OF_TANH[form.name]
    u = x.absolute()
    is_one = u.bits().is_within(form.bits(most), form.infinity)
    u = is_one.choose(most, u)
    small, large = _tanhs(writer, u)
    is_small = u.bits().is_below(form.bits(SMALL))
    return is_small.choose(small, large).with_sign_of(x)


def usual_tanh(writer: Writer, x: Value) -> Value:
    """The same, where all are numbers: the processor compares floats, in one step."""
    form, size = x.form, x.size()
    writer.whole_if(writer.compare("icmp sgt", size, form.infinity))
    most = form.bits(ENDS_OF_TANH[form.name])
    u = size.is_below(most).choose(size, most).real()
    small, large = _tanhs(writer, u)
    found = writer.compare("fcmp olt", u, SMALL).choose(small, large)
    return (found.bits() | (x.bits() ^ size)).real()


# --- parts ----------------------------------------------------------------------------
def _tanhs(writer: Writer, u: Value) -> tuple[Value, Value]:
    """The tanh of a number that is not below 0: where that is small, and elsewhere."""
    form = u.form
    (log2_e,), (ln2,) = (writer.numbers(name, form) for name in ("log2(e)", "log(2)"))
    k = writer.fma(u, 2.0 * log2_e, form.magic)
    # One float of log(2) will do: the larger k, the less a tanh has of e**2u.
    r = writer.fma(k - form.magic, -ln2, u + u)
    part = writer.fma(r * r, writer.polynomial(r, "exp"), r)
    power = power_of_2(k)
    large = 1.0 - 2.0 / writer.fma(part, power, power + 1.0)
    z = u * u
    return writer.fma(u * z, writer.polynomial(z, "tanh"), u), large


def _bounded(writer: Writer, x: Value, most: float, least: float) -> Value:
    """x; the C library is asked where it is large; at least `least`."""
    form, bits = x.form, x.bits()
    x = writer.leave(bits.is_within(form.bits(most), form.infinity), x)
    lowest = form.infinity - form.sign
    is_low = bits.is_within(form.bits(least), lowest)
    return is_low.choose(least, x)


def _of_hyperbola(writer: Writer, x: Value) -> Value:
    form, u = x.form, x.absolute()
    is_large = u.bits().is_within(form.bits(LARGEST[form.name]), form.infinity)
    return writer.leave(is_large, u)


def reduced(writer: Writer, x: Value) -> tuple[Value, Value, Value]:
    """k, whose last bits are an int, and the two parts of r."""
    k, count, first, r = _reduced(writer, x)
    low = writer.numbers("ln2", x.form)[1]
    return k, r, writer.fma(count, -low, first - r)


def _reduced(writer: Writer, x: Value) -> tuple[Value, Value, Value, Value]:
    """k, the number in its last bits, x without its first part, and r."""
    form = x.form
    (log2_e,) = writer.numbers("log2(e)", form)
    high, low = writer.numbers("ln2", form)
    k = writer.fma(x, log2_e, form.magic)
    count = k - form.magic
    first = writer.fma(count, -high, x)
    return k, count, first, writer.fma(count, -low, first)


def exponential(
    writer: Writer, x: Value, low: Value | None = None
) -> tuple[Value, Value, Value]:
    """e**(x + low) as a number near 1 and a k, whose last bits are an int; and r."""
    if low is None:
        # What r loses is a quarter of a unit of the result at most.
        k, _, _, r = _reduced(writer, x)
        return 1.0 + writer.fma(r * r, writer.polynomial(r, "exp"), r), k, r
    k, r, rest = reduced(writer, x)
    # It is small beside x, but not beside r.
    rough, rest = r, rest + low
    r = rough + rest
    rest = (rough - r) + rest
    part = writer.fma(r * r, writer.polynomial(r, "exp"), rest)
    return 1.0 + (r + part), k, r


def power_of_2(k: Value) -> Value:
    """2 to the int in the last bits of k, where there is such a float."""
    form = k.form
    return ((k.bits() + form.bias) << form.fraction).real()


def times_power_of_2(writer: Writer, x: Value, k: Value) -> Value:
    """X by 2 to the int in the last bits of k; denormals are rounded once."""
    form = k.form
    half = (k - form.magic) * 0.5 + form.magic
    other = k.bits() - half.bits()
    last = ((other + form.bias) << form.fraction).real()
    return x * power_of_2(half) * last
