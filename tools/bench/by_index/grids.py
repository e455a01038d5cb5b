"""Rows of loops by index over grids and pictures."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def life(given: Any, turns: Any) -> Any:
    """Conway's game, whose edges meet."""
    g = given.copy()
    n, m = g.shape
    for _ in range(turns):
        h = np.zeros((n, m), np.int64)
        for i in range(n):
            for j in range(m):
                s = 0
                for a in range(-1, 2):
                    for b in range(-1, 2):
                        if a != 0 or b != 0:
                            s += g[(i + a) % n, (j + b) % m]
                if s == 3 or (s == 2 and g[i, j] == 1):
                    h[i, j] = 1
        g = h
    return g


def life_inside(given: Any, turns: Any) -> Any:
    """The same, with edges that are dead."""
    g = given.copy()
    n, m = g.shape
    for _ in range(turns):
        h = np.zeros((n, m), np.int64)
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                s = g[i - 1, j - 1] + g[i - 1, j] + g[i - 1, j + 1] + g[i, j - 1]
                s += g[i, j + 1] + g[i + 1, j - 1] + g[i + 1, j] + g[i + 1, j + 1]
                if s == 3 or (s == 2 and g[i, j] == 1):
                    h[i, j] = 1
        g = h
    return g


def sobel(x: Any) -> Any:
    """Edges of a picture."""
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            a = x[i - 1, j + 1] + 2 * x[i, j + 1] + x[i + 1, j + 1]
            a -= x[i - 1, j - 1] + 2 * x[i, j - 1] + x[i + 1, j - 1]
            b = x[i + 1, j - 1] + 2 * x[i + 1, j] + x[i + 1, j + 1]
            b -= x[i - 1, j - 1] + 2 * x[i - 1, j] + x[i - 1, j + 1]
            y[i, j] = np.sqrt(a * a + b * b)
    return y


def seidel(given: Any, turns: Any) -> Any:
    """Gauss-Seidel's turns of a square."""
    x = given.copy()
    n = len(x)
    for _ in range(turns):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                x[i, j] = (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) / 4
    return x


def filtered(x: Any, k: Any) -> Any:
    """A picture and a small kernel."""
    n, m = x.shape
    p, q = k.shape
    y = np.zeros((n - p + 1, m - q + 1))
    for i in range(n - p + 1):
        for j in range(m - q + 1):
            s = 0.0
            for a in range(p):
                for b in range(q):
                    s += x[i + a, j + b] * k[a, b]
            y[i, j] = s
    return y


def steps_from_corner(walls: Any) -> Any:
    """How far each place is from the first, by a queue in arrays."""
    n, m = walls.shape
    d = np.full((n, m), -1)
    rows, columns = np.zeros(n * m, np.int64), np.zeros(n * m, np.int64)
    d[0, 0] = 0
    first, last = 0, 1
    while first < last:
        i, j = rows[first], columns[first]
        first += 1
        for k in range(4):
            a, b = i, j
            if k == 0:
                a += 1
            elif k == 1:
                a -= 1
            elif k == 2:
                b += 1
            else:
                b -= 1
            if 0 <= a < n and 0 <= b < m and walls[a, b] == 0 and d[a, b] < 0:
                d[a, b] = d[i, j] + 1
                rows[last] = a
                columns[last] = b
                last += 1
    return d


def cheapest_path(cost: Any) -> Any:
    """The cheapest way through a grid, down or right."""
    n, m = cost.shape
    d = np.zeros((n, m), np.int64)
    d[0, 0] = cost[0, 0]
    for j in range(1, m):
        d[0, j] = d[0, j - 1] + cost[0, j]
    for i in range(1, n):
        d[i, 0] = d[i - 1, 0] + cost[i, 0]
        for j in range(1, m):
            d[i, j] = min(d[i - 1, j], d[i, j - 1]) + cost[i, j]
    return d[n - 1, m - 1]


def integral_image(x: Any) -> Any:
    """Sums of all that is above and to the left."""
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += x[i, j]
            y[i, j] = s
            if i > 0:
                y[i, j] += y[i - 1, j]
    return y


def _bits(n: int, share: float = 0.4) -> Any:
    return (np.random.default_rng(n).random((n, n)) < share).astype(np.int64)


def _floats(*dims: int) -> Any:
    return np.random.default_rng(1).random(dims)


def _walls() -> Any:
    walls = _bits(100, 0.25)
    walls[0, 0] = 0
    return walls


ROWS = (
    Row("life", life, {"40": lambda: (_bits(40), 5)}),
    Row("life inside", life_inside, {"100": lambda: (_bits(100), 5)}),
    Row("Sobel", sobel, {"200": lambda: (_floats(200, 200),)}),
    Row("Gauss-Seidel", seidel, {"100": lambda: (_floats(100, 100), 5)}),
    Row("filter", filtered, {"3 x 3": lambda: (_floats(100, 100), _floats(3, 3))}),
    Row("steps from corner", steps_from_corner, {"100": lambda: (_walls(),)}),
    Row("cheapest path", cheapest_path, {"200": lambda: (_bits(200) * 7 + 1,)}),
    Row("integral image", integral_image, {"200": lambda: (_floats(200, 200),)}),
)
