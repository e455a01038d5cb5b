"""Graphs and trees of lists: breadth first, components, shortest ways, a tree."""

import numpy as np
from jit import jit


@jit
def breadth_first(neighbours, start):
    distance = [-1] * len(neighbours)
    distance[start] = 0
    queue = [start]
    at = 0
    while at < len(queue):
        node = queue[at]
        at += 1
        for other in neighbours[node]:
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


@jit
def components(neighbours):
    seen = [False] * len(neighbours)
    count = 0
    for start in range(len(neighbours)):
        if seen[start]:
            continue
        count += 1
        stack = [start]
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            for other in neighbours[node]:
                if not seen[other]:
                    stack.append(other)
    return count


@jit
def shortest(weights, start):
    n = weights.shape[0]
    distance = np.full(n, np.inf)
    done = np.zeros(n, dtype=np.bool_)
    distance[start] = 0.0
    for _ in range(n):
        best, node = np.inf, -1
        for i in range(n):
            if not done[i] and distance[i] < best:
                best, node = distance[i], i
        if node < 0:
            break
        done[node] = True
        for i in range(n):
            if distance[node] + weights[node, i] < distance[i]:
                distance[i] = distance[node] + weights[node, i]
    return distance


@jit
def insert(keys, left, right, key):
    if len(keys) == 0:
        keys.append(key)
        left.append(-1)
        right.append(-1)
        return
    at = 0
    while True:
        if key < keys[at]:
            if left[at] < 0:
                left[at] = len(keys)
                break
            at = left[at]
        else:
            if right[at] < 0:
                right[at] = len(keys)
                break
            at = right[at]
    keys.append(key)
    left.append(-1)
    right.append(-1)


@jit
def depth(left, right, root):
    deepest = 0
    stack = [(root, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        if left[node] >= 0:
            stack.append((left[node], level + 1))
        if right[node] >= 0:
            stack.append((right[node], level + 1))
    return deepest


rng = np.random.default_rng(6)
for n in 500, 2000, 5000:
    neighbours = [[] for _ in range(n)]
    for a, b in rng.integers(0, n, (2 * n, 2)).tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    far = breadth_first(neighbours, 0)
    print("graph", n, max(far), sum(far), components(neighbours))
for n in 50, 100, 200:
    print("shortest", n, round(shortest(rng.random((n, n)), 0).sum(), 9))
keys, left, right = [], [], []
for key in rng.integers(0, 1_000_000, 3000).tolist():
    insert(keys, left, right, key)
print("tree", len(keys), depth(left, right, 0))
