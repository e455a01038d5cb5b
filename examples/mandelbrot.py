"""The Mandelbrot set: after how many steps does `z -> z*z + c` leave the circle?

Twice: with whole arrays and a mask of the points still inside, and point by point
with an early `break`, which is how one would write it without arrays. Both give the
same picture (A. Douady and J. Hubbard, 1982).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


@ag.function
def mandelbrot_masked(
    real: NDArray[np.float64], imaginary: NDArray[np.float64], limit: np.int64
) -> NDArray[np.int64]:
    """Steps until each point escapes, at most `limit`: rows imaginary, columns real."""
    c = real[np.newaxis, :] + 1j * imaginary[:, np.newaxis]
    z = np.zeros_like(c)
    inside = np.ones(c.shape, dtype=bool)
    steps = np.zeros(c.shape, dtype=np.int64)
    for _ in range(limit):
        z[inside] = z[inside] ** 2 + c[inside]
        inside &= np.abs(z) <= 2.0
        steps[inside] += 1
        if not inside.any():
            break
    return steps


def escape(x: np.float64, y: np.float64, limit: np.int64) -> int:
    """Steps until the point `x + y i` escapes, at most `limit`."""
    real = imaginary = 0.0
    steps = 0
    while steps < limit:
        real, imaginary = real**2 - imaginary**2 + x, 2.0 * real * imaginary + y
        if real**2 + imaginary**2 > 4.0:
            break
        steps += 1
    return steps


@ag.function
def mandelbrot_points(
    real: NDArray[np.float64], imaginary: NDArray[np.float64], limit: np.int64
) -> NDArray[np.int64]:
    """The same as `mandelbrot_masked`, one point after the other."""
    steps = np.zeros((len(imaginary), len(real)), dtype=np.int64)
    for row, y in enumerate(imaginary):
        for column, x in enumerate(real):
            steps[row, column] = escape(x, y, limit)
    return steps


PROGRAMS = (mandelbrot_masked, mandelbrot_points)


def inputs() -> tuple[NDArray[np.float64], NDArray[np.float64], np.int64]:
    """The whole set on 48 x 32 points, at most 60 steps."""
    return np.linspace(-2.1, 0.7, 48), np.linspace(-1.2, 1.2, 32), np.int64(60)


if __name__ == "__main__":
    real, imaginary, limit = inputs()
    shades = np.array(list(" .:-=+*#%@"))
    steps = mandelbrot_masked(real, imaginary, limit)
    for line in shades[np.minimum(steps, 9)]:
        print("".join(line))
