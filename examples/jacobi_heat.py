"""The heat of a plate with fixed edges, by Jacobi's method, in place.

Each inner point becomes the mean of its four neighbours, until nothing changes by more
than a tolerance. The caller's array is changed and nothing but the number of sweeps is
returned.
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


@ag.function
def jacobi_heat(plate: NDArray[np.float64], tolerance: float) -> int:
    """Let `plate` [rows, columns] come to rest in place; how many sweeps it took."""
    sweeps = 0
    change = np.inf
    while change > tolerance:
        sides = plate[1:-1, :-2] + plate[1:-1, 2:]
        means = 0.25 * (sides + plate[:-2, 1:-1] + plate[2:, 1:-1])
        change = np.abs(means - plate[1:-1, 1:-1]).max()
        plate[1:-1, 1:-1] = means
        sweeps += 1
    return sweeps


PROGRAMS = (jacobi_heat,)


def inputs() -> tuple[NDArray[np.float64], float]:
    """A cold plate of 40 x 60 points whose upper edge is kept at 100 degrees."""
    plate = np.zeros((40, 60))
    plate[0] = 100.0
    return plate, 1e-3


if __name__ == "__main__":
    plate, tolerance = inputs()
    sweeps = jacobi_heat(plate, tolerance)
    print(f"at rest after {sweeps} sweeps; degrees down the middle of the plate:")
    print(plate[::6, 30].round(2))
