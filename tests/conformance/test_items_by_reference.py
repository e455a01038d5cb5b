"""Items of lists of known length, asked for by data, that are changed."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

i = np.int64
X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
ON_DATA = (X, i(8)), (X, i(0)), (X, i(3))
PROGRAMS = Programs()


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Acc:
    def __init__(self):
        self.t = 0.0

    def add(self, v):
        self.t = self.t + v


@PROGRAMS(*ON_DATA)
def buckets(xs, n):
    rows = [[], [], []]
    for k in range(n):
        rows[k % 3].append(xs[k])
    return rows


@PROGRAMS(*ON_DATA)
def bufs(xs, n):
    bs = [np.zeros(8), np.zeros(8)]
    for k in range(n):
        bs[k % 2][k] = xs[k]
    return bs


@PROGRAMS(*ON_DATA)
def bufs2(xs, n):
    bs = [np.zeros(8), np.zeros(8)]
    for k in range(n):
        src, dst = bs[k % 2], bs[(k + 1) % 2]
        dst[1:] = src[:-1] + xs[k]
    return bs


@PROGRAMS(*ON_DATA)
def counts(xs, n):
    d = [{"n": 0}, {"n": 0}]
    for k in range(n):
        d[int(xs[k]) % 2]["n"] += 1
    return d


@PROGRAMS(*ON_DATA)
def nested_rows(xs, n):
    m = [[0.0] * 3 for _ in range(3)]
    for k in range(n):
        m[k % 3][(k + 1) % 3] += xs[k]
    return m


@PROGRAMS(*ON_DATA)
def idx(xs, n):
    units = [Acc(), Acc(), Acc()]
    for k in range(n):
        units[k % 3].add(xs[k])
    return [u.t for u in units]


@PROGRAMS(*ON_DATA)
def idx_loop(xs, n):
    units = [Acc() for _ in range(3)]
    for k in range(n):
        u = units[k % 3]
        u.t += xs[k]
    return [u.t for u in units]


@PROGRAMS(*ON_DATA)
def replaced(xs, n):
    units = [Pair(0.0, 0), Pair(1.0, 0), Pair(2.0, 0)]
    for k in range(n):
        units[k % 3] = Pair(xs[k], k)
        units[0].y += 1
    return [(u.x, u.y) for u in units]


@PROGRAMS(*ON_DATA)
def board(xs, n):
    b = [[0] * 4 for _ in range(4)]
    for k in range(n):
        b[k % 4][(2 * k) % 4] += int(xs[k])
    t = 0
    for r in range(4):
        for c in range(4):
            t += b[r][c] * (r + 1)
    return b, t


@PROGRAMS(*ON_DATA)
def adjacency(xs, n):
    g = [[] for _ in range(5)]
    for k in range(n):
        a, c = int(xs[k]) % 5, (k * 3) % 5
        g[a].append(c)
        g[c].append(a)
    return g


@PROGRAMS(*ON_DATA)
def bfs_data(xs, n):
    g = [[1, 2], [0, 3], [0], [1]]
    seen = [False] * 4
    q = [int(n) % 4]
    order = []
    while q:
        v = q.pop(0)
        if seen[v]:
            continue
        seen[v] = True
        order.append(v)
        for w in g[v]:
            if not seen[w]:
                q.append(w)
    return order


@PROGRAMS(*ON_DATA)
def alias_row(xs, n):
    row = [0.0, 0.0]
    rows = [row, [1.0, 1.0], row]
    for k in range(n):
        rows[k % 3][k % 2] += xs[k]
    return rows, row, rows[0] is rows[2]


@PROGRAMS((X, i(1)), (X, i(-1)))
def by_a_number(xs, n):
    rows = [[0.0], [1.0]]
    rows[n].append(xs[0])
    return rows


@PROGRAMS(*ON_DATA)
def neg(xs, n):
    rows = [[0.0], [1.0]]
    k = -1
    while k > -3:
        rows[k].append(xs[k])
        k -= 1
    rows[-(n % 2)].append(7.0)
    return rows


@PROGRAMS(*ON_DATA)
def swap_items(xs, n):
    rows = [[0.0], [1.0], [2.0]]
    for k in range(n):
        i, j = k % 3, (k + 1) % 3
        rows[i], rows[j] = rows[j], rows[i]
        rows[i].append(xs[k])
    return rows


@PROGRAMS(*ON_DATA)
def weights(xs, n):
    ws = [np.eye(2) * j for j in range(1, 4)]
    x = np.ones(2)
    for k in range(n):
        x = ws[k % 3] @ x
    ws[0][0, 0] = 9.0
    return x, ws


@PROGRAMS(*ON_DATA)
def stacks(xs, n):
    st = [[3, 2, 1], [], []]
    moves = 0
    for k in range(n):
        a, b = k % 3, (k + 1) % 3
        if st[a] and (not st[b] or st[b][-1] > st[a][-1]):
            st[b].append(st[a].pop())
            moves += 1
    return st, moves


@PROGRAMS(*ON_DATA)
def obj_tuple(xs, n):
    us = (Acc(), Acc())
    for k in range(n):
        us[int(xs[k]) % 2].add(xs[k])
    return us[0].t, us[1].t


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_an_item_is_the_very_item(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)


@pytest.mark.parametrize("index", [2, -3])
def test_an_index_out_of_range_is_one(index):
    def asked(n):
        rows = [[0.0], [1.0]]
        rows[n].append(1.0)
        return rows

    def put(n):
        rows = [[0.0], [1.0]]
        rows[n] = [2.0]
        rows[0].append(1.0)
        return rows

    for program in (asked, put):
        with pytest.raises(IndexError, match=r"^list (assignment )?index out of range"):
            assert_same_as_python(program, i(index))
