"""Rows that draw random numbers one at a time. `numpy` is plain Python here.

The others have no streams of NumPy's, so their results would be other ones.
"""

from functools import partial
from typing import Any

import numpy as np

from tools.bench.rows.row import Row

STREAMS = "it has no generators of NumPy's"
MADE = "it makes no generators of NumPy's"


def pi(n: Any) -> Any:
    """The part of points in a square that are in a circle."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / n


def metropolis(n: Any) -> Any:
    """The mean of a walk whose places are of a normal distribution."""
    rng = np.random.default_rng(2)
    x = total = 0.0
    for _ in range(n):
        there = x + rng.normal(0.0, 0.5)
        if rng.random() < np.exp(min(0.0, 0.5 * (x * x - there * there))):
            x = there
        total += x
    return total / n


def gillespie(n: Any) -> Any:
    """Two kinds of things, each of which becomes the other, one after the other."""
    rng = np.random.default_rng(3)
    time, a, b = 0.0, 100, 0
    for _ in range(n):
        there, back = 1.0 * a, 0.5 * b
        time += rng.exponential(1.0 / (there + back))
        if rng.random() * (there + back) < there:
            a, b = a - 1, b + 1
        else:
            a, b = a + 1, b - 1
    return time, a, b


def dice(n: Any) -> Any:
    """How often two dice show seven."""
    rng = np.random.default_rng(4)
    count = 0
    for _ in range(n):
        if rng.integers(1, 7) + rng.integers(1, 7) == 7:
            count += 1
    return count


def _sizes(*sizes: int) -> dict[str, Any]:
    return {f"{n:,}": partial(tuple, (np.int64(n),)) for n in sizes}


NONE = {name: STREAMS for name in ("jax", "torch", "tensorflow")} | {"numba": MADE}

ROWS = (
    Row("pi by drawing", pi, _sizes(1_000, 200_000), without=NONE),
    Row("Metropolis steps", metropolis, _sizes(1_000, 200_000), without=NONE),
    Row("Gillespie steps", gillespie, _sizes(1_000, 200_000), without=NONE),
    Row("two dice", dice, _sizes(1_000, 200_000), without=NONE),
)
