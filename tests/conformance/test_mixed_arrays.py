"""Numbers and arrays of several kinds in loops, calls and expressions."""

import functools
import math
import operator

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.mixed import I64, Cases, F, P

CASES = Cases()
case = CASES.case


@case((F(1.5),), (F(-1),))
def in_an_exception(x):
    n = 1
    if x > 0:
        n = x
    raise ValueError(f"no {n}")


@case((I64(3), I64(2)), (I64(3), I64(-2)), (I64(0), I64(-1)))
def powers_of_ints(a, b):
    a = int(a)
    b = int(b)
    return a**b, a**-2, a**3, 2**b, a**0.5, (a**b) * 2, a**True


@case((F(-8), F(0.5)), (F(8), F(2)), (F(0), F(-1)))
def powers_of_floats(a, b):
    a = float(a)
    b = float(b)
    return a**b, a**-2, a**3, 2**b, a**0.5, a**2.0, (a**b) + 1, abs(a**b), (a**0.5) == 1


@case((F(-8), F(0.5)), (F(8), F(2)), (F(0), F(-1)))
def power_compared(a, b):
    a = float(a)
    b = float(b)
    return a**b < 3


@case(*P)
def scalar_or_array(x):
    s = 0
    if x > 0:
        s = np.ones(3) * x
    return s, s + 1, s * 2.0


@case((np.ones((3, 2)),), (np.ones((0, 2)),))
def sum_rows(xs):
    s = 0
    for r in xs:
        s = s + r
    return s


@case((np.ones((3, 2)),), (np.ones((0, 2)),))
def sum_rows_inplace(xs):
    s = 0
    for r in xs:
        s += r
    return s, s * 2


@case(*P)
def number_or_alias_changed_in_place(x):
    a = np.zeros(2)
    b = 0
    if x > 0:
        b = a
    b += 1
    return a, b


@case(*P)
def list_of_two_kinds(x):
    items = []
    while x > -3:
        items.append(0 if x > 0 else x)
        x = x - 1
    return (
        items,
        sum(items),
        max(items),
        np.array(items),
        sorted(items),
        len(items),
        items[0],
        items[-1],
    )


@case(*P)
def matched_by_class(x):
    n = 0
    if x > 0:
        n = x
    match n:
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "float", n


@case((F(3),), (F(0.5),))
def recursion_with_a_sum(n, acc=0):
    if n < 1:
        return acc
    return recursion_with_a_sum(n - 1, acc + n)


@case((F(3),), (F(0.5),))
def recursion_that_ends_with_an_int(n):
    if n < 1:
        return 0
    return recursion_that_ends_with_an_int(n - 1) + n


@case(*P)
def division_caught(x):
    n = 0
    if x > 0:
        n = x
    try:
        r = 1 / n
    except ZeroDivisionError as e:
        r = str(e)
    return r


@case(*P)
def attribute_error_caught(x):
    n = 0
    if x > 0:
        n = x
    try:
        r = n.shape
    except AttributeError as e:
        r = str(e)
    return r


@case(*P)
def asked_for_attributes(x):
    n = 0
    if x > 0:
        n = x
    return hasattr(n, "dtype"), hasattr(n, "real"), getattr(n, "ndim", -1)


@case(*P)
def bool_and_numpy_bool(x):
    n = True
    if x > 0:
        n = x > 1
    return (
        n is True,
        n is None,
        n and x,
        not n,
        n | False,
        n & (x > 0),
        ~n if x > 0 else n,
    )


@case(*P)
def int_or_numpy_bool(x):
    n = 3
    if x > 0:
        n = x > 1
    return n, n + n, n * x, -n if x < 0 else 0, np.zeros(4)[n]


@case(*P)
def in_displays(x):
    n = 0
    if x > 0:
        n = x
    return (
        [n * i for i in range(3)],
        {1: n} if x > 5 else 0,
        (n,) * 2,
        n in (0, 1),
        n in [1.5],
    )


@case(*P)
def given_to_builtins(x):
    n = 1
    if x > 0:
        n = x
    return (
        list(map(lambda v: v + n, [1, 2])),
        functools.reduce(operator.add, [n, 1, n]),
        divmod(7, n),
        operator.add(n, 1),
        round(n, 1),
        complex(n),
        math.isnan(n),
        math.floor(n),
        abs(-n),
    )


@case(*P)
def iteration_over_no_items(x):
    n = 2
    if x > 0:
        n = x
    for q in n:
        pass


@case(*P)
def length_that_no_number_has(x):
    n = 2
    if x > 0:
        n = x
    return len(n)


@case(*P)
def subscript_that_no_number_has(x):
    n = 2
    if x > 0:
        n = x
    return n[0]


@case(*P)
def item_that_no_number_takes(x):
    n = 2
    if x > 0:
        n = x
    n[0] = 1


@case((np.array([3, 1, 2]), F(1)), (np.array([3, 1, 2]), F(-1)))
def argument_or_new_array(a, x):
    b = np.zeros(3)
    if x > 0:
        b = a
    return b.sum(), b


@case((np.array([3, 1, 2]), F(1)), (np.array([3, 1, 2]), F(-1)))
def dtype_asked_for(a, x):
    b = a
    if x > 0:
        b = a * 0.5
    return (
        b.dtype == np.float64,
        b.dtype.name,
        b.dtype.kind == "i",
        np.zeros(2, b.dtype),
        np.asarray(b, float),
        np.array(b),
    )


@case(*P)
def four_kinds(x):
    n = 0
    if x > 0:
        n = x
    if x > 1:
        n = True
    if x < -5:
        n = np.float32(2)
    return n, n + 1, n * n, n / 2, str(n), isinstance(n, bool), type(n).__name__


@case(*P)
def kinds_that_change_in_a_loop(x):
    n = 0
    for i in range(4):
        if n < x:
            n = n + 0.5
        elif n > 3:
            n = int(n)
        else:
            n += 1
    return n


@case((np.uint8(200),), (np.uint8(3),))
def uint8_or_int(x):
    n = 100
    if x > 100:
        n = x
    return n, n + x, n - 1, n * 2


@case((np.uint8(200),), (np.uint8(3),))
def int_too_large_for_uint8(x):
    n = 100
    if x > 100:
        n = x
    return n + 1000


@case(*P)
def values_of_a_dict(x):
    d = {"a": 1}
    if x > 0:
        d["a"] = x
        d["b"] = 1.0
    else:
        d["b"] = 2
    return d, sum(d.values())


@case(*P)
def formatted(x):
    n = 2
    if x > 0:
        n = x
    return f"{n:.3f}|{n!r}|{n:>6}", f"{n:g}", f"{n}", str(n) + "!", repr(n)


@case(*P)
def format_that_a_float_has_not(x):
    n = 2
    if x > 0:
        n = x
    return f"{n:d}"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_mixed_value_is_what_it_is_in_python(function, arguments):
    try:
        assert_same_as_python(function, *arguments)
    except AssertionError:
        raise
    except Exception:
        pass  # plain Python raises it too
