"""Numbers of several kinds that meet in one name: type, dtype and text."""

import math

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.mixed import I64, Cases, F

CASES = Cases()
case = CASES.case


@case((F(1),), (F(-1),))
def zero_or_value(x):
    return 0 if x < 0 else x


@case((F(1),), (F(3),))
def larger_of(x):
    return max(x, 2.5)


@case((np.zeros(0),), (np.ones(3),))
def total_from_zero(xs):
    s = 0
    for v in xs:
        s += v
    return s


@case((F(1),), (F(-1),))
def early_return(x):
    if x > 0:
        return 0.0
    return x


@case((F(1),), (F(-1),))
def bool_or_int(x):
    if x > 0:
        r = True
    else:
        r = 3
    print(r, f"{r}", r + 1, r * 2.5, -r, r == 1)
    return r


@case((I64(1),), (I64(-1),))
def int64_or_int(x):
    n = 5
    if x > 0:
        n = x
    return (
        n,
        n + 1,
        n / 2,
        n // 2,
        n % 3,
        n**2,
        n * 1.5,
        abs(n),
        float(n),
        int(n),
        math.sqrt(n + 10),
        np.sqrt(n + 10),
        n < 3,
        (n, [n, {"a": n}]),
    )


@case((np.float32(1.5),), (np.float32(-1),))
def float32_or_float(x):
    n = 0.1
    if x > 0:
        n = x
    a = np.ones(3, np.float32) * n
    return (
        n,
        n + 1,
        n * x,
        a,
        a.sum(),
        np.abs(n),
        np.add(n, 1),
        np.maximum(n, x),
        np.add(n, n),
    )


@case((F(1.5),), (F(-1),))
def asked_for_its_type(x):
    n = 0
    if x > 0:
        n = x
    print(
        type(n) is int,
        isinstance(n, int),
        isinstance(n, float),
        str(n),
        repr(n),
        format(n, ">8"),
    )
    return isinstance(n, (int, float)), bool(n), not n, n or 7, n and 8


@case((F(1.5),), (F(-1),))
def attributes_of_floats(x):
    n = 0.0
    if x > 0:
        n = x
    return n.real, n.conjugate()


@case((F(1.5),), (F(-1),))
def dtype_that_an_int_has_not(x):
    n = 0
    if x > 0:
        n = x
    return n.dtype


@case((F(1.5),), (F(-1),))
def method_that_an_int_has_not(x):
    n = 0
    if x > 0:
        n = x
    return n.sum()


@case((np.arange(4.0), I64(2)), (np.arange(4.0), I64(-1)))
def index_of_both_ints(x, i):
    k = 1
    if i > 0:
        k = i
    y = x[k]
    x[k] = 7
    for j in range(k):
        y += j
    return y, x[:k], x[k:], np.zeros(k)


@case((np.arange(4), F(2)), (np.arange(4), F(-1)))
def index_that_may_be_a_float(x, i):
    k = 1
    if i > 0:
        k = i
    return x[k]


@case((np.arange(4), F(2)), (np.arange(4), F(-1)))
def arrays_of_two_dtypes(x, i):
    y = x
    if i > 0:
        y = x * 0.5
    return (
        y,
        y + 1,
        y.dtype,
        y.mean(),
        y[0],
        np.zeros_like(y),
        y.astype(np.float32),
        y.sum(),
        y.shape,
        np.concatenate([y, y]),
    )


@case((np.arange(4), F(2)), (np.arange(4), F(-1)))
def dtype_that_a_loop_changes(x, i):
    y = np.zeros(4, int)
    while i > 0:
        y = y + 0.25
        i -= 1
    y[0] = 3.7
    return y


@case((np.arange(4), F(2)), (np.arange(4), F(-1)))
def in_place_on_either_dtype(x, i):
    y = np.zeros(4, int)
    if i > 0:
        y = np.ones(4)
    y += 2
    y *= 2
    return y


@case((np.arange(4), F(2)), (np.arange(4), F(-1)))
def in_place_that_one_dtype_refuses(x, i):
    y = np.zeros(4, int)
    if i > 0:
        y = np.ones(4)
    y += 2.5
    return y


@case((np.arange(4.0),), (-np.arange(4.0),), (np.zeros(0),))
def best_so_far(xs):
    top = 0
    where = -1
    for i, v in enumerate(xs):
        if v > top:
            top = v
            where = i
    return top, where


@case((np.arange(4.0),), (-np.arange(4.0),), (np.zeros(0),))
def items_and_values(xs):
    d = {"a": 0, "b": [0, 1]}
    for v in xs:
        d["a"] += v
        d["b"][1] = v
    return d


@case((np.arange(4.0),), (-np.arange(4.0),), (np.zeros(0),))
def mean_of_few(xs):
    s = 0
    n = 0
    for v in xs:
        s += v
        n += 1
    return s / max(n, 1), np.array([s, n]), np.array([s, s * s, 3]), s**2


@case((F(1.5),), (F(-1),))
def division_by_zero(x):
    n = 0
    if x > 0:
        n = x - x
    return 1 / n


@case((F(1.5),), (F(-1),))
def power_of_either(x):
    n = 2
    if x > 0:
        n = x
    return n**n, n**-1, n**0.5, 2**n


@case((F(1.5),), (F(-1),))
def rounded(x):
    n = 2
    if x > 0:
        n = x
    return (
        round(n),
        round(n, 1),
        math.floor(n),
        divmod(n, 2),
        pow(n, 2),
        min(n, 1),
        sum([n, 1]),
    )


@case((F(1.5),), (F(-1),))
def int_beyond_64_bits(x):
    n = 2**70
    if x > 0:
        n = x
    return n, n + 1, n * 2, n > x


@case((F(1.5),), (F(-1),))
def complex_or_float64(x):
    n = 1j
    if x > 0:
        n = x
    return n, n + x, x * n, n * 2


@case((F(1.5),), (F(-1),))
def complex_compared(x):
    n = 1j
    if x > 0:
        n = x
    return n < 2


@case((F(1.5),), (F(-1),))
def functions_of_numpy(x):
    a = np.arange(2)
    n = 1
    if x > 0:
        n = x
    return (
        np.where(a > 0, n, 0),
        np.clip(n, 0, 1),
        np.round(n),
        np.isnan(n),
        np.float32(n),
        np.full(2, n),
        np.arange(n),
        np.linspace(0, n, 3),
    )


@case(
    (
        np.arange(3.0),
        F(1.5),
    ),
    (
        np.arange(3.0),
        F(-1),
    ),
)
def stored_into_an_array(a, x):
    n = 1
    if x > 0:
        n = x
    a[0] = n
    a[1:] += n
    a = a + n
    return a


@case(
    (
        np.arange(3.0),
        F(1.5),
    ),
    (
        np.arange(3.0),
        F(-1),
    ),
)
def in_texts(a, x):
    n = 1
    if x > 0:
        n = x
    return f"{n} {n!r:>5} %s" % n


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_mixed_value_is_what_it_is_in_python(function, arguments):
    try:
        assert_same_as_python(function, *arguments)
    except AssertionError:
        raise
    except Exception:
        pass  # plain Python raises it too
