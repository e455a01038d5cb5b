"""Rows of loops that change arrays through views, and that store ints of NumPy."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def turned(given: Any) -> Any:
    """Stores into the array, its axes exchanged."""
    x = given.copy()
    v = x.T
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            v[i, j] = v[i, j] * 0.5 + j
    return x


def in_a_row(given: Any) -> Any:
    """Stores into all rows as one, by data."""
    x = given.copy()
    v = x.ravel()
    for i in range(len(v)):
        if v[i] > 0.5:
            v[i] = v[i] * 2
        else:
            v[i] = -v[i]
    return x


def in_pairs(given: Any) -> Any:
    """Neighbours exchanged, as a matrix of pairs."""
    x = given.copy()
    v = x.reshape(-1, 2)
    for i in range(len(v)):
        first = v[i, 0]
        v[i, 0] = v[i, 1]
        v[i, 1] = first
    return x


def scaled_ints(x: Any, z: Any) -> Any:
    """Ints, computed and stored."""
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = 3 * x[i] - 2 * z[i] + 1
    return y


def smoothed_ints(x: Any) -> Any:
    """The mean of three ints."""
    y = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) // 4
    return y


def at_least(x: Any) -> Any:
    """Numbers of an array's, or Python's by data, stored."""
    y = np.zeros_like(x)
    for i in range(len(x)):
        v = x[i] - 0.5
        y[i] = v if v > 0.2 else 0
    return y


def clipped_sum(x: Any) -> Any:
    """A sum of the larger of an element and Python's zero."""
    total = 0
    for i in range(len(x)):
        total += max(x[i], 0)
    return total


def hashed(data: Any) -> Any:
    """FNV: products of 64 bits that wrap round."""
    h = np.uint64(14695981039346656037)
    for i in range(len(data)):
        h = (h ^ data[i]) * np.uint64(1099511628211)
    return h


def xorshift(seed: Any, count: Any) -> Any:
    """Random bits by shifts, and their sum, which wraps round."""
    x, s = seed, np.uint64(0)
    for _ in range(count):
        x = x ^ (x << np.uint64(13))
        x = x ^ (x >> np.uint64(7))
        x = x ^ (x << np.uint64(17))
        s = s + x
    return s


def _floats(*shape: int) -> Any:
    return np.random.default_rng(1).random(shape)


def _ints(n: int, kind: Any) -> Any:
    return np.random.default_rng(n).integers(0, 256, n).astype(kind)


N = 10_000
SEED = np.uint64(88172645463325252)
ROWS = (
    Row("stores, turned", turned, {"100": lambda: (_floats(100, 100),)}),
    Row("stores in a row", in_a_row, {"100": lambda: (_floats(100, 100),)}),
    Row("stores in pairs", in_pairs, {"100": lambda: (_floats(100, 100),)}),
    Row(
        "ints scaled",
        scaled_ints,
        {"1e4": lambda: (_ints(N, np.int64), _ints(N, np.int64)[::-1].copy())},
    ),
    Row("ints smoothed", smoothed_ints, {"1e4": lambda: (_ints(N, np.int64),)}),
    Row("of two kinds", at_least, {"1e4": lambda: (_floats(N),)}),
    Row("of two kinds, sum", clipped_sum, {"1e4": lambda: (_floats(N) - 0.5,)}),
    Row("hash", hashed, {"1e4": lambda: (_ints(N, np.uint64),)}),
    Row("xorshift", xorshift, {"1e4": lambda: (SEED, N)}),
)
