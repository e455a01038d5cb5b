"""Loops over, and of, sizes that depend on data: plain and as a graph, the same."""

import numpy as np
import pytest

from tests.conformance.sizes import Programs, check

program = Programs()


@program
def concat_loop(x, n):
    out = np.zeros(0)
    for k in range(n):
        out = np.concatenate((out, x[: k + 1]))
    return out, out.shape, len(out)


@program
def append_loop(x, d):
    out = np.array([])
    for v in x:
        if v > d:
            out = np.append(out, v * 2)
    return out, out.size


@program
def vstack_loop(x, n):
    out = x[None, :]
    for k in range(n):
        out = np.vstack((out, x * k))
    return out, out.shape


@program
def vstack_empty(x, n):
    out = np.empty((0, 6))
    k = 0
    while k < n:
        out = np.vstack([out, x + k])
        k += 1
    return out


@program
def hstack_loop(x, n):
    out = np.array([], dtype=int)
    for k in range(n):
        out = np.hstack([out, np.arange(k)])
    return out


@program
def shrink(x, d):
    while len(x) > 1 and x.sum() < 10:
        x = x[x < x.max()]
    return x


@program
def shrink_half(x):
    while x.size > 1:
        h = x.size // 2
        x = x[:h] + x[h : 2 * h]
    return x[0]


@program
def sieve(n):
    flags = np.ones(n * 10, bool)
    flags[:2] = False
    k = 2
    while k * k < n * 10:
        if flags[k]:
            flags[k * k :: k] = False
        k += 1
    return np.flatnonzero(flags)


@program
def unpack_shape(x, n):
    a = x.reshape(n, -1)
    r, c = a.shape
    total = 0.0
    for p in range(r):
        for q in range(c):
            total += a[p, q] * (p + 1)
    return total, r, c


@program
def range_shape(x, d):
    y = x[x > d]
    out = np.zeros(y.shape[0])
    for k in range(y.shape[0]):
        out[k] = y[k] ** 2
    return out


@program
def matrix_n(n):
    a = np.zeros((n, n))
    for p in range(n):
        for q in range(p):
            a[p, q] = p * q
            a[q, p] = -1
    return a, a.T @ a, np.linalg.det(a + np.eye(n) * 3)


@program
def primes_list(n):
    ps = []
    for c in range(2, n * 7):
        if all(c % p for p in ps):
            ps.append(c)
    return np.array(ps)


@program
def histogram_own(i):
    counts = np.zeros(i.max() + 1, int)
    for v in i:
        counts[v] += 1
    return counts


@program
def unique_loop(i):
    vals, cnt = np.unique(i, return_counts=True)
    best = 0
    for k in range(len(vals)):
        if cnt[k] > cnt[best]:
            best = k
    return vals[best], dict(zip(["v", "c"], [vals, cnt]))


@program
def groups(i, x):
    out = []
    for v in np.unique(i):
        out.append(x[i == v].mean())
    return np.array(out)


@program
def pad_loop(x, n):
    for k in range(n):
        x = np.pad(x, 1)
    return x


@program
def argwhere_loop(m):
    t = 0.0
    for a, b in np.argwhere(m > 1):
        t += m[a, b]
    return t


@program
def convolve_own(x, n):
    k = np.ones(n) / n
    out = np.empty(len(x) - n + 1)
    for j in range(out.size):
        out[j] = np.dot(x[j : j + n], k)
    return out, np.convolve(x, k, "valid")


@program
def bubble(x):
    x = x.copy()
    n = len(x)
    for p in range(n):
        for q in range(n - p - 1):
            if x[q] > x[q + 1]:
                x[q], x[q + 1] = x[q + 1], x[q]
    return x


@program
def delete_loop(x, n):
    for k in range(n):
        x = np.delete(x, 0)
    return x


@program
def insert_loop(x, n):
    for k in range(n):
        x = np.insert(x, k, 0.0)
    return x


@program
def toeplitz(x, n):
    a = np.empty((n, n))
    for p in range(n):
        for q in range(n):
            a[p, q] = x[abs(p - q)]
    return a


@program
def lists_to_array(x, d):
    rows = []
    for v in x:
        if v > d:
            rows.append([v, v * v])
    a = np.array(rows)
    return a.shape, a.sum(axis=0)


@program
def stack_rows(x, n):
    rows = []
    for k in range(n):
        rows.append(x * k)
    return np.stack(rows), np.vstack(rows).shape, np.array(rows)[:, 0]


@program
def fibs(n):
    f = np.zeros(n * 4, dtype=np.int64)
    f[1] = 1
    for k in range(2, f.size):
        f[k] = f[k - 1] + f[k - 2]
    return f[f % 2 == 0]


@program
def dp(s, n):
    best = np.full(n * 4, -1)
    best[0] = 0
    for w in s:
        for c in range(best.size - 1, w - 1, -1):
            if best[c - w] >= 0:
                best[c] = max(best[c], best[c - w] + 1)
    return best


@program
def seg_sum(x, s):
    off = np.concatenate(([0], np.cumsum(s[:2] // 3)))
    out = []
    for k in range(len(off) - 1):
        out.append(x[off[k] : off[k + 1]].sum())
    return np.array(out)


@pytest.mark.parametrize("function", program)
def test_loops_over_sizes_of_the_data_are_as_in_python(function):
    check(function)
