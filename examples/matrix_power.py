"""A Markov chain after many steps: a power of its transition matrix.

Twice: one multiplication per step, and by repeated squaring, where the number of
multiplications goes with the logarithm of the exponent (Knuth, The Art of Computer
Programming, 4.6.3).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


@ag.function
def power_by_multiplication(
    matrix: NDArray[np.float64], exponent: np.int64
) -> NDArray[np.float64]:
    """`matrix` to the power `exponent`, which is not negative."""
    power = np.eye(len(matrix))
    for _ in range(exponent):
        power = power @ matrix
    return power


@ag.function
def power_by_squaring(
    matrix: NDArray[np.float64], exponent: np.int64
) -> NDArray[np.float64]:
    """`matrix` to the power `exponent`, which is not negative."""
    power = np.eye(len(matrix))
    while exponent > 0:
        if exponent % 2 == 1:
            power = power @ matrix
        matrix = matrix @ matrix
        exponent //= 2
    return power


PROGRAMS = (power_by_multiplication, power_by_squaring)


def inputs() -> tuple[NDArray[np.float64], np.int64]:
    """A random chain of 20 states, and 365 steps."""
    matrix = np.random.default_rng(3).random((20, 20))
    return matrix / matrix.sum(axis=1, keepdims=True), np.int64(365)


if __name__ == "__main__":
    matrix, exponent = inputs()
    power = power_by_squaring(matrix, exponent)
    state = power[0].argmax()
    print(f"after {exponent} steps the chain is most often in state {state}:")
    print(f"in {power[0, state]:.2%} of all cases, wherever it began")
