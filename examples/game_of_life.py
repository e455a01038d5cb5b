"""Conway's game of life on a torus, until it stands still or its time is over.

All cells are replaced at once by shifting the world in the eight directions
(M. Gardner, Scientific American 223, 1970).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


def neighbours(world: NDArray[np.int8]) -> NDArray[np.int8]:
    """How many of the eight neighbours of each cell are alive."""
    count = np.zeros_like(world)
    for rows in (-1, 0, 1):
        for columns in (-1, 0, 1):
            if rows != 0 or columns != 0:
                count += np.roll(world, (rows, columns), axis=(0, 1))
    return count


@ag.function
def game_of_life(
    world: NDArray[np.int8], generations: np.int64
) -> tuple[NDArray[np.int8], np.int64 | int]:
    """The world after at most `generations`, and when it came to a standstill."""
    for generation in range(generations):
        count = neighbours(world)
        alive = (count == 3) | ((world == 1) & (count == 2))
        successor = alive.astype(np.int8)
        if (successor == world).all():
            return world, generation
        world = successor
    return world, generations


PROGRAMS = (game_of_life,)


def inputs() -> tuple[NDArray[np.int8], np.int64]:
    """The R-pentomino on 64 x 64 cells, for 200 generations."""
    world = np.zeros((64, 64), dtype=np.int8)
    world[31:34, 31:34] = [[0, 1, 1], [1, 1, 0], [0, 1, 0]]
    return world, np.int64(200)


if __name__ == "__main__":
    world, generation = game_of_life(*inputs())
    print(f"{world.sum()} cells alive in generation {generation}:")
    for row in world[20:44, 8:56]:
        print("".join(np.where(row, "o", ".")))
