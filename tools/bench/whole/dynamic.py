"""Dynamic programming: distances of words, a knapsack, coins, a cheapest path."""

import numpy as np
from jit import jit


@jit
def edit_distance(a, b):
    rows = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(len(a) + 1):
        rows[i, 0] = i
    for j in range(len(b) + 1):
        rows[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            rows[i, j] = min(
                rows[i - 1, j] + 1, rows[i, j - 1] + 1, rows[i - 1, j - 1] + cost
            )
    return rows[len(a), len(b)]


@jit
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        for c in range(capacity, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best[capacity]


@jit
def coins(kinds, amount):
    ways = [0] * (amount + 1)
    ways[0] = 1
    for kind in kinds:
        for a in range(kind, amount + 1):
            ways[a] += ways[a - kind]
    return ways[amount]


@jit
def cheapest(grid):
    rows, columns = grid.shape
    cost = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            if i == 0 and j == 0:
                before = 0.0
            elif i == 0:
                before = cost[i, j - 1]
            elif j == 0:
                before = cost[i - 1, j]
            else:
                before = min(cost[i - 1, j], cost[i, j - 1])
            cost[i, j] = before + grid[i, j]
    return cost[rows - 1, columns - 1]


rng = np.random.default_rng(3)
words = [rng.integers(0, 4, 150) for _ in range(6)]
for i in range(5):
    print("distance", edit_distance(words[i], words[i + 1]))
weights, values = rng.integers(1, 40, 60), rng.integers(1, 100, 60)
for capacity in 500, 1000, 2000:
    print("knapsack", capacity, knapsack(weights, values, capacity))
for amount in 1000, 5000, 20000:
    print("coins", amount, coins([1, 2, 5, 10, 20, 50, 100, 200], amount))
for size in 50, 100, 200:
    print("path", size, round(cheapest(rng.random((size, size))), 9))
