"""Loops over whole arrays as machine code: a chain of ops is one loop, bit for bit."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, loops_of

CASES, case = cases(native=True)
n = np.int64
rng = np.random.default_rng(1)
x7, y7 = rng.random(7), rng.random(7) - 0.5
z7 = x7 + 1j * y7
x1200 = rng.random(1200) + 0.5
x46, y46 = rng.random((4, 6)), rng.random((4, 6))
x235 = rng.random((2, 3, 5))
i7 = np.arange(7) * 1000
odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -2.0])


@case(
    (x7, y7, n(3)), (x46, y46, n(2)), (x46.T, y46.T, n(2)), (x46, y46.T.copy().T, n(2))
)
def chain(x, y, count):
    for _ in range(count):
        x = (x * y + 0.5) / (1.0 + x * x) - y
    return x


@case((x7, n(2)), (x1200, n(2)), (x46, n(1)), (odd, n(2)), (x7.astype("f4"), n(3)))
def functions(x, count):
    for k in range(count):
        x = np.exp(-np.abs(x)) * np.sin(x + k) + np.sqrt(np.tanh(x) * 2 + 3)
    return x


@case((i7, n(40)), (i7.astype("i2"), n(3)), (i7.astype("u4"), n(3)))
def ints_wrap_round(x, count):
    for _ in range(count):
        x = x * x - 3
    return x


@case(
    (x46, x46[0], n(2)),
    (x46, x46[:, :1], n(2)),
    (x235, x235[0], n(1)),
    (x46, x7[:1], n(1)),
)
def broadcasts(x, y, count):
    for _ in range(count):
        x = x * 2 - y
    return x


@case((x46.copy(), y46.copy(), n(3)), (rng.random((9, 9)), rng.random((9, 9)), n(4)))
def jacobi(a, b, count):
    for _ in range(count):
        b[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a[1:-1, 1:-1] = 0.25 * (b[1:-1, :-2] + b[1:-1, 2:] + b[:-2, 1:-1] + b[2:, 1:-1])
    return a


@case((x7, n(3)), (x1200, n(2)), (i7, n(2)))
def stores_what_it_reads(x, count):
    for _ in range(count):
        x[1:] = x[:-1] + x[1:]
        x[:-1] = x[1:] * 2
        x[...] = x + 1
        x[2:5] = x[:3]
    return x


@case((x46, n(2)), (x46.T, n(2)))
def rows(x, count):
    for k in range(count):
        x[k] = x[k + 1] * 2 + x[:, k : k + 1][0]
        x[:, k] = k
        x[k, 1:] = x[k + 1, :-1]
    return x


@case((x7, n(3)), (odd, n(3)))
def truths(x, count):
    for k in range(count):
        x = np.where((x > 0.1) & ~(x >= 0.7), x + k, x * 0.5)
    return x


@case((x7, n(4)), (i7, n(4)))
def two_uses(x, count):
    for _ in range(count):
        y = x + 1
        x = y * y - y
    return x


@case((n(5), n(3)), (n(0), n(3)), (n(-1), n(2)))
def made_in_the_loop(size, count):
    total = np.zeros(3)
    for k in range(count):
        x = np.zeros(size)
        y = np.ones((size, 3))
        y[...] = k
        x[:1] = 7
        total = total + y[-1] + np.full(3, 2.5) + x[0]
    return total


@case((x7, n(3)), (x46.T, n(2)))
def copies(x, count):
    for _ in range(count):
        y = x.copy()
        y[0] = 0
        x = x + y
    return x


@case((x7, n(2), n(0)), (x7, n(2), n(1)))
def in_branches(x, count, which):
    for _ in range(count):
        if which > 0:
            y = x * 2
        else:
            y = x - 1
        x = y + x
    return x


@case((x7, n(5)), (x7, n(50)))
def element_by_element_too(x, count):
    last = 0.0
    for k in range(count):
        x = x * 1.5 - 1
        if x[k % 3] < -10:
            last = x[0]
            break
        x[1] += k
    return x, last


@case(
    (np.array([1 + 2j, 3j, 0]), n(3)),
    (rng.random(1000) * (1 + 0.3j) - 0.7j, n(2)),
    (np.array(rng.random(1000) * (1 + 0.3j), "c8"), n(2)),
)
def complex_arrays(z, count):
    for _ in range(count):
        z = z * z - (1 - 2j) * z + 1
    return z


@case(
    (x7, i7, n(2)),
    (x7.astype("f4"), i7, n(2)),
    (x7.astype("f4"), i7.astype("i2"), n(2)),
)
def two_dtypes(x, y, count):
    total = x * y
    for k in range(count):
        total = total + y * x - k
    return total


@case((x7, n(3)))
def augmented(x, count):
    y = x * 1
    for _ in range(count):
        y += x
        y *= 2
        x[1:] += y[:-1]
    return y


@case((x7, n(2), n(2)), (x7, n(2), n(5)))
def nested(x, count, inner):
    for i in range(count):
        for j in range(inner):
            x = x * 0.5 + i - j
        x = x + 1
    return x


@case((x7, n(2)))
def of_constants(x, count):
    weights = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    for _ in range(count):
        x = x * weights
    return x


@case((x46, x46[:1], n(2)), (x46[:3], x46[:1], n(2)), (x46[:2], x46[:1], n(2)))
def one_row_for_many(x, row, count):
    """The number of rows is known when it runs alone."""
    for _ in range(count):
        x = x + row * 2
        x[...] = row
    return x


@case((z7, n(3)), (z7.astype("c8"), n(3)))
def products_of_complex_numbers(z, count):
    for _ in range(count):
        z = z * z * 0.7 + z
    return z


@case((x7, n(2)))
def too_many_functions_for_one_loop(x, count):
    for _ in range(count):
        a = np.sin(x) + np.cos(x) + np.exp(x) + np.tanh(x) + np.arctan(x) + np.sinh(x)
        b = np.cosh(x) + np.cbrt(x) + np.expm1(x) + np.exp2(x) + np.arcsinh(x)
        x = np.log1p(a + b + np.tan(x))
    return x


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments", "native"), CASES)
def test_maps(function, arguments, native, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, arguments, layout)
        loops = loops_of(staged, arguments[0])
        assert all((loop.function is not None) == native for loop in loops[:1]), [
            getattr(loop, "refused", None) for loop in loops
        ]
        assert loops
