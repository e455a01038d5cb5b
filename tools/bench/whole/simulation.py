"""A simulation of particles in a box, step by step, and of a queue at a counter."""

import numpy as np
from jit import jit


@jit
def forces(x, y, strength):
    n = len(x)
    fx, fy = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(i + 1, n):
            dx, dy = x[i] - x[j], y[i] - y[j]
            d2 = dx * dx + dy * dy + 0.01
            f = strength / (d2 * np.sqrt(d2))
            fx[i] += f * dx
            fy[i] += f * dy
            fx[j] -= f * dx
            fy[j] -= f * dy
    return fx, fy


@jit
def bounce(x, v, size):
    for i in range(len(x)):
        if x[i] < 0.0:
            x[i] = -x[i]
            v[i] = -v[i]
        elif x[i] > size:
            x[i] = 2 * size - x[i]
            v[i] = -v[i]


@jit
def energy(vx, vy):
    total = 0.0
    for i in range(len(vx)):
        total += 0.5 * (vx[i] ** 2 + vy[i] ** 2)
    return total


def simulate(n, steps):
    rng = np.random.default_rng(1)
    x, y = rng.random(n) * 10, rng.random(n) * 10
    vx, vy = np.zeros(n), np.zeros(n)
    dt = 0.01
    for step in range(steps):
        fx, fy = forces(x, y, 0.5)
        vx += dt * fx
        vy += dt * fy
        x += dt * vx
        y += dt * vy
        bounce(x, vx, 10.0)
        bounce(y, vy, 10.0)
        if step % 20 == 0:
            print(step, round(energy(vx, vy), 6))


@jit
def queue(arrivals, services):
    free, waited = 0.0, 0.0
    for i in range(len(arrivals)):
        begins = max(free, arrivals[i])
        waited += begins - arrivals[i]
        free = begins + services[i]
    return waited / len(arrivals)


simulate(50, 100)
rng = np.random.default_rng(2)
for mean in 0.5, 0.8, 0.95:
    arrivals = np.cumsum(rng.exponential(1.0, 50_000))
    print(mean, round(queue(arrivals, rng.exponential(mean, 50_000)), 6))
