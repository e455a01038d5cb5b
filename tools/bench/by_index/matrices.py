"""Rows of loops by index over matrices."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def product(a: Any, b: Any) -> Any:
    """A product of matrices, each element summed in a number."""
    n, m, p = a.shape[0], a.shape[1], b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            s = 0.0
            for k in range(m):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c


def product_in_place(a: Any, b: Any) -> Any:
    """A product of matrices, summed in the result."""
    n, m, p = a.shape[0], a.shape[1], b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return c


def matrix_vector(a: Any, x: Any) -> Any:
    """A matrix by a vector."""
    y = np.zeros(len(a))
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s
    return y


def floyd_warshall(given: Any) -> Any:
    """The shortest ways between all pairs."""
    d = given.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def gauss(given: Any, right: Any) -> Any:
    """Elimination with pivots, and the solution."""
    a, b = given.copy(), right.copy()
    n = len(b)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            for j in range(n):
                t = a[k, j]
                a[k, j] = a[p, j]
                a[p, j] = t
            t = b[k]
            b[k] = b[p]
            b[p] = t
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
            b[i] -= f * b[k]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i, j] * b[j]
        b[i] = s / a[i, i]
    return b


def cholesky(a: Any) -> Any:
    """The lower factor."""
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low


def transpose(a: Any) -> Any:
    """The rows of one are the columns of the other."""
    n, m = a.shape
    b = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            b[j, i] = a[i, j]
    return b


def trace_of_powers(a: Any, count: Any) -> Any:
    """Ints of a small matrix, multiplied again and again modulo a prime."""
    n = len(a)
    p = np.eye(n).astype(np.int64)
    for _ in range(count):
        q = np.zeros((n, n), np.int64)
        for i in range(n):
            for j in range(n):
                s = 0
                for k in range(n):
                    s += p[i, k] * a[k, j]
                q[i, j] = s % 1000003
        p = q
    t = 0
    for i in range(n):
        t += p[i, i]
    return t


def _square(n: int) -> Any:
    return np.random.default_rng(n).random((n, n))


def _positive(n: int) -> Any:
    a = _square(n)
    return a @ a.T + n * np.eye(n)


ROWS = (
    Row("product", product, {"80": lambda: (_square(80), _square(80))}),
    Row("product +=", product_in_place, {"80": lambda: (_square(80), _square(80))}),
    Row(
        "matrix-vector", matrix_vector, {"300": lambda: (_square(300), _square(300)[0])}
    ),
    Row("Floyd-Warshall", floyd_warshall, {"80": lambda: (_square(80),)}),
    Row("Gauss", gauss, {"80": lambda: (_square(80), _square(80)[0])}),
    Row("Cholesky", cholesky, {"80": lambda: (_positive(80),)}),
    Row("transpose", transpose, {"200": lambda: (_square(200),)}),
    Row(
        "powers modulo",
        trace_of_powers,
        {"6": lambda: ((_square(6) * 1000).astype(np.int64), 200)},
    ),
)
