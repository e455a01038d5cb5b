"""Newton's method for square roots, until the guess does not change any more.

The loop has no test of its own: it ends at a `break`, as one writes it down after
Heron of Alexandria's rule "take the mean of the guess and x over the guess".
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


def newton_sqrt(x: np.float64, tolerance: float) -> np.float64:
    """The square root of `x`, which is positive, to the relative `tolerance`."""
    guess = x if x > 1.0 else 1.0
    while True:
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) <= tolerance * better:
            break
        guess = better
    return better


@ag.function
def square_roots(values: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """The square root of each of `values`, zero for those that have none."""
    roots = np.zeros_like(values)
    for i, x in enumerate(values):
        if x > 0.0:
            roots[i] = newton_sqrt(x, tolerance)
    return roots


PROGRAMS = (square_roots,)


def inputs() -> tuple[NDArray[np.float64], float]:
    """Five hundred numbers over twelve orders of magnitude, some of them negative."""
    values = np.logspace(-6.0, 6.0, 500)
    values[::50] *= -1.0
    return values, 1e-14


if __name__ == "__main__":
    values, tolerance = inputs()
    roots = square_roots(values, tolerance)
    error = np.abs(roots - np.sqrt(np.maximum(values, 0.0))).max()
    print(
        f"{len(values)} square roots, the largest error against np.sqrt is {error:.1e}"
    )
