"""A random walk that stops at a bound: how long until the gambler is ruined or rich?

The draws are given, so that the same walk can be walked twice; it stops at the first
step that reaches one of the two bounds (W. Feller, An Introduction to Probability
Theory, chapter XIV).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


@ag.function
def random_walk(
    draws: NDArray[np.float64], low: np.float64, high: np.float64
) -> tuple[int, np.float64, np.float64]:
    """The number of steps taken, where the walk ended, and the farthest it ever was."""
    position = farthest = np.float64(0.0)
    for time, draw in enumerate(draws, start=1):
        position += draw
        farthest = max(farthest, abs(position))
        if not low < position < high:
            return time, position, farthest
    return len(draws), position, farthest


PROGRAMS = (random_walk,)


def inputs() -> tuple[NDArray[np.float64], np.float64, np.float64]:
    """Ten thousand normal draws, and bounds 75 to either side."""
    draws = np.random.default_rng(2).standard_normal(10_000)
    return draws, np.float64(-75.0), np.float64(75.0)


if __name__ == "__main__":
    time, position, farthest = random_walk(*inputs())
    print(f"the walk ended after {time} steps at {position:+.3f}")
    print(f"it had never been farther than {farthest:.3f} from its start")
