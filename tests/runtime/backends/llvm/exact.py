"""exact: functions of our own by their names, and results more exact than float64's."""

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

LONG = np.longdouble
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
# Of Stirling's series, which is used from so far on.
BERNOULLI = ["1/6", "-1/30", "1/42", "-1/30", "5/66", "-691/2730", "7/6", "-3617/510"]
FAR = 60


def named(name: str) -> np.ufunc:
    """NumPy's function of that name, or SciPy's."""
    if hasattr(np, name):
        return getattr(np, name)
    return getattr(pytest.importorskip("scipy.special"), name)


def exactly(name: str) -> Callable[..., Any]:
    """The function of arrays of long floats."""
    return _each(SPECIAL[name]) if name in SPECIAL else getattr(np, name)


def _each(function: Callable[[Decimal], Decimal]) -> Callable[..., Any]:
    def made(x: Any) -> Any:
        found = [_of_one(function, one) for one in np.asarray(x, np.float64).flat]
        return np.array(found, LONG)

    return made


def _of_one(function: Callable[[Decimal], Decimal], x: float) -> Any:
    if not np.isfinite(x):
        return LONG({"erf": np.sign, "lgamma": abs}[function.__name__](x))
    with localcontext(prec=40):
        return LONG(str(function(Decimal(float(x)))))


def erf(x: Decimal) -> Decimal:
    """By a series of which all terms have the same sign."""
    if abs(x) > 8:
        return Decimal(1).copy_sign(x)
    term = total = x
    odd = 1
    while abs(term) > abs(total) * Decimal("1e-35"):
        odd += 2
        term = term * 2 * x * x / odd
        total += term
    return total * 2 * (-x * x).exp() / PI.sqrt()


def lgamma(x: Decimal) -> Decimal:
    """By Stirling's series, of x above 0."""
    factors = Decimal(1)
    while x < FAR:
        factors *= x
        x += 1
    found = (x - Decimal("0.5")) * x.ln() - x + (2 * PI).ln() / 2
    for place, number in enumerate(map(Fraction, BERNOULLI)):
        even = 2 * place + 2
        over = number.denominator * even * (even - 1)
        found += Decimal(number.numerator) / over / x ** (even - 1)
    return found - factors.ln()


SPECIAL = {"erf": erf, "gammaln": lgamma}
