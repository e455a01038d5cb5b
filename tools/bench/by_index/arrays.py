"""Rows of loops by index over arrays of one dim."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def sum_ints(x: Any) -> Any:
    """Ints, added up."""
    s = 0
    for i in range(len(x)):
        s += x[i]
    return s


def prefix_sums(x: Any) -> Any:
    """Sums up to each element."""
    y = np.zeros(len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i] = s
    return y


def prefix_sums_ints(x: Any) -> Any:
    """The same of ints, in the array."""
    y = x.copy()
    for i in range(1, len(x)):
        y[i] += y[i - 1]
    return y


def longest_run(x: Any) -> Any:
    """The longest run of equal elements."""
    best, length = 1, 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            length += 1
            if length > best:
                best = length
        else:
            length = 1
    return best


def argmax(x: Any) -> Any:
    """The place of the largest."""
    best = 0
    for i in range(1, len(x)):
        if x[i] > x[best]:
            best = i
    return best


def histogram(x: Any, bins: Any) -> Any:
    """How often each int comes."""
    h = np.zeros(bins, np.int64)
    for i in range(len(x)):
        h[x[i]] += 1
    return h


def histogram_floats(x: Any, bins: Any) -> Any:
    """How many floats there are in each bin."""
    h = np.zeros(bins, np.int64)
    for i in range(len(x)):
        h[int(x[i] * bins)] += 1
    return h


def rising(x: Any) -> Any:
    """The longest rising subsequence."""
    n = len(x)
    best = np.ones(n, np.int64)
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    longest = 0
    for i in range(n):
        if best[i] > longest:
            longest = best[i]
    return longest


def sieve(n: Any) -> Any:
    """Primes, by steps of each prime."""
    is_prime = np.ones(n + 1, np.bool_)
    is_prime[0] = False
    is_prime[1] = False
    for i in range(2, n + 1):
        if i * i > n:
            break
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
    count = 0
    for i in range(n + 1):
        if is_prime[i]:
            count += 1
    return count


def bubble_sort(given: Any) -> Any:
    """Neighbours are exchanged."""
    x = given.copy()
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                t = x[j]
                x[j] = x[j + 1]
                x[j + 1] = t
    return x


def insertion_sort(given: Any) -> Any:
    """Each is put to its place."""
    x = given.copy()
    for i in range(1, len(x)):
        v = x[i]
        j = i - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v
    return x


def heap_sort(given: Any) -> Any:
    """By sifting down."""
    x = given.copy()
    n = len(x)
    for first in range(n // 2 - 1, -1, -1):
        root = first
        while 2 * root + 1 < n:
            child = 2 * root + 1
            if child + 1 < n and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            t = x[root]
            x[root] = x[child]
            x[child] = t
            root = child
    for end in range(n - 1, 0, -1):
        t = x[end]
        x[end] = x[0]
        x[0] = t
        root = 0
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            t = x[root]
            x[root] = x[child]
            x[child] = t
            root = child
    return x


def quicksort(given: Any) -> Any:
    """By parts, whose bounds are on a stack in an array."""
    x = given.copy()
    stack = np.zeros(200, np.int64)
    stack[0] = 0
    stack[1] = len(x) - 1
    top = 2
    while top > 0:
        top -= 2
        low = stack[top]
        high = stack[top + 1]
        if low < high:
            pivot = x[(low + high) // 2]
            i, j = low, high
            while i <= j:
                while x[i] < pivot:
                    i += 1
                while x[j] > pivot:
                    j -= 1
                if i <= j:
                    t = x[i]
                    x[i] = x[j]
                    x[j] = t
                    i += 1
                    j -= 1
            stack[top] = low
            stack[top + 1] = j
            stack[top + 2] = i
            stack[top + 3] = high
            top += 4
    return x


def convolution(x: Any, k: Any) -> Any:
    """Each element with its neighbours."""
    n, m = len(x), len(k)
    y = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        s = 0.0
        for j in range(m):
            s += x[i + j] * k[j]
        y[i] = s
    return y


def horner(c: Any, x: Any) -> Any:
    """A polynomial at many places."""
    y = np.zeros(len(x))
    for i in range(len(x)):
        s = 0.0
        for j in range(len(c)):
            s = s * x[i] + c[j]
        y[i] = s
    return y


def variance(x: Any) -> Any:
    """By Welford's way."""
    mean, m2 = 0.0, 0.0
    for i in range(len(x)):
        d = x[i] - mean
        mean += d / (i + 1)
        m2 += d * (x[i] - mean)
    return m2 / len(x)


def best_trade(x: Any) -> Any:
    """Buy low and sell high."""
    low, best = x[0], 0.0
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
        if x[i] - low > best:
            best = x[i] - low
    return best


def largest_part(x: Any) -> Any:
    """Kadane's sum of the best part, of ints."""
    here, best = 0, 0
    for i in range(len(x)):
        here += x[i]
        if here < 0:
            here = 0
        if here > best:
            best = here
    return best


def two_pointers(x: Any, goal: Any) -> Any:
    """Pairs with a sum, of what is sorted."""
    i, j, count = 0, len(x) - 1, 0
    while i < j:
        s = x[i] + x[j]
        if s == goal:
            count += 1
            i += 1
            j -= 1
        elif s < goal:
            i += 1
        else:
            j -= 1
    return count


def reverse(given: Any) -> Any:
    """In place, from both ends."""
    x = given.copy()
    i, j = 0, len(x) - 1
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1
    return x


def merge(a: Any, b: Any) -> Any:
    """Two sorted ones to one."""
    c = np.zeros(len(a) + len(b))
    i = j = k = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            c[k] = a[i]
            i += 1
        else:
            c[k] = b[j]
            j += 1
        k += 1
    while i < len(a):
        c[k] = a[i]
        i += 1
        k += 1
    while j < len(b):
        c[k] = b[j]
        j += 1
        k += 1
    return c


def inversions(x: Any) -> Any:
    """Pairs in the wrong order."""
    count = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] > x[j]:
                count += 1
    return count


def checksum(x: Any) -> Any:
    """Adler's, of bytes."""
    a, b = 1, 0
    for i in range(len(x)):
        a = (a + x[i]) % 65521
        b = (b + a) % 65521
    return b * 65536 + a


def _floats(n: int) -> Any:
    return np.random.default_rng(n).random(n)


def _ints(n: int, high: int, low: int = 0) -> Any:
    return np.random.default_rng(n).integers(low, high, n)


def _sorted(n: int, high: int) -> Any:
    return np.sort(_ints(n, high))


N = 100_000
ROWS = (
    Row("sum of ints", sum_ints, {"1e5": lambda: (_ints(N, 1000),)}),
    Row("prefix sums", prefix_sums, {"1e5": lambda: (_floats(N),)}),
    Row("prefix sums, ints", prefix_sums_ints, {"1e5": lambda: (_ints(N, 1000),)}),
    Row("longest run", longest_run, {"1e5": lambda: (_ints(N, 2),)}),
    Row("argmax", argmax, {"1e5": lambda: (_floats(N),)}),
    Row("histogram", histogram, {"1e5": lambda: (_ints(N, 100), 100)}),
    Row("histogram, floats", histogram_floats, {"1e5": lambda: (_floats(N), 100)}),
    Row("rising", rising, {"1,000": lambda: (_floats(1000),)}),
    Row("sieve", sieve, {"1e5": lambda: (N,)}),
    Row("bubble sort", bubble_sort, {"500": lambda: (_floats(500),)}),
    Row("insertion sort", insertion_sort, {"1,000": lambda: (_floats(1000),)}),
    Row("heap sort", heap_sort, {"5,000": lambda: (_floats(5000),)}),
    Row("quicksort", quicksort, {"5,000": lambda: (_floats(5000),)}),
    Row(
        "convolution", convolution, {"9 of 1e4": lambda: (_floats(10_000), _floats(9))}
    ),
    Row("Horner", horner, {"8 at 1e4": lambda: (_floats(8), _floats(10_000))}),
    Row("variance", variance, {"1e5": lambda: (_floats(N),)}),
    Row("best trade", best_trade, {"1e5": lambda: (_floats(N),)}),
    Row("largest part", largest_part, {"1e5": lambda: (_ints(N, 100, -100),)}),
    Row("two pointers", two_pointers, {"1e5": lambda: (_sorted(N, 10**6), 10**6)}),
    Row("reverse", reverse, {"1e5": lambda: (_floats(N),)}),
    Row(
        "merge",
        merge,
        {"2 x 1e4": lambda: (np.sort(_floats(10_000)), np.sort(_floats(10_001)))},
    ),
    Row("inversions", inversions, {"1,000": lambda: (_floats(1000),)}),
    Row("checksum", checksum, {"1e5": lambda: (_ints(N, 256),)}),
)
