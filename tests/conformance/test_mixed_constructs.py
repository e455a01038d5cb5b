"""Arrays of several kinds, and numbers of several kinds in other constructs."""

import math

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.mixed import Cases, F, P

CASES = Cases()
case = CASES.case


@case(*P)
def least_and_greatest(x):
    return (
        min(x, 0),
        max(0, x),
        min([x, 1.0, 2]),
        max(x, x),
        sum([x, 1]),
        sum((0, x)),
        abs(min(0, x)),
    )


@case(*P)
def and_or(x):
    return (
        x and 1,
        x or 2,
        (x > 0) and 3,
        (x > 0) or 0.5,
        not x,
        0 if x > 0 else 1.5 if x < -5 else x,
    )


@case(*P)
def through_a_nested_function(x):
    def inner(n):
        if n < 0:
            return 1
        return n

    return inner(x), inner(x) + 1, inner(inner(x))


@case((np.array([1.0, 2]), F(1)), (np.array([1.0, 2]), F(-1)))
def number_or_array_without_dims(a, x):
    b = np.array(1.0)
    if x > 0:
        b = a[0]
    return b + 1


@case((F(1),), (F(-1),))
def texts_of_two_lengths(x):
    s = np.array(["a"])
    if x > 0:
        s = np.array(["bcd"])
    return s, len(s[0])


@case(
    (np.arange(5.0),),
)
def running_variance(xs):
    mean = 0
    m2 = 0
    n = 0
    for v in xs:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
    return mean, m2, m2 / n if n else float("nan")


@case((np.arange(5.0),), (np.zeros(0),))
def running_maximum(xs):
    out = np.zeros(5)
    best = -math.inf
    k = 0
    for v in xs:
        best = max(best, v)
        out[k] = best
        k += 1
    return best, out, k


@case(*P)
def augmented_assignments(x):
    n = 1
    if x > 0:
        n = x
    n //= 1
    n **= 2
    n -= 0.5
    n /= 3
    n %= 2
    return n


@case(*P)
def int_or_complex(x):
    n = 1
    if x > 0:
        n = 2j
    return n, n * x, n**2, abs(n), n.real, n.imag, n + n, n == 2j, complex(n)


@case(*P)
def while_over_it(x):
    n = 5
    while n > 0:
        n -= x if x > 0 else 1
    return n


@case(*P)
def none_or_two_kinds(x):
    r = None
    if x > 0:
        r = 0
    if x > 1:
        r = x
    return r, r is None


@case(*P)
def none_told_apart(x):
    r = None
    if x > 0:
        r = 0
    if x > 1:
        r = x
    if r is None:
        return "none"
    return r + 1


@case((np.ones(3),), (np.ones(0),))
def dtype_of_a_counter(xs):
    n = 0
    for _ in xs:
        n += 1
    return n.dtype


@case((np.ones(3),), (np.ones(0),))
def shape_of_a_counter(xs):
    n = 0
    for _ in xs:
        n += 1
    return n.shape


@case((np.ones(3),), (np.ones(0),))
def at_least_one_dim(xs):
    n = 0
    for x in xs:
        n += x
    return np.atleast_1d(n), np.float64(n)[None, None], np.linalg.norm(np.array([n, n]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_mixed_value_is_what_it_is_in_python(function, arguments):
    try:
        assert_same_as_python(function, *arguments)
    except AssertionError:
        raise
    except Exception:
        pass  # plain Python raises it too
