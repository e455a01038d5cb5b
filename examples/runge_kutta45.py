"""The Van der Pol oscillator by an adaptive Runge-Kutta method of order 4(5).

A step whose error is too large is rejected and tried again with a smaller one. The
coefficients are E. Fehlberg's (Low-order classical Runge-Kutta formulas with stepsize
control, NASA TR R-315, 1969).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag

Floats = NDArray[np.float64]


def van_der_pol(y: Floats, stiffness: np.float64) -> Floats:
    """The time derivative of the place and the speed in `y`."""
    place, speed = y
    return np.array([speed, stiffness * (1.0 - place**2) * speed - place])


def fehlberg_step(y: Floats, h: float, stiffness: np.float64) -> tuple[Floats, Floats]:
    """`y` a time `h` later to fifth order, and its difference to fourth order."""
    k1 = h * van_der_pol(y, stiffness)
    k2 = h * van_der_pol(y + k1 / 4, stiffness)
    k3 = h * van_der_pol(y + (3 * k1 + 9 * k2) / 32, stiffness)
    k4 = h * van_der_pol(y + (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197, stiffness)
    k5 = h * van_der_pol(
        y + 439 / 216 * k1 - 8 * k2 + 3680 / 513 * k3 - 845 / 4104 * k4, stiffness
    )
    k6 = h * van_der_pol(
        y - 8 / 27 * k1 + 2 * k2 - 3544 / 2565 * k3 + 1859 / 4104 * k4 - 11 / 40 * k5,
        stiffness,
    )
    fourth = y + 25 / 216 * k1 + 1408 / 2565 * k3 + 2197 / 4104 * k4 - k5 / 5
    fifth = (
        y + 16 / 135 * k1 + 6656 / 12825 * k3 + 28561 / 56430 * k4 - 9 / 50 * k5
        + 2 / 55 * k6
    )  # fmt: skip
    return fifth, fifth - fourth


@ag.function
def runge_kutta45(
    y: Floats, end: np.float64, stiffness: np.float64, tolerance: float
) -> tuple[Floats, int, int]:
    """`y` at the time `end`, and how many steps were accepted and rejected."""
    time, h = 0.0, 0.01
    accepted = rejected = 0
    while time < end:
        h = min(h, end - time)
        proposed, difference = fehlberg_step(y, h, stiffness)
        error = np.max(np.abs(difference) / (tolerance * (1.0 + np.abs(y))))
        if error <= 1.0:
            time += h
            y = proposed
            accepted += 1
        else:
            rejected += 1
        h *= min(4.0, max(0.1, 0.9 * error**-0.2))
    return y, accepted, rejected


PROGRAMS = (runge_kutta45,)


def inputs() -> tuple[Floats, np.float64, np.float64, float]:
    """From rest at 2, for 20 units of time, with a stiffness of 5."""
    return np.array([2.0, 0.0]), np.float64(20.0), np.float64(5.0), 1e-6


if __name__ == "__main__":
    y, accepted, rejected = runge_kutta45(*inputs())
    print(f"place {y[0]:+.6f}, speed {y[1]:+.6f} at the end")
    print(f"{accepted} steps accepted, {rejected} rejected")
