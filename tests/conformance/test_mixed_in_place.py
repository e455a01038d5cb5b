"""Numbers and arrays of several kinds, changed, indexed with and given to NumPy."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.mixed import I64, Cases, P

CASES = Cases()
case = CASES.case


class Box:
    def __init__(self):
        self.n = 0
        self.d = {"k": 1}

    def step(self, v):
        if v > 0:
            self.n += v
        self.d["k"] = self.n
        return self.n


@case(*P)
def filled_in_a_loop(x):
    a = np.zeros(3, int)
    if x > 0:
        a = np.zeros(3)
    for i in range(3):
        a[i] = i * 1.5
    return a


@case(*P)
def swapped_in_a_loop(x):
    a = np.zeros(2, int)
    b = np.ones(2)
    i = 0
    while i < 3:
        a, b = b, a
        i += 1 if x > 0 else 2
    return a, b


@case(*P)
def views_of_either(x):
    a = np.arange(4)
    if x > 0:
        a = np.arange(4) * 0.5
    v = a[1:]
    v += 1
    w = v[::2]
    w[0] = 9.9
    a[0] = 5
    return a, v, w, a is v


@case(*P)
def view_changed_in_a_branch(x):
    a = np.arange(4)
    if x > 0:
        a = np.arange(4) * 0.5
    if x > 1:
        a[1:] *= 2
    for r in a:
        if r > 1:
            a[0] += 1
    return a


@case(*P)
def two_dims(x):
    a = np.zeros((2, 2), np.float32)
    if x > 0:
        a = np.zeros((2, 2))
    a[0] = x
    a[:, 1] += 0.1
    b = a.T
    b[0, 0] = 3
    return (
        a,
        b,
        a @ b,
        a[0],
        a[0, 1],
        a.mean(axis=0),
        a + np.float32(1),
        a > 0,
        np.linalg.inv(a + np.eye(2, dtype=np.float32)),
    )


@case(*P)
def given_as_out(x):
    a = np.zeros(2, np.float32)
    if x > 0:
        a = np.zeros(2)
    np.add(a, 1, out=a)
    np.multiply(a, x, out=a, casting="same_kind")
    return a


@case(*P)
def out_that_one_dtype_refuses(x):
    a = np.zeros(2, int)
    if x > 0:
        a = np.zeros(2)
    np.add(a, 0.5, out=a)
    return a


@case(*P)
def methods_of_arrays(x):
    a = np.array([3, 1, 2])
    if x > 0:
        a = a * 0.5
    a.sort()
    a.fill(2)
    b = a.copy()
    b.put([0], 7)
    return (
        a,
        b,
        a.astype(bool),
        a.view(),
        a.flatten(),
        a.ravel(),
        a.repeat(2),
        a.reshape(-1, 1),
        a.real,
        a.T,
        a.clip(0, 1),
        a.round(),
        a.var(),
        a.prod(),
        a.any(),
        a.nonzero(),
        a.searchsorted(2),
    )


@case(*P)
def outer_variable(x):
    n = 0

    def add(v):
        nonlocal n
        if v > 0:
            n += v
        else:
            n = n + 1
        return n

    add(x)
    add(x)
    return n, add(x)


@case(*P)
def attribute_and_item(x):
    b = Box()
    b.step(x)
    b.step(-x)
    return b.n, b.d


@case(*P)
def default_argument(x):
    def f(n=1):
        return n * 2

    return f(x) if x > 0 else f()


@case(*P)
def both_ints_as_index(x):
    n = 1
    if x > 0:
        n = I64(2)
    a = np.arange(6).reshape(2, 3)
    return (
        a[n - 1],
        a[:, n],
        a[n - 1, n - 1],
        a[..., n],
        [10, 20, 30][n],
        "abc"[n],
        (1, 2, 3)[n],
    )


@case(*P)
def bool_or_int_as_index(x):
    n = 1
    if x > 0:
        n = True
    return np.arange(3)[n], [1, 2][n]


@case(*P)
def both_ints_as_bounds(x):
    n = 1
    if x > 0:
        n = I64(2)
    a = np.arange(6)
    a[n:] = 0
    a[:n] += n
    return (
        a,
        a[::n],
        a[-n:],
        np.roll(a, n),
        np.zeros(n),
        np.ones((n, 2)),
        np.reshape(a, (n, -1)),
        np.sum(a, axis=0),
        [0],
    )


@case(*P)
def bound_that_may_be_a_float(x):
    n = 1
    if x > 0:
        n = x
    return np.arange(6)[:n]


@case(*P)
def range_to_what_may_be_a_float(x):
    n = 1
    if x > 0:
        n = x
    s = 0
    for i in range(n):
        s += i
    return s


@case(*P)
def yielded(x):
    def g():
        yield 0
        if x > 0:
            yield x
        yield 1.5

    return list(g()), sum(g())


@case(*P)
def made_in_comprehensions(x):
    return (
        [0 if v > x else v for v in np.arange(3.0)],
        sum(0 if v > x else v for v in np.arange(3.0)),
        [v if v > 0 else None for v in (0, x)],
    )


@case((np.arange(3.0),), (np.zeros(0),))
def first_or_none_found(xs):
    for v in xs:
        if v > 1:
            return v
    return -1


@case((np.arange(3.0),), (np.zeros(0),))
def first_by_for_else(xs):
    for i, v in enumerate(xs):
        if v > 1:
            return i, v
    else:
        return -1, 0


@case((np.arange(3.0),), (np.zeros(0),))
def mean_or_zero(xs):
    return sum(xs) / len(xs) if len(xs) else 0


@case(*P)
def of_a_conditional(x):
    return (1 if x > 0 else 0.5) * x, (1 if x > 0 else 0.5) * 2, -(1 if x > 0 else 0.5)


@case(*P)
def numpy_of_numbers(x):
    n = 1 if x > 0 else x
    return (
        np.where(np.array([True, False]), n, 0.5),
        np.select([np.array([True, False])], [n], 0),
        np.full_like(np.zeros(2), n),
        np.dot(n, 2),
        np.outer([n, 1], [1, 2]),
        np.cumsum([n, n]),
        np.sort([n, 0]),
        np.linspace(n, 2, 3),
        np.arange(0, n, 1),
        np.isfinite(n),
        np.mod(n, 2),
        np.divmod(n, 2),
        np.polyval([n, 1], 2),
        np.interp(n, [0, 1], [0, 2]),
        np.tile(n, 2),
        np.stack([n, n]),
        np.max([n, 3]),
        np.median([n, 3, 4]),
        np.sign(n),
        np.exp(n),
        np.floor(n),
        np.square(n),
        np.sqrt(abs(n)),
        np.array([n] * 3),
        np.array([[n, 1], [2, 3]], dtype=np.float32),
        np.asarray(n) + 0,
        np.float32(n),
        np.int64(n),
        np.ceil(n),
    )


@case(*P)
def arrays_with_numbers(x):
    n = 1 if x > 0 else 0.5
    a = np.ones(2, np.float32) if x > 0 else np.ones(2, int)
    return (
        a * n,
        a + n,
        n - a,
        a**n,
        a / n,
        a // n,
        a == n,
        np.maximum(a, n),
        np.add(a, n),
        np.where(a > 0, a, n),
    )


@case(*P, (np.float64(-7.5),), (np.float64(-20),))
def many_in_one_array(x):
    items = [0 if x + k > 0 else x + k for k in range(10)]
    return np.array(items), np.stack(items[:2]), sum(items), max(items), items


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_mixed_value_is_what_it_is_in_python(function, arguments):
    try:
        assert_same_as_python(function, *arguments)
    except AssertionError:
        raise
    except Exception:
        pass  # plain Python raises it too
