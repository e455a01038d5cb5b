"""Monte Carlo: pi, a walk, an option's price, Ising's model."""

import numpy as np
from jit import jit


@jit
def pi(x, y):
    inside = 0
    for i in range(len(x)):
        if x[i] * x[i] + y[i] * y[i] < 1.0:
            inside += 1
    return 4.0 * inside / len(x)


@jit
def walk(steps):
    x = y = 0
    far = 0
    for s in steps:
        if s == 0:
            x += 1
        elif s == 1:
            x -= 1
        elif s == 2:
            y += 1
        else:
            y -= 1
        far = max(far, abs(x) + abs(y))
    return x, y, far


@jit
def price(z, s0, k, r, sigma, t):
    paths, steps = z.shape
    dt = t / steps
    total = 0.0
    for p in range(paths):
        s = s0
        mean = 0.0
        for i in range(steps):
            s *= np.exp((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z[p, i])
            mean += s
        total += max(mean / steps - k, 0.0)
    return np.exp(-r * t) * total / paths


@jit
def sweep(spins, draws, beta):
    n, m = spins.shape
    for i in range(n):
        for j in range(m):
            around = (
                spins[(i - 1) % n, j]
                + spins[(i + 1) % n, j]
                + spins[i, (j - 1) % m]
                + spins[i, (j + 1) % m]
            )
            cost = 2 * spins[i, j] * around
            if cost <= 0 or draws[i, j] < np.exp(-beta * cost):
                spins[i, j] = -spins[i, j]


rng = np.random.default_rng(4)
for n in 10_000, 100_000, 200_000:
    print("pi", n, pi(rng.random(n), rng.random(n)))
for _ in range(3):
    print("walk", walk(rng.integers(0, 4, 50_000)))
for strike in 95.0, 100.0, 105.0:
    z = rng.standard_normal((1000, 50))
    print("price", strike, round(price(z, 100.0, strike, 0.05, 0.2, 1.0), 6))
spins = np.where(rng.random((40, 40)) < 0.5, 1, -1)
for step in range(60):
    sweep(spins, rng.random((40, 40)), 0.44)
    if step % 20 == 0:
        print("spins", step, spins.sum())
