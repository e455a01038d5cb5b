"""Rows of loops by index that go from step to step: arrays that change names, sums."""

import math
from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def heat(u: Any, steps: Any) -> Any:
    """Heat that spreads, on the caller's grid and one beside it, which change names."""
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                near = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                v[i, j] = u[i, j] + 0.1 * (near - 4 * u[i, j])
        u, v = v, u
    return u


def wave(before: Any, now: Any, after: Any, steps: Any) -> Any:
    """A string, by three rows of the caller's that change names."""
    for _ in range(steps):
        for i in range(1, len(now) - 1):
            bend = now[i + 1] - 2 * now[i] + now[i - 1]
            after[i] = 2 * now[i] - before[i] + 0.1 * bend
        before, now, after = now, after, before
    return now


def warped(a: Any, b: Any) -> Any:
    """How far two rows are from one another, if time may be stretched."""
    n, m = len(a), len(b)
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            near = min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
            d[i, j] = abs(a[i - 1] - b[j - 1]) + near
    return d[n, m]


def relaxed(given: Any, turns: Any) -> Any:
    """Successive over-relaxation, and the largest change."""
    u, largest = given.copy(), 0.0
    for _ in range(turns):
        largest = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                old = u[i, j]
                near = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                new = 0.375 * near - 0.5 * old
                u[i, j] = new
                largest = max(largest, abs(new - old))
    return u, largest


def way(x: Any, y: Any) -> Any:
    """The length of a way from place to place."""
    total = 0.0
    for i in range(1, len(x)):
        total += math.hypot(x[i] - x[i - 1], y[i] - y[i - 1])
    return total


def _row(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).random(n)


def _rows(n: int) -> Any:
    return _row(n), _row(n), _row(n)


def _grid(n: int) -> Any:
    return np.random.default_rng(n).random((n, n))


ROWS = (
    Row("heat on two grids", heat, {"100": lambda: (_grid(100), 10)}),
    Row("wave", wave, {"2,000": lambda: (*_rows(2_000), 20)}),
    Row("time warping", warped, {"150": lambda: (_row(150), _row(150, 1))}),
    Row("over-relaxation", relaxed, {"50": lambda: (_grid(50), 20)}),
    Row("length of a way", way, {"10,000": lambda: (_row(10_000), _row(10_000, 1))}),
)
