"""Kepler's equation by bisection: where on its orbit is a planet at a given time?

Solves `E - e sin(E) = M` for the eccentric anomaly `E` (J. Kepler, Astronomia nova,
1609). The function returns from inside of the loop when it meets the root exactly.
"""

import numpy as np

import autograph as ag


def kepler(
    anomaly: np.float64, eccentricity: np.float64, mean: np.float64
) -> np.float64:
    """What Kepler's equation is off by at the eccentric `anomaly`."""
    return anomaly - eccentricity * np.sin(anomaly) - mean


@ag.function
def bisection(
    eccentricity: np.float64, mean: np.float64, tolerance: float
) -> tuple[np.float64, int]:
    """The eccentric anomaly to within `tolerance`, and how many halvings it took."""
    low, high = mean - eccentricity, mean + eccentricity
    halvings = 0
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        value = kepler(middle, eccentricity, mean)
        if value == 0.0:
            return middle, halvings
        if value < 0.0:
            low = middle
        else:
            high = middle
        halvings += 1
    return 0.5 * (low + high), halvings


PROGRAMS = (bisection,)


def inputs() -> tuple[np.float64, np.float64, float]:
    """Mercury, a fifth of its year after its perihelion."""
    return np.float64(0.2056), np.float64(0.2 * 2.0 * np.pi), 1e-12


if __name__ == "__main__":
    anomaly, halvings = bisection(*inputs())
    degrees = np.degrees(anomaly)
    print(f"the eccentric anomaly is {degrees:.6f} degrees, after {halvings} halvings")
