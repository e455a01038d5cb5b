"""Recursive programs on arrays, and in loops, whose end depends on data."""

import numpy as np

from tests.conformance.recursions import CASES, N, of

__all__ = ["CASES"]

# Arrays.


@of(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 1.0]))
def quicksort(a):
    if len(a) <= 1:
        return a
    first, rest = a[0], a[1:]
    low, high = rest[rest < first], rest[rest >= first]
    return np.concatenate([quicksort(low), [first], quicksort(high)])


@of(np.array([3.0, 1.0, 2.0, 5.0, 4.0]))
def quicksort_in_place(a):
    sort_part(a, 0, len(a) - 1)
    return a


def sort_part(a, low, high):
    if low >= high:
        return
    last, i = a[high], low
    for j in range(low, high):
        if a[j] < last:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[high] = a[high], a[i]
    sort_part(a, low, i - 1)
    sort_part(a, i + 1, high)


@of(np.array([5.0, 2.0, 8.0, 1.0, 9.0, 3.0]))
def merge_sort(a):
    n = len(a)
    if n <= 1 or a.sum() == 0:
        return a.copy()
    left, right = merge_sort(a[: n // 2]), merge_sort(a[n // 2 :])
    made, p, q = np.empty(n), 0, 0
    for k in range(n):
        if q >= len(right) or (p < len(left) and left[p] <= right[q]):
            made[k] = left[p]
            p += 1
        else:
            made[k] = right[q]
            q += 1
    return made


@of(np.arange(1.0, 9.0))
def halves_in_place(a):
    if len(a) <= 1:
        return
    if a[0] > 0:
        a[0] += 1
        halves_in_place(a[: len(a) // 2])
        halves_in_place(a[len(a) // 2 :])


@of(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]]), N(0), N(0))
def flooded(grid, row, column):
    return flood(grid, row, column), grid


def flood(grid, r, c):
    if r < 0 or c < 0 or r >= grid.shape[0] or c >= grid.shape[1]:
        return 0
    if grid[r, c] != 1:
        return 0
    grid[r, c] = 2
    below, above = flood(grid, r + 1, c), flood(grid, r - 1, c)
    return 1 + below + above + flood(grid, r, c + 1) + flood(grid, r, c - 1)


@of(np.array([1.0]), N(4))
def grown(a, n):
    if n == 0:
        return a
    return grown(np.append(a, n), n - 1)


@of(N(3), np.zeros(2), np.ones(2))
def swapped_and_changed(n, a, b):
    if n == 0:
        return a.sum()
    a[0] += 1
    return swapped_and_changed(n - 1, b, a) + b[0]


@of(N(3), np.array([1.0, 2.0]))
def returns_what_it_got(n, a):
    if n <= 0:
        return a
    got = returns_what_it_got(n - 1, a)
    got[0] += n
    return got


# Loops.


@of(N(5))
def inside_a_loop(n):
    total, j = 0, 0
    while j < n:
        total += inside_a_loop(j)
        j += 1
    return total + 1


@of(N(5))
def inside_two_loops(n):
    result = 0
    for a in range(n):
        for b in range(a):
            if b > 1:
                break
            result += inside_two_loops(b)
        if result > 50:
            return result
    return result + 1


@of(np.float64(9.0))
def called_from_a_loop(x):
    total = 0.0
    for k in range(3):
        total += halved(x + k)
    return total


def halved(x):
    if x < 1:
        return x
    return halved(x / 2)


@of(N(4))
def in_a_comprehension(n):
    if n <= 0:
        return 1
    return sum([in_a_comprehension(n - k) for k in (1, 2)])
