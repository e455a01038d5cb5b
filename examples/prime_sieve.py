"""The sieve of Eratosthenes: all primes up to a limit, crossed out in place.

How large the array is, which slices of it are set, and how many primes come back all
depend on the data.
"""

import math

import numpy as np
from numpy.typing import NDArray

import autograph as ag


@ag.function
def prime_sieve(limit: np.int64) -> NDArray[np.int64]:
    """The primes up to and including `limit`, in order."""
    is_prime = np.ones(limit + 1, dtype=bool)
    is_prime[:2] = False
    for n in range(2, math.isqrt(limit) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = False
    return np.flatnonzero(is_prime)


PROGRAMS = (prime_sieve,)


def inputs() -> tuple[np.int64]:
    """The limit: there are 17,984 primes up to 200,000."""
    return (np.int64(200_000),)


if __name__ == "__main__":
    (limit,) = inputs()
    primes = prime_sieve(limit)
    print(f"{len(primes)} primes up to {limit}, the largest is {primes[-1]}")
