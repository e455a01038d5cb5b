"""Rows of loops by index over places: distances, squares, complex numbers, stacks."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def nearest(x: Any, y: Any, grid: Any) -> Any:
    """Which place is the nearest one, for each point of a grid."""
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            best = np.inf
            for k in range(len(x)):
                far = (x[k] - j / 3) ** 2 + (y[k] - i / 3) ** 2
                if far < best:
                    best = far
                    grid[i, j] = k
    return grid


def pairs(x: Any, y: Any, far: Any) -> Any:
    """How many pairs of places are near one another, and what they come to."""
    count, total = 0, 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            here = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
            if here < far * far:
                count += 1
                total += 1.0 / here
    return count, total


def circle(x: Any, y: Any) -> Any:
    """How many points are in a circle."""
    count = 0
    for i in range(len(x)):
        if x[i] ** 2 + y[i] ** 2 <= 1.0:
            count += 1
    return count


def neighbours(rows: Any, wanted: Any) -> Any:
    """The nearest of some rows to each of others, by an inner loop."""
    found = np.zeros(len(wanted), np.int64)
    for q in range(len(wanted)):
        best, at = 1e300, -1
        for i in range(len(rows)):
            far = 0.0
            for k in range(rows.shape[1]):
                far += (rows[i, k] - wanted[q, k]) ** 2
            if far < best:
                best, at = far, i
        found[q] = at
    return found


def edges(image: Any) -> Any:
    """How steep an image is, by Sobel's two filters."""
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            left = image[i - 1, j - 1] + 2 * image[i, j - 1] + image[i + 1, j - 1]
            right = image[i - 1, j + 1] + 2 * image[i, j + 1] + image[i + 1, j + 1]
            above = image[i - 1, j - 1] + 2 * image[i - 1, j] + image[i - 1, j + 1]
            below = image[i + 1, j - 1] + 2 * image[i + 1, j] + image[i + 1, j + 1]
            out[i, j] = np.sqrt((right - left) ** 2 + (below - above) ** 2)
    return out


def in_a_box(places: Any, size: Any, far: Any) -> Any:
    """What pairs of particles come to, in a box that begins anew at its walls."""
    total = 0.0
    for i in range(len(places)):
        for j in range(i + 1, len(places)):
            here = 0.0
            for k in range(3):
                step = places[i, k] - places[j, k]
                step -= size * round(step / size)
                here += step * step
            if here < far * far:
                near = 1.0 / (here * here * here)
                total += 4.0 * near * (near - 1.0)
    return total


def roots_of_unity(w: Any, h: Any, turns: Any) -> Any:
    """After how many of Newton's steps points of the plane are at a root."""
    out = np.zeros((h, w), np.int64)
    for y in range(h):
        for x in range(w):
            z = complex(-2 + 4 * x / w, -2 + 4 * y / h)
            k = 0
            while k < turns and abs(z**3 - 1) > 1e-6 and z != 0:
                z = z - (z**3 - 1) / (3 * z**2)
                k += 1
            out[y, x] = k
    return out


def components(grid: Any) -> Any:
    """Parts of a grid that hang together, by a stack of places."""
    h, w = grid.shape
    labels = np.zeros((h, w), np.int64)
    stack = np.zeros((4 * h * w, 2), np.int64)
    count = 0
    for i in range(h):
        for j in range(w):
            if grid[i, j] and labels[i, j] == 0:
                count += 1
                stack[0] = i, j
                top = 1
                while top > 0:
                    top -= 1
                    y, x = stack[top]
                    if y < 0 or y >= h or x < 0 or x >= w:
                        continue
                    if grid[y, x] == 0 or labels[y, x] != 0:
                        continue
                    labels[y, x] = count
                    stack[top] = y + 1, x
                    stack[top + 1] = y - 1, x
                    stack[top + 2] = y, x + 1
                    stack[top + 3] = y, x - 1
                    top += 4
    return labels, count


def _floats(*dims: int) -> Any:
    return np.random.default_rng(sum(dims)).random(dims)


def _plane(n: int) -> Any:
    return _floats(n), _floats(n, 1)[:, 0].copy()


def _grid(n: int) -> Any:
    return (_floats(n, n) < 0.6).astype(np.int64)


ROWS = (
    Row(
        "nearest",
        nearest,
        {"100": lambda: (*(10 * one for one in _plane(100)), _grid(30))},
    ),
    Row("pairs", pairs, {"300": lambda: (*_plane(300), 0.1)}),
    Row("circle", circle, {"10,000": lambda: _plane(10_000)}),
    Row("neighbours", neighbours, {"200": lambda: (_floats(200, 3), _floats(50, 3))}),
    Row("edges", edges, {"128": lambda: (_floats(128, 128),)}),
    Row("in a box", in_a_box, {"120": lambda: (6 * _floats(120, 3), 6.0, 2.5)}),
    Row("roots of unity", roots_of_unity, {"64 x 48": lambda: (64, 48, 100)}),
    Row("components", components, {"100": lambda: (_grid(100),)}),
)
