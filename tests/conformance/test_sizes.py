"""Sizes that depend on data, in programs: plain and as a graph, the same."""

import inspect

import numpy as np
import pytest

from autograph.same import assert_same_as_python

ARGUMENTS = {
    "x": np.array([1.5, -2.0, 0.25, 3.0, 0.5, -1.0]),
    "m": np.array([[4.0, 1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 0.25, 5.0]]),
    "i": np.array([3, 1, 2, 3, 5, 1]),
    "s": np.array([5, 3, 8, 1]),
    "d": np.float64(0.75),
    "n": np.int64(3),
}
PROGRAMS = []


def program(function):
    PROGRAMS.append(pytest.param(function, id=function.__name__))
    return function


@pytest.mark.parametrize("function", PROGRAMS)
def test_sizes_of_the_data_are_as_in_python(function):
    names = inspect.signature(function).parameters
    assert_same_as_python(function, *(ARGUMENTS[name] for name in names))


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
def unique_inverse(i):
    vals, inv = np.unique(i, return_inverse=True)
    return vals[inv], np.bincount(inv)


@program
def groups(i, x):
    out = []
    for v in np.unique(i):
        out.append(x[i == v].mean())
    return np.array(out)


@program
def groups_dict(i, x):
    return np.array([x[i == v].sum() for v in np.unique(i)])


@program
def pad_loop(x, n):
    for k in range(n):
        x = np.pad(x, 1)
    return x


@program
def repeat_shape(x, n):
    y = np.repeat(x, n).reshape(-1, n)
    return y.mean(axis=1), y.shape


@program
def tile2(x, n):
    y = np.tile(x, (n, 1))
    return y.sum(axis=0), y[n - 1]


@program
def linspace_n(n, d):
    g = np.linspace(0, d, n + 1)
    h = g[1] - g[0]
    return np.sum((g[1:] + g[:-1]) / 2 * h), g


@program
def trapz(n):
    t = np.linspace(0.0, np.pi, n * 10)
    return np.trapezoid(np.sin(t), t)


@program
def split_n(x, n):
    return [p.sum() for p in np.split(x, n)], np.array_split(x, n)[0]


@program
def mesh(n):
    X, Y = np.meshgrid(np.arange(n), np.arange(n + 1))
    return X + Y, X.shape


@program
def where_first(x, d):
    w = np.where(x > d)[0]
    return w[0] if len(w) > 0 else -1


@program
def where_none(x):
    w = np.where(x > 100)[0]
    if w.size == 0:
        return None
    return w[0]


@program
def nz_pairs(m):
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(m > 2))], np.argwhere(
        m > 2
    ).tolist()


@program
def argwhere_loop(m):
    t = 0.0
    for a, b in np.argwhere(m > 1):
        t += m[a, b]
    return t


@program
def window(x, n):
    return np.array([x[k : k + n].mean() for k in range(len(x) - n + 1)])


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
def topk(x, n):
    return np.sort(x)[::-1][:n], np.argsort(-x)[:n], np.partition(x, -n)[-n:]


@program
def ones_mask(x, n):
    mask = np.zeros(len(x), bool)
    mask[:n] = True
    return x[mask], x[~mask], mask.sum()


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
def cartesian(n):
    a = np.arange(n)
    return np.array(np.meshgrid(a, a)).T.reshape(-1, 2)


@program
def poly_n(x, n):
    return np.vander(x, n), np.polyfit(x, x**2, 2).round(6)


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
def cumulative_until(x, d):
    c = np.cumsum(np.abs(x))
    k = np.searchsorted(c, d * 4)
    return x[:k], k, c[: k + 1][-1]


@program
def nested_mask(x, d):
    y = x[x > -1.5]
    z = y[y < d]
    w = z[z != 0.5]
    return w, y.sum() - z.sum(), len(x) - len(w)


@program
def setdiff(i):
    a = np.setdiff1d(np.arange(6), i)
    return a, a.size, [v for v in a], np.union1d(a, i)[a.size :]


@program
def broadcast_unknown(x, d):
    y = x[x > d]
    return y[:, None] * y[None, :], np.outer(y, y).shape, np.subtract.outer(y, x).shape


@program
def diag_unknown(x, d):
    y = x[x > d]
    D = np.diag(y)
    return D @ y, np.trace(D), np.linalg.solve(D, y), np.linalg.eigvalsh(D)


@program
def empty_result(x):
    y = x[x > 100]
    return (
        y,
        y.sum(),
        y.shape,
        len(y),
        y.reshape(-1, 1).shape,
        np.concatenate((y, x)).size,
    )


@program
def if_size(x, d):
    y = x[x > d]
    if y.size > 1:
        return y.mean()
    elif y.size:
        return y[0]
    return 0.0


@program
def seg_sum(x, s):
    off = np.concatenate(([0], np.cumsum(s[:2] // 3)))
    out = []
    for k in range(len(off) - 1):
        out.append(x[off[k] : off[k + 1]].sum())
    return np.array(out)


@program
def convert_len(x, d):
    y = x[x > d]
    return str(len(y)), f"{y.shape}", y.shape == (2,), y.shape[0] == len(y), y.ndim


@program
def swap_rows(m, n):
    idx = np.arange(n)[::-1]
    return m[idx], m[np.ix_(idx, idx)], m[idx][:, idx]


@program
def np_array_n(n):
    return (
        np.array([[k * j for j in range(3)] for k in range(n)]),
        np.array(range(n)),
        np.asarray([n, n + 1]),
    )
