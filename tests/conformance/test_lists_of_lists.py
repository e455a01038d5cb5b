"""Lists in lists whose length depends on data, as algorithms use them."""

import heapq
from collections import deque

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
A = np.array
ints = A([3, 1, 2, 3, 3, 1, 5])
PROGRAMS = Programs()


@PROGRAMS((i(3),), (i(0),))
def rows_grow(n):
    rows = []
    while n > 0:
        row = []
        for k in range(n):
            row.append(k)
        rows.append(row)
        n = n - 1
    return rows


@PROGRAMS((ints, i(2)), (ints, i(3)))
def groups_mod(xs, k):
    groups = [[] for _ in range(k)]
    for x in xs:
        groups[x % k].append(x)
    return groups


@PROGRAMS((ints,), (A([1]),))
def runs(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == x:
            out[-1][1] += 1
        else:
            out.append([x, 1])
    return out


@PROGRAMS((ints,))
def split_runs(xs):
    out = []
    for x in xs:
        if out and out[-1][-1] <= x:
            out[-1].append(x)
        else:
            out.append([x])
    return out


@PROGRAMS((i(3), i(2)), (i(0), i(0)))
def matrix(n, m):
    rows = []
    for a in range(n):
        row = []
        for b in range(m):
            row.append(a * b)
        rows.append(row)
    rows[0][1] = 7
    return rows


@PROGRAMS(
    (i(3), i(2)),
)
def zeros(n, m):
    rows = [[0] * m for _ in range(n)]
    for a in range(n):
        for b in range(m):
            rows[a][b] += a + b
    return rows


@PROGRAMS((i(4),), (i(1),))
def pascal(n):
    rows = [[1]]
    for k in range(n):
        last = rows[-1]
        rows.append([1] + [last[j] + last[j + 1] for j in range(len(last) - 1)] + [1])
    return rows


@PROGRAMS(
    (A([[0, 1], [1, 2], [0, 3]]), i(5)),
)
def adjacency(edges, n):
    adj = [[] for _ in range(n)]
    for a, b in edges:
        adj[a].append(b)
        adj[b].append(a)
    seen = [False] * n
    order = []
    stack = [0]
    while stack:
        v = stack.pop()
        if seen[v]:
            continue
        seen[v] = True
        order.append(v)
        for w in adj[v]:
            if not seen[w]:
                stack.append(w)
    return order


@PROGRAMS(
    (A([[0, 1], [1, 2], [0, 3]]), i(5)),
)
def bfs(edges, n):
    adj = [[] for _ in range(n)]
    for e in edges:
        adj[e[0]].append(e[1])
        adj[e[1]].append(e[0])
    dist = [-1] * n
    dist[0] = 0
    q = deque([0])
    while q:
        v = q.popleft()
        for w in adj[v]:
            if dist[w] < 0:
                dist[w] = dist[v] + 1
                q.append(w)
    return dist


@PROGRAMS((A([[1, 3], [2, 6], [8, 10], [15, 18]]),))
def merge_intervals(xs):
    out = []
    for a, b in xs:
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


@PROGRAMS((ints,))
def tokens(xs):
    words, word = [], []
    for x in xs:
        if x == 3:
            if word:
                words.append(word)
            word = []
        else:
            word.append(x)
    if word:
        words.append(word)
    return words


@PROGRAMS((i(3),))
def perms(n):
    out = [[]]
    for k in range(n):
        new = []
        for q in out:
            for j in range(len(q) + 1):
                new.append(q[:j] + [k] + q[j:])
        out = new
    return out


@PROGRAMS((ints,))
def copies(xs):
    rows = []
    for x in xs:
        row = []
        for k in range(x):
            row.append(k)
        rows.append(row)
    new = [list(r) for r in rows]
    new[0].append(100)
    return (
        rows,
        new,
        [r[:] for r in rows],
        [r[::-1] for r in rows],
        [v for r in rows for v in r],
    )


@PROGRAMS((ints,))
def nested_sum(xs):
    rows = []
    for x in xs:
        row = []
        for k in range(x):
            row.append(k)
        rows.append(row)
    total = 0
    for row in rows:
        for v in row:
            total += v
    return total, sum(len(r) for r in rows), max(map(len, rows)), [len(r) for r in rows]


@PROGRAMS((A([[1, 0, 1], [0, 1, 1], [0, 0, 0]]),))
def components(m):
    h, w = m.shape
    seen = np.zeros((h, w), bool)
    comps = []
    for a in range(h):
        for b in range(w):
            if m[a, b] and not seen[a, b]:
                comp = []
                stack = [(a, b)]
                seen[a, b] = True
                while stack:
                    y, x = stack.pop()
                    comp.append((y, x))
                    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        v, u = y + dy, x + dx
                        if 0 <= v < h and 0 <= u < w and m[v, u] and not seen[v, u]:
                            seen[v, u] = True
                            stack.append((v, u))
                comps.append(comp)
    return comps, sorted(comps, key=len), max(comps, key=len)


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_lists_in_lists_are_what_they_are_in_python(program, calls):
    check(program, calls)


def rows_sought(x, k):
    rows = [[] for _ in range(k)]
    for n, v in enumerate(x):
        rows[n % k].append(v)
    found = rows[0] in rows, rows.count(rows[0]), rows.index(rows[1])
    last = rows[k - 1]
    rows.remove(last)
    return found, rows, last, last in rows


def rows_as_heaps(x, k):
    heaps = [[] for _ in range(k)]
    heaps[0].append(1.0)
    least = heapq.heappushpop(heaps[0], 2.0)
    heaps[1].append((x[0], 2))
    return least, heapq.heapreplace(heaps[1], (0.5, k)), heaps


@pytest.mark.parametrize("function", [rows_sought, rows_as_heaps])
def test_rows_are_sought_and_are_heaps(function):
    x = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
    check(function, ((x, np.int64(3)), (x, np.int64(2))))
