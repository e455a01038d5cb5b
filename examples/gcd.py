"""Euclid's algorithm: the greatest common divisor of all entries of an array.

A loop in a loop, and an early return: once the divisor is one, no further entry can
change it (Euclid, Elements, book VII, proposition 2).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


def gcd(a: np.int64, b: np.int64) -> np.int64:
    """The greatest common divisor of `a` and `b`."""
    while b != 0:
        a, b = b, a % b
    return abs(a)


@ag.function
def gcd_of_all(values: NDArray[np.int64]) -> np.int64:
    """The greatest common divisor of all `values`."""
    divisor = values[0]
    for value in values[1:]:
        divisor = gcd(divisor, value)
        if divisor == 1:
            return divisor
    return divisor


PROGRAMS = (gcd_of_all,)


def inputs() -> tuple[NDArray[np.int64]]:
    """A thousand multiples of 1764."""
    multiples = np.random.default_rng(7).integers(1, 10**9, 1_000)
    return (1764 * multiples,)


if __name__ == "__main__":
    (values,) = inputs()
    print(f"the greatest common divisor of {len(values)} numbers: {gcd_of_all(values)}")
