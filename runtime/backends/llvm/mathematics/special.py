"""special: the error function, and the logarithm of gamma."""

from __future__ import annotations

from runtime.backends.llvm.mathematics.exponentials import exponential, power_of_2
from runtime.backends.llvm.mathematics.logarithms import SMALLEST, parts, whole
from runtime.backends.llvm.mathematics.writer import HARMLESS, Value, Writer

# From here on an error function is 1.
END_OF_ERF = 6.0
# Below the first x + 1 is looked at, from the second on x - 1 and so on, from the third
# on there is Stirling's formula. Above the last the C library is asked.
ONE, HIGHEST, STIRLING, LARGE = 1.0, 2.25, 8.0, 1e300
# So often 1 is taken away from less than STIRLING until it is less than HIGHEST.
STEPS = 6
# The polynomial is around the middle of 1 and HIGHEST.
MIDDLE = 1.625


def erf(writer: Writer, x: Value) -> Value:
    """2 / sqrt(pi) * (the integral of e**-t**2 from 0 to x)."""
    form, u = x.form, x.absolute()
    is_one = u.bits().is_within(form.bits(END_OF_ERF), form.infinity)
    u = is_one.choose(END_OF_ERF, u)
    (slope,) = writer.numbers("2/sqrt(pi)", form)
    square = u * u
    rest = u * (square * writer.polynomial(square, "erf"))
    small = writer.fma(u, slope, rest)
    power, k, _ = exponential(writer, writer.polynomial(u - 1.0, "erfc"))
    large = 1.0 - power * power_of_2(k)
    is_small = u.bits().is_below(form.bits(1.0))
    return is_small.choose(small, large).with_sign_of(x)


def lgamma(writer: Writer, x: Value) -> Value:
    """The logarithm of gamma(x)'s size; where x is not above 0 the C library's."""
    form = x.form
    smallest = form.bits(SMALLEST[form.name])
    fits = x.bits().is_within(smallest, form.bits(LARGE))
    # Here SciPy and the C library differ; of Python's numbers Python is asked anyway.
    is_least = x.bits().equals(form.infinity - form.sign)
    given = x
    x = is_least.choose(HARMLESS, writer.leave(~(fits | is_least), x))
    is_low = x.bits().is_below(form.bits(ONE))
    is_usual = x.bits().is_below(form.bits(STIRLING))
    y = is_usual.choose(x, ONE)
    factors = writer.constant(x.type, 1.0)
    for _ in range(STEPS):
        is_high = ~y.bits().is_below(form.bits(HIGHEST))
        less = y - 1.0
        factors = is_high.choose(factors * less, factors)
        y = is_high.choose(less, y)
    # The two zeros, at 1 and at 2; of x + 1 they are at 0 and at 1.
    first = is_low.choose(y, y - 1.0)
    second = is_low.choose(y - 1.0, y - 2.0)
    u = is_low.choose(y - (MIDDLE - 1.0), y - MIDDLE)
    (middle,) = writer.numbers("lgamma(middle)", form)
    slope = writer.fma(u, writer.polynomial(u, "lgamma"), middle)
    near = first * second * slope
    of_x = is_low | ~is_usual
    logarithm = whole(writer, *parts(of_x.choose(x, factors)))
    moved = near + is_low.choose(-logarithm, logarithm)
    found = is_usual.choose(moved, _stirling(writer, x, is_usual, logarithm))
    return is_least.choose(given, found)


def _stirling(writer: Writer, x: Value, is_less: Value, logarithm: Value) -> Value:
    """Of large x; of others nothing that the processor would note."""
    x = is_less.choose(STIRLING, x)
    (root,) = writer.numbers("log(root)", x.form)
    by = 1.0 / x
    rest = writer.fma(by, writer.polynomial(by * by, "stirling"), root)
    return writer.fma(x - 0.5, logarithm - 1.0, rest)
