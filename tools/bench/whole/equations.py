"""Differential equations by Runge-Kutta with callbacks, and roots of functions."""

import numpy as np
from jit import jit


@jit
def lorenz(t, y):
    return np.array(
        [10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]
    )


@jit
def pendulum(t, y):
    return np.array([y[1], -9.81 * np.sin(y[0]) - 0.1 * y[1]])


@jit
def runge_kutta(f, y, t0, t1, steps):
    h = (t1 - t0) / steps
    t = t0
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


@jit
def cubic(x):
    return x**3 - 2 * x - 5


@jit
def bisect(f, a, b, tolerance):
    fa = f(a)
    while b - a > tolerance:
        c = (a + b) / 2
        fc = f(c)
        if fa * fc <= 0:
            b = c
        else:
            a, fa = c, fc
    return (a + b) / 2


@jit
def heat(u, steps, r):
    for _ in range(steps):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1])
        u = new
    return u


for steps in 500, 1000, 5000:
    print("lorenz", runge_kutta(lorenz, np.array([1.0, 1.0, 1.0]), 0.0, 5.0, steps))
for steps in 500, 1000, 5000:
    print("pendulum", runge_kutta(pendulum, np.array([1.0, 0.0]), 0.0, 5.0, steps))
for tolerance in 1e-6, 1e-9, 1e-12:
    print("root", round(bisect(cubic, 2.0, 3.0, tolerance), 10))
u = np.zeros(200)
u[100] = 1.0
for steps in 100, 300, 1000:
    print("heat", round(heat(u, steps, 0.25).max(), 12))
