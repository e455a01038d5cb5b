"""Conjugate gradients: a symmetric, positive definite system, one step at a time.

Ends as soon as the residual is small enough (M. Hestenes and E. Stiefel, Methods of
conjugate gradients for solving linear systems, 1952).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag

Floats = NDArray[np.float64]


@ag.function
def conjugate_gradients(
    matrix: Floats, right: Floats, tolerance: float
) -> tuple[Floats, int]:
    """`x` with `matrix @ x == right`, and the number of steps it took.

    matrix: [n, n]    right: [n]    tolerance: of the residual, relative to `right`
    """
    x = np.zeros_like(right)
    residual = right - matrix @ x
    direction = residual.copy()
    square = residual @ residual
    goal = tolerance**2 * (right @ right)
    steps = 0
    for _ in range(len(right)):
        if square <= goal:
            break
        image = matrix @ direction
        length = square / (direction @ image)
        x += length * direction
        residual -= length * image
        previous, square = square, residual @ residual
        direction = residual + square / previous * direction
        steps += 1
    return x, steps


PROGRAMS = (conjugate_gradients,)


def inputs() -> tuple[Floats, Floats, float]:
    """The second difference of 200 points plus a little of the identity."""
    n = 200
    matrix = 2.05 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    return matrix, np.sin(np.linspace(0.0, 9.0, n)), 1e-10


if __name__ == "__main__":
    matrix, right, tolerance = inputs()
    x, steps = conjugate_gradients(matrix, right, tolerance)
    error = np.abs(matrix @ x - right).max()
    print(
        f"{len(right)} unknowns in {steps} steps, the largest residual is {error:.1e}"
    )
