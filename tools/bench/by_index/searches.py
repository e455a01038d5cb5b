"""Rows of searches: tables, trees, queens."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def binary_search(x: Any, wanted: Any) -> Any:
    """Where each number lies among sorted ones."""
    found = np.zeros(len(wanted), np.int64)
    for k in range(len(wanted)):
        low, high = 0, len(x)
        while low < high:
            mid = (low + high) // 2
            if x[mid] < wanted[k]:
                low = mid + 1
            else:
                high = mid
        found[k] = low
    return found


def queens(n: Any) -> Any:
    """Ways to place queens, by the column of each row in an array."""
    place = np.zeros(n, np.int64)
    count, row = 0, 0
    place[0] = -1
    while row >= 0:
        place[row] += 1
        if place[row] == n:
            row -= 1
            continue
        is_free = True
        for k in range(row):
            d = place[k] - place[row]
            if d == 0 or d == row - k or d == k - row:
                is_free = False
                break
        if is_free:
            if row == n - 1:
                count += 1
            else:
                row += 1
                place[row] = -1
    return count


def levenshtein(a: Any, b: Any) -> Any:
    """The distance between two texts, by two rows."""
    n, m = len(a), len(b)
    before, now = np.arange(m + 1), np.zeros(m + 1, np.int64)
    for i in range(1, n + 1):
        now[0] = i
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            best = before[j - 1] + cost
            if before[j] + 1 < best:
                best = before[j] + 1
            if now[j - 1] + 1 < best:
                best = now[j - 1] + 1
            now[j] = best
        for j in range(m + 1):
            before[j] = now[j]
    return before[m]


def edit_distance(a: Any, b: Any) -> Any:
    """The same by a table, with min."""
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                d[i, j] = d[i - 1, j - 1]
            else:
                d[i, j] = 1 + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[n, m]


def common(a: Any, b: Any) -> Any:
    """The length of the longest common subsequence."""
    n, m = len(a), len(b)
    t = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                t[i + 1, j + 1] = t[i, j] + 1
            elif t[i, j + 1] >= t[i + 1, j]:
                t[i + 1, j + 1] = t[i, j + 1]
            else:
                t[i + 1, j + 1] = t[i + 1, j]
    return t[n, m]


def knapsack(weights: Any, values: Any, room: Any) -> Any:
    """The best that fits."""
    best = np.zeros(room + 1, np.int64)
    for i in range(len(weights)):
        for w in range(room, weights[i] - 1, -1):
            v = best[w - weights[i]] + values[i]
            if v > best[w]:
                best[w] = v
    return best[room]


def coins(kinds: Any, amount: Any) -> Any:
    """Ways to change an amount."""
    ways = np.zeros(amount + 1, np.int64)
    ways[0] = 1
    for k in range(len(kinds)):
        for a in range(kinds[k], amount + 1):
            ways[a] += ways[a - kinds[k]]
    return ways[amount]


def pascal(n: Any) -> Any:
    """Pascal's triangle modulo a prime."""
    t = np.zeros((n, n), np.int64)
    for i in range(n):
        t[i, 0] = 1
        for j in range(1, i + 1):
            t[i, j] = (t[i - 1, j - 1] + t[i - 1, j]) % 10007
    return t


def union_find(a: Any, b: Any, n: Any) -> Any:
    """Sets that are joined pair by pair."""
    parent = np.arange(n)
    count = n
    for k in range(len(a)):
        i, j = a[k], b[k]
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        while parent[j] != j:
            parent[j] = parent[parent[j]]
            j = parent[j]
        if i != j:
            parent[i] = j
            count -= 1
    return count


def dijkstra(weights: Any) -> Any:
    """The shortest ways from one, in a dense graph."""
    n = len(weights)
    d = np.full(n, 1e300)
    done = np.zeros(n, np.bool_)
    d[0] = 0.0
    for _ in range(n):
        best = -1
        for i in range(n):
            if not done[i] and (best < 0 or d[i] < d[best]):
                best = i
        done[best] = True
        for i in range(n):
            if d[best] + weights[best, i] < d[i]:
                d[i] = d[best] + weights[best, i]
    return d


def gcd_table(n: Any) -> Any:
    """Greatest common divisors of all pairs, in a table."""
    t = np.zeros((n, n), np.int64)
    for i in range(1, n):
        for j in range(1, n):
            a, b = i, j
            while b != 0:
                a, b = b, a % b
            t[i, j] = a
    return t


def words_in_text(text: Any, word: Any) -> Any:
    """Where a word begins in a text, by trying each place."""
    count = 0
    for i in range(len(text) - len(word) + 1):
        k = 0
        while k < len(word) and text[i + k] == word[k]:
            k += 1
        if k == len(word):
            count += 1
    return count


def _draw(n: int, high: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, high, n)


def _floats(*dims: int) -> Any:
    return np.random.default_rng(1).random(dims)


ROWS = (
    Row(
        "binary search",
        binary_search,
        {"5,000 in 1e4": lambda: (np.sort(_floats(10_000)), _floats(5_000))},
    ),
    Row("queens", queens, {"7": lambda: (7,)}),
    Row("Levenshtein", levenshtein, {"200": lambda: (_draw(200, 4), _draw(220, 4, 1))}),
    Row(
        "edit distance",
        edit_distance,
        {"200": lambda: (_draw(200, 4), _draw(220, 4, 1))},
    ),
    Row("common", common, {"200": lambda: (_draw(200, 4), _draw(220, 4, 1))}),
    Row(
        "knapsack",
        knapsack,
        {"50 in 2,000": lambda: (_draw(50, 50) + 1, _draw(50, 100, 1), 2_000)},
    ),
    Row("coins", coins, {"5,000": lambda: (np.array([1, 2, 5, 10, 20, 50]), 5_000)}),
    Row("Pascal", pascal, {"200": lambda: (200,)}),
    Row(
        "union-find",
        union_find,
        {"5,000": lambda: (_draw(5_000, 5_000), _draw(5_000, 5_000, 1), 5_000)},
    ),
    Row("Dijkstra", dijkstra, {"200": lambda: (_floats(200, 200),)}),
    Row("gcd table", gcd_table, {"120": lambda: (120,)}),
    Row(
        "words in text",
        words_in_text,
        {"3 in 2e4": lambda: (_draw(20_000, 3), np.array([1, 0, 1, 2]))},
    ),
)
