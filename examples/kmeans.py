"""k-means: points into groups around centres, until no centre moves any more.

A centre without points stays where it is. The means are taken of as many points as
belong to the centre, so that shapes depend on the data (S. Lloyd, Least squares
quantization in PCM, 1982).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag

Floats = NDArray[np.float64]


@ag.function
def kmeans(points: Floats, centres: Floats) -> tuple[Floats, NDArray[np.int64], int]:
    """The centres, the centre that each point belongs to, and the number of rounds.

    points: [n, dimensions]    centres: where to begin, [k, dimensions]
    """
    rounds = 0
    while True:
        offsets = points[:, np.newaxis, :] - centres[np.newaxis, :, :]
        labels = (offsets**2).sum(axis=2).argmin(axis=1)
        moved = centres.copy()
        for k in range(len(centres)):
            mine = labels == k
            if mine.any():
                moved[k] = points[mine].mean(axis=0)
        rounds += 1
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres, labels, rounds


PROGRAMS = (kmeans,)


def inputs() -> tuple[Floats, Floats]:
    """Six hundred points around four places, and their first four as centres."""
    random = np.random.default_rng(5)
    places = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0], [5.0, 4.0]])
    points = random.permutation(np.repeat(places, 150, axis=0))
    points += 0.7 * random.standard_normal(points.shape)
    return points, points[:4].copy()


if __name__ == "__main__":
    centres, labels, rounds = kmeans(*inputs())
    print(f"stable after {rounds} rounds")
    for k, centre in enumerate(centres):
        print(f"centre {k} at {centre.round(3)} with {(labels == k).sum()} points")
