"""`sum` of Python's floats, which from 3.12 on keeps what rounding loses."""

from math import factorial

import numpy as np
import pytest

from tests.conformance.trying import check

i, f = np.int64, np.float64
X = np.array([0.1] * 10 + [1e16, 1.0, -1e16, 0.3])


def series(x, n):
    return sum((-1) ** r * x ** (2 * r) / factorial(2 * r) for r in range(n))


def of_an_array(xs, n):
    items = [float(x) for x in xs if x > n]
    return sum(float(x) for x in xs), sum(items), sum(xs), sum(xs.tolist())


def of_a_grown_list(t, n):
    xs, mixed = [], []
    while n > 0:
        xs.append(t * n)
        mixed.append(n if n % 2 else t * n)
        n -= 1
    return sum(xs), sum(xs, 1.5), sum(xs, start=2), sum(mixed), sum(v for v in mixed)


def of_kinds(xs, n):
    numbers = (x if x > n else float(x) for x in xs)
    return sum(numbers), sum(i if i % 2 else 0.1 * i for i in range(len(xs)))


def of_known_length(t):
    items = [0.1] * 3 + [t] + [0.1] * 4 + [1e16, 1.0, t, -1e16]
    return sum(items), sum(v for v in items), sum(v * t for v in [-0.0])


def beyond_all(n, t):
    huge = sum((1e308 * t for _ in range(n)), 0.5)
    return huge, sum(t / i for i in range(1, n)), sum(complex(t, i) for i in range(n))


ARGUMENTS = {
    series: [(5.0, 10), (2.0, 12), (3.0, 11), (4.0, 14)],
    of_an_array: [(X, f(0.2)), (X, f(5.0)), (X[:0], f(1.0))],
    of_a_grown_list: [(t, i(n)) for t, n in ((0.1, 10), (0.3, 7), (0.7, 13), (0.7, 0))],
    of_kinds: [(X, f(0.5)), (X, f(5.0)), (X[:0], f(5.0))],
    of_known_length: [(f(0.3),), (0.3,), (0.7,), (0.9,), (-0.9,)],
    beyond_all: [(i(9), 0.3), (i(4), 0.7), (i(30), 0.9), (i(0), 0.9)],
}


@pytest.mark.parametrize("function", ARGUMENTS, ids=lambda one: one.__name__)
def test_sum_rounds_as_pythons(function):
    check(function, tuple(ARGUMENTS[function]))
