"""Rows of Python's lists: programs without an array. `numpy` is plain Python here.

The size comes as a number of NumPy's: of an int, a constant of the first trace, all
would be computed while tracing.
"""

from functools import partial
from typing import Any

import numpy as np

from tools.bench.rows.row import Row

TRACED = "it traces each item of a list"
TENSORFLOW = "it has no lists that change"


def list_sieve(n: Any) -> Any:
    """The number of primes below n."""
    n = int(n)
    flags = [True] * n
    i = 2
    while i * i < n:
        if flags[i]:
            j = i * i
            while j < n:
                flags[j] = False
                j += i
        i += 1
    count = 0
    for k in range(2, n):
        if flags[k]:
            count += 1
    return count


def insertion_sort(n: Any) -> Any:
    """Numbers that are made one by one, then sorted by insertion."""
    n = int(n)
    xs = []
    seed = 12345
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        xs.append(seed % 1000)
    for i in range(1, n):
        x = xs[i]
        j = i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return xs[n // 2]


def common_subsequence(n: Any) -> Any:
    """The longest that two texts of n letters have in common, by one row of a table."""
    n = int(n)
    a = [i * 7919 % 26 for i in range(n)]
    b = [i * 104729 % 23 for i in range(n)]
    row = [0] * (n + 1)
    for i in range(n):
        before = 0
        for j in range(n):
            old = row[j + 1]
            if a[i] == b[j]:
                row[j + 1] = before + 1
            elif row[j] > old:
                row[j + 1] = row[j]
            before = old
    return row[n]


def stack_search(n: Any) -> Any:
    """Nodes of a tree, by a stack of those that wait."""
    n = int(n)
    waiting = [1]
    total = 0
    while waiting:
        x = waiting.pop()
        total += x % 7
        if 2 * x < n:
            waiting.append(2 * x)
            waiting.append(2 * x + 1)
    return total


def list_bodies(n: Any, steps: Any) -> Any:
    """Bodies that draw one another, their places and speeds in lists."""
    n = int(n)
    px = [0.5 * i for i in range(n)]
    py = [1.0 * (i * i % 7) for i in range(n)]
    vx, vy = [0.0] * n, [0.0] * n
    for _ in range(steps):
        for i in range(n):
            ax, ay = 0.0, 0.0
            for j in range(n):
                dx, dy = px[j] - px[i], py[j] - py[i]
                d = dx * dx + dy * dy + 0.01
                ax += dx / (d * d)
                ay += dy / (d * d)
            vx[i] += 0.001 * ax
            vy[i] += 0.001 * ay
        for i in range(n):
            px[i] += vx[i]
            py[i] += vy[i]
    return px[0], py[n - 1]


def counted(n: Any) -> Any:
    """How often the most frequent of numbers comes."""
    counts: dict[int, int] = {}
    seed = 12345
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        key = seed % 1009
        counts[key] = counts.get(key, 0) + 1
    most = 0
    for key in range(1009):
        if key in counts:
            most = max(most, counts[key])
    return most


def _sizes(*sizes: int) -> dict[str, Any]:
    return {f"{n:,}": partial(tuple, (np.int64(n),)) for n in sizes}


NONE = {"jax": TRACED, "torch": TRACED, "tensorflow": TENSORFLOW}

ROWS = (
    Row("sieve in a list", list_sieve, _sizes(1_000, 200_000), without=NONE),
    Row("sort by insertion", insertion_sort, _sizes(50, 1_000), without=NONE),
    Row("common subsequence", common_subsequence, _sizes(30, 400), without=NONE),
    Row("search by a stack", stack_search, _sizes(1_000, 200_000), without=NONE),
    Row("counts in a dict", counted, _sizes(1_000, 200_000), without=NONE),
    Row(
        "bodies in lists",
        list_bodies,
        {f"{n}": partial(tuple, (np.int64(n), 20)) for n in (10, 60)},
        without=NONE,
    ),
)
