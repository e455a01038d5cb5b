"""Steps one after the other become machine code when they have run for long."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot, making
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, parts_of

CASES, case = cases(regions=1)
n = np.int64
rng = np.random.default_rng(1)
x7, y7 = rng.random(7), rng.random(7) - 0.5
x46, y46 = rng.random((4, 6)), rng.random((4, 6))
i7 = np.arange(7) * 1000


@case((x7, y7), (x46, y46), (x46, y46[0]), (x46.T, y46.T), (x7.astype("f4"), i7))
def chain(x, y):
    return (x * y + 0.5) / (1.0 + x * x) - y


@case((x7, n(3)), (x7, n(0)))
def several_results(x, k):
    y = x * 2 + k
    z = np.exp(y) * y
    return z, y, k + 1


@case((x7,), (i7,))
def changes_its_argument(x):
    x[1:-1] = x[:-2] + x[2:] * 2
    x[0] = x[1] + x[-1]
    x *= 3
    return x[1:]


@case((x7, n(1)), (x7, n(-1)))
def branches(x, k):
    if k > 0:
        y = x * 2 + 1
    else:
        y = x - 1
    return y * y + x


@case((x7, n(2)), (x7, n(6)), (x7, n(9)), (x7, n(-9)))
def fails(x, k):
    y = x * 2 + 1
    y[k] = 5.0
    x[k] = y[k] * 3
    return x * y


@case((x7,), (x46,), regions=2)
def around_another_op(x):
    y = x * 2 - 1
    y = y + x
    z = np.partition(y, 0, axis=None)
    return (z * 2 + 1) * z


@case((n(3), n(4)), (n(2**62), n(2**62)), (n(3), n(0)))
def many_numbers(a, b):
    c = a * b + a - b
    d = (c * 3 + 1) * 2 - a
    e = d % 7 + c // 5 - d
    f = (e + d) * (e - d) + int(c)
    return f, e, float(d) / int(b)


z7 = (x7 + y7 * 1j) / 2


@case((z7, z7 - 0.5), (x7, y7))
def each_step_takes_the_one_before_twice(z, first):
    for _ in range(40):
        z = z * z + first
    return z


@case((x46, x46.T.copy()), (x46, x46[0]))
def around_a_matrix_product(x, y):
    """A ufunc by its type, and no function of elements."""
    z = x @ y
    return (z * 2 + 1) @ (z - 1)


@case((x7,), regions=0)
def one_op(x):
    return x + 1


@case((x7, x7 * 2, True), (x7, x7 * 2, False))
def views_between(x, y, flag):
    a = x[1:] + y[:-1]
    b = a[::2] * 2 if flag else a[1::2] + 1
    return b * 2 - 1


def regions_of(staged, arguments):
    return parts_of(staged, arguments, hot.Region)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments", "regions"), CASES)
def test_regions(function, arguments, regions, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, arguments, layout)
        held = regions_of(staged, arguments[0])
        assert len(held) == regions
        assert all(one.function is not None for one in held), [o.refused for o in held]


def test_steps_that_take_little_time_are_python(monkeypatch):
    monkeypatch.setattr(hot, "SECONDS", 3600.0)
    staged = ag.function(chain)
    for _ in range(5):
        staged(x7, y7)
    (region,) = regions_of(staged, (x7, y7))
    assert region.function is None


def test_steps_that_have_taken_long_are_compiled():
    staged = ag.function(chain)
    x, y = rng.random(1_000_000), rng.random(1_000_000)
    found = staged(x, y)
    (region,) = regions_of(staged, (x, y))
    for _ in range(300):
        if region.function is not None:
            break
        found = staged(x, y)
    assert region.function is not None
    assert np.array_equal(found, chain(x, y))


def test_steps_that_are_long_to_compile_wait(monkeypatch):
    monkeypatch.setattr(making, "SECONDS_ALL", 9.0)
    staged = ag.function(chain)
    x, y = rng.random(1_000_000), rng.random(1_000_000)
    found = staged(x, y)
    (region,) = regions_of(staged, (x, y))
    for _ in range(300):
        if region.seconds > 1:
            break
        found = staged(x, y)
    assert region.seconds > 1
    assert region.function is None
    assert np.array_equal(found, chain(x, y))
