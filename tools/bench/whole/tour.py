"""A tour of cities: nearest neighbour, 2-opt, annealing; and k-means."""

import numpy as np
from jit import jit


@jit
def distances(x, y):
    n = len(x)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2)
    return d


@jit
def length(tour, d):
    total = 0.0
    for i in range(len(tour)):
        total += d[tour[i - 1], tour[i]]
    return total


@jit
def nearest(d):
    n = len(d)
    used = np.zeros(n, dtype=bool)
    tour = np.zeros(n, dtype=np.int64)
    used[0] = True
    for i in range(1, n):
        best, where = np.inf, -1
        for j in range(n):
            if not used[j] and d[tour[i - 1], j] < best:
                best, where = d[tour[i - 1], j], j
        tour[i] = where
        used[where] = True
    return tour


@jit
def two_opt(tour, d):
    n = len(tour)
    improved = False
    for i in range(1, n - 2):
        for j in range(i + 1, n - 1):
            a, b, c, e = tour[i - 1], tour[i], tour[j], tour[j + 1]
            if d[a, c] + d[b, e] < d[a, b] + d[c, e] - 1e-12:
                tour[i : j + 1] = tour[i : j + 1][::-1].copy()
                improved = True
    return improved


@jit
def anneal(tour, d, picks, draws, heat, cooling):
    n = len(tour)
    for step in range(len(draws)):
        i, j = picks[step, 0], picks[step, 1]
        if i != j:
            before = length(tour, d)
            tour[i], tour[j] = tour[j], tour[i]
            change = length(tour, d) - before
            if change > 0 and draws[step] > np.exp(-change / heat):
                tour[i], tour[j] = tour[j], tour[i]
        heat *= cooling
    return n


@jit
def k_means(x, y, k, rounds):
    cx, cy = x[:k].copy(), y[:k].copy()
    label = np.zeros(len(x), dtype=np.int64)
    for _ in range(rounds):
        for i in range(len(x)):
            best = np.inf
            for c in range(k):
                far = (x[i] - cx[c]) ** 2 + (y[i] - cy[c]) ** 2
                if far < best:
                    best, label[i] = far, c
        for c in range(k):
            mine = label == c
            if mine.any():
                cx[c], cy[c] = x[mine].mean(), y[mine].mean()
    return cx, cy


rng = np.random.default_rng(11)
x, y = rng.random(80), rng.random(80)
d = distances(x, y)
tour = nearest(d)
print("nearest", round(length(tour, d), 9))
rounds = 0
while two_opt(tour, d):
    rounds += 1
print("2-opt", rounds, round(length(tour, d), 9))
tour = np.arange(40)
anneal(tour, d[:40, :40], rng.integers(0, 40, (5000, 2)), rng.random(5000), 0.5, 0.999)
print("annealed", round(length(tour, d), 9))
print("centres", *k_means(rng.random(500), rng.random(500), 4, 10))
