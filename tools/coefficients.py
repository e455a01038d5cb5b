"""The coefficients of own vector mathematics: computed here, kept as a table.

Needs mpmath. Each polynomial is the one whose largest relative error, of what is made
of it, is the least, by Remez' exchange of points; its degree is the least one whose
error is below the bound.

    python tools/coefficients.py > runtime/backends/llvm/mathematics/coefficients.py
"""

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mpmath import (  # type: ignore[import-not-found] # asked for by hand only
    asin,
    atan,
    cbrt,
    cos,
    diff,
    erf,
    erfc,
    euler,
    exp,
    expm1,
    inf,
    log,
    loggamma,
    lu_solve,
    matrix,
    mp,
    mpf,
    pi,
    sin,
    sinh,
    sqrt,
    tanh,
)

mp.dps = 60

Function = Callable[[Any], Any]
# What a polynomial may add to a result's relative error.
# wide: in float64, where the result is to be a float32.
BOUNDS = {"f64": mpf(2) ** -58, "f32": mpf(2) ** -28, "wide": mpf(2) ** -30}
# The same where a result is a sum of two floats.
SMALL = mpf(2) ** -67
HEAD = '''\
"""coefficients: of polynomials, by powers; written by tools/coefficients.py."""

COEFFICIENTS: dict[tuple[str, str], tuple[float, ...]] = {'''


@dataclass(frozen=True)
class Polynomial:
    """What is to be met: `function` on an interval.

    weight: what an error of the polynomial is to a result, relative to it
    bound:  of that error, where it is not the usual one
    """

    function: Function
    low: Any
    high: Any
    weight: Function
    forms: tuple[str, ...] = ("f64", "f32")
    bound: Any = None


def _series(function: Function, at_zero: Any) -> Function:
    """The function, which cannot be computed at 0."""
    return lambda x: mpf(at_zero) if abs(x) < mpf(10) ** -18 else function(x)


def _odd(function: Function, at_zero: Any) -> Function:
    """(f(x) / x - 1) / x**2 as a function of x**2."""

    def made(z: Any) -> Any:
        x = sqrt(z)
        return (function(x) / x - 1) / z

    return _series(made, at_zero)


def _odd_weight(function: Function) -> Function:
    """x**3 / f(x), by x**2."""
    return lambda z: z if z < mpf(10) ** -18 else z * sqrt(z) / function(sqrt(z))


LN2 = log(2)
HALF = LN2 / 2 * mpf("1.001")
EIGHTH = (pi / 4 * mpf("1.001")) ** 2
S = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.001")
TAN = (sqrt(2) - 1) ** 2 * mpf("1.001")


def _artanh(s: Any) -> Any:
    return log((1 + s) / (1 - s))


TWO_ROOT_PI = 2 / sqrt(pi)
ERF_AT_ZERO = -TWO_ROOT_PI / 3
MIDDLE = mpf(13) / 8


def _of_gamma(u: Any) -> Any:
    x = u + MIDDLE
    for root, slope in ((1, -euler), (2, 1 - euler)):
        if abs(x - root) < mpf(10) ** -20:
            return slope * (3 - 2 * root) * -1
    return loggamma(x) / ((x - 1) * (x - 2))


MIDDLE_GAMMA = _of_gamma(mpf(0))


def _of_stirling(z: Any) -> Any:
    x = 1 / sqrt(z)
    return (loggamma(x) - ((x - HALF_ONE) * (log(x) - 1) + LOG_ROOT)) * x


HALF_ONE = mpf(1) / 2
# log(gamma(x)) is about (x - 1/2) * (log(x) - 1) + this.
LOG_ROOT = log(2 * pi) / 2 - HALF_ONE

POLYNOMIALS = {
    # (e**r - 1 - r) / r**2
    "exp": Polynomial(
        _series(lambda r: (exp(r) - 1 - r) / r**2, 0.5),
        -HALF,
        HALF,
        lambda r: r**2 / exp(r),
        ("f64", "f32", "wide"),
    ),
    # What is left of e**r behind r**3 / 6, by r**4.
    "exp_rest": Polynomial(
        _series(lambda r: (exp(r) - 1 - r - r**2 / 2 - r**3 / 6) / r**4, mpf(1) / 24),
        -HALF,
        HALF,
        lambda r: r**4 / exp(r),
        ("f64",),
        SMALL,
    ),
    # The same, where e**r - 1 is the result.
    "expm1": Polynomial(
        _series(lambda r: (exp(r) - 1 - r) / r**2, 0.5),
        -HALF,
        HALF,
        lambda r: r if abs(r) < mpf(10) ** -18 else r**2 / expm1(r),
    ),
    # (2**r - 1) / r
    "exp2": Polynomial(
        _series(lambda r: (exp(r * LN2) - 1) / r, LN2),
        -mpf(1) / 2,
        mpf(1) / 2,
        lambda r: r / exp(r * LN2),
    ),
    # (log((1 + s) / (1 - s)) / s - 2) / s**2 by s**2; and what is left of that.
    "log": Polynomial(
        _series(lambda z: (_artanh(sqrt(z)) / sqrt(z) - 2) / z, mpf(2) / 3),
        mpf(0),
        S,
        lambda z: z / 2,
    ),
    "log_rest": Polynomial(
        _series(
            lambda z: ((_artanh(sqrt(z)) / sqrt(z) - 2) / z - mpf(2) / 3) / z,
            mpf(2) / 5,
        ),
        mpf(0),
        S,
        lambda z: z**2 / 2 * 2**8,
        ("f64",),
    ),
    "tanh": Polynomial(_odd(tanh, -mpf(1) / 3), mpf(0), mpf("0.4"), _odd_weight(tanh)),
    "sinh": Polynomial(_odd(sinh, mpf(1) / 6), mpf(0), mpf(1), _odd_weight(sinh)),
    "sin": Polynomial(
        _odd(sin, -mpf(1) / 6), mpf(0), EIGHTH, _odd_weight(sin), ("f64", "wide")
    ),
    "cos": Polynomial(
        _series(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24),
        mpf(0),
        EIGHTH,
        lambda z: z**2 / cos(sqrt(z)),
        ("f64", "wide"),
    ),
    # What is left of them behind x**3 / 6 and x**4 / 24.
    "sin_rest": Polynomial(
        _series(lambda z: (sin(sqrt(z)) / sqrt(z) - 1 + z / 6) / z**2, mpf(1) / 120),
        mpf(0),
        EIGHTH,
        lambda z: z * _odd_weight(sin)(z),
        ("f64",),
        SMALL,
    ),
    "cos_rest": Polynomial(
        _series(lambda z: (cos(sqrt(z)) - 1 + z / 2 - z**2 / 24) / z**3, -mpf(1) / 720),
        mpf(0),
        EIGHTH,
        lambda z: z**3 / cos(sqrt(z)),
        ("f64",),
        SMALL,
    ),
    "arctan": Polynomial(
        _odd(atan, -mpf(1) / 3), mpf(0), TAN, _odd_weight(atan), ("f64", "wide")
    ),
    "arcsin": Polynomial(
        _odd(asin, mpf(1) / 6), mpf(0), mpf("0.25"), _odd_weight(asin), ("f64", "wide")
    ),
    # (erf(x) / x - 2 / sqrt(pi)) / x**2, by x**2; and log(erfc(x)), by x - 1.
    "erf": Polynomial(
        _series(lambda z: erf(sqrt(z)) / sqrt(z) / z - TWO_ROOT_PI / z, ERF_AT_ZERO),
        mpf(0),
        mpf("1.01"),
        _odd_weight(erf),
        ("f64", "wide"),
    ),
    "erfc": Polynomial(
        lambda u: log(erfc(1 + u)),
        mpf(0),
        mpf("5.1"),
        lambda u: erfc(1 + u) / erf(1 + u),
        ("f64", "wide"),
    ),
    # log(gamma(x)) / ((x - 1) * (x - 2)) = MIDDLE_GAMMA + u * this, by u = x - 13/8;
    # and what Stirling's formula leaves, times x, by 1 / x**2.
    "lgamma": Polynomial(
        _series(lambda u: (_of_gamma(u) - MIDDLE_GAMMA) / u, diff(_of_gamma, 0)),
        -mpf("0.63"),
        mpf("0.63"),
        lambda u: u / _of_gamma(u),
        ("f64", "wide"),
    ),
    "stirling": Polynomial(
        _series(_of_stirling, mpf(1) / 12),
        mpf(0),
        mpf(1) / 64,
        lambda z: sqrt(z) / loggamma(1 / sqrt(z)) if z > 0 else mpf(0),
        ("f64", "wide"),
    ),
    # A first guess.
    "cbrt": Polynomial(
        cbrt, mpf(1), mpf(8), lambda a: 1 / cbrt(a), ("f64",), mpf(2) ** -11
    ),
}
# Numbers that are more than one float: of the first part so many bits, for its products
# with small ints are exact; none where it is the nearest float.
SHORT = {"f64": 40, "f32": 15}
PARTS = {
    "ln2": (LN2, 2, SHORT),
    "log10(2)": (log(2) / log(10), 2, SHORT),
    "log(2)": (LN2, 1, {}),
    "log2(e)": (1 / LN2, 1, {}),
    "log10(e)": (1 / log(10), 1, {}),
    "2/pi": (2 / pi, 1, {}),
    "pi/2": (pi / 2, 3, {}),
    "pi": (pi, 2, {}),
    "pi/4": (pi / 4, 2, {}),
    "2/3": (mpf(2) / 3, 2, {}),
    "1/6": (mpf(1) / 6, 2, {}),
    "1/24": (mpf(1) / 24, 2, {}),
    "2/sqrt(pi)": (TWO_ROOT_PI, 1, {}),
    "log(root)": (LOG_ROOT, 1, {}),
    "lgamma(middle)": (MIDDLE_GAMMA, 1, {}),
}


def best(one: Polynomial, degree: int) -> tuple[list[Any], Any]:
    """The best polynomial of a degree, and its largest weighted error."""
    low, high = one.low, one.high
    count = degree + 2
    points = [
        (low + high) / 2 + (high - low) / 2 * -cos(pi * n / (count - 1))
        for n in range(count)
    ]
    grid = [low + (high - low) * mpf(n) / 600 for n in range(601)]
    known = [(x, one.function(x), one.weight(x)) for x in grid]
    found: list[Any] = []
    worst = inf
    for _ in range(12):
        # A zero weight tells nothing: its point is moved.
        points = [p if one.weight(p) != 0 else p + (high - low) / 997 for p in points]
        a = matrix(count, count)
        b = matrix(count, 1)
        for row, x in enumerate(points):
            weight = one.weight(x)
            for column in range(degree + 1):
                a[row, column] = weight * x**column
            a[row, degree + 1] = (-1) ** row
            b[row] = weight * one.function(x)
        solved = list(lu_solve(a, b))
        coefficients, level = solved[:-1], abs(solved[-1])
        errors = [(x, (_value(coefficients, x) - y) * w) for x, y, w in known]
        most = max(abs(e) for _, e in errors)
        if most < worst:
            found, worst = coefficients, most
        if most <= level * mpf("1.02"):
            break
        points = _exchanged(errors, count) or points
    return found, worst


def _exchanged(errors: list[tuple[Any, Any]], count: int) -> list[Any]:
    """The points of the largest errors of alternate signs; none where too few."""
    peaks: list[tuple[Any, Any]] = []
    for x, error in errors:
        if peaks and (error > 0) == (peaks[-1][1] > 0):
            if abs(error) > abs(peaks[-1][1]):
                peaks[-1] = (x, error)
        elif error != 0:
            peaks.append((x, error))
    while len(peaks) > count:
        peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
    return [x for x, _ in peaks] if len(peaks) == count else []


def _value(coefficients: list[Any], x: Any) -> Any:
    found = mpf(0)
    for one in reversed(coefficients):
        found = found * x + one
    return found


def fitted(one: Polynomial, form: str) -> list[Any]:
    """The polynomial of the least degree that is good enough."""
    for degree in range(2, 32):
        found, worst = best(one, degree)
        if worst < (one.bound or BOUNDS[form]):
            return found
    raise ValueError("no polynomial is good enough")


def rounded(number: Any, form: str) -> float:
    """The nearest number of that form."""
    if form != "f32":
        return float(number)
    return float(struct.unpack("f", struct.pack("f", float(number)))[0])


def parted(number: Any, count: int, bits: int | None, form: str) -> list[float]:
    """Floats whose sum is the number, the largest first."""
    made = []
    for place in range(count):
        one = number
        if place == 0 and bits is not None:
            one = mpf(int(number * mpf(2) ** bits)) / mpf(2) ** bits
        made.append(rounded(one, form))
        number -= mpf(made[-1])
    return made


def main() -> None:
    """Write the table."""
    print(HEAD)
    for name, (number, count, bits) in PARTS.items():
        for form in SHORT:
            numbers = parted(number, count, bits.get(form), form)
            print(f'    ("{name}", "{form}"): {tuple(numbers)!r},')
    for name, one in POLYNOMIALS.items():
        for form in one.forms:
            print(f'    ("{name}", "{form}"): (')
            for number in fitted(one, form):
                print(f"        {rounded(number, form)!r},")
            print("    ),")
            print(name, form, file=sys.stderr)
    print("}")


if __name__ == "__main__":
    main()
