"""Lists in lists whose length depends on data: each stays the list that it is."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
A = np.array
ints = A([3, 1, 2, 3, 3, 1, 5])
PROGRAMS = Programs()


@dataclass
class Box:
    items: list = field(default_factory=list)
    n: int = 0


class Stack:
    def __init__(self):
        self.rows = []

    def push(self, x):
        self.rows.append([x])

    def add(self, x):
        self.rows[-1].append(x)


class Node:
    def __init__(self, v):
        self.v = v
        self.kids = []


@PROGRAMS((ints,))
def alias_rows(xs):
    rows = []
    row = []
    for x in xs:
        row.append(x)
        if x > 2:
            rows.append(row)
            row = []
    row.append(0)
    return rows, row


@PROGRAMS((ints,))
def alias_seen(xs):
    rows = []
    for x in xs:
        row = []
        rows.append(row)
        row.append(x)
        if x > 2:
            row.append(7)
    return rows


@PROGRAMS(
    (ints, i(3)),
)
def alias_first(xs, n):
    rows = [[1]]
    for k in range(n):
        rows.append(rows[0])
    rows[1].append(2)
    return rows


@PROGRAMS((i(3),), (i(0),))
def returned_alias(n):
    rows = []
    row = [1]
    while n > 0:
        rows.append(row)
        n -= 1
    return rows, row


@PROGRAMS((i(3),), (i(0),))
def in_dict(n):
    d = {"rows": [], "last": None}
    while n > 0:
        row = [n]
        d["rows"].append(row)
        d["last"] = row
        n -= 1
    if d["last"] is not None:
        d["last"].append(100)
    return d


@PROGRAMS((i(3),), (i(1),))
def identity(n):
    rows = []
    while n > 0:
        rows.append([n])
        n -= 1
    rows.append(rows[0])
    return (
        rows[0] is rows[-1],
        rows[0] is rows[1],
        rows[0] == rows[-1],
        [n] in rows,
        rows.index([1]),
        rows.count([1]),
    )


@PROGRAMS((i(3),), (i(1),))
def printed(n):
    rows = []
    while n > 0:
        rows.append([n, []])
        rows[-1][1].append(n)
        n -= 1
        print(rows, rows[-1], len(rows[-1]))
    print(f"{rows}")
    return str(rows)


@PROGRAMS((i(3),), (i(0),))
def tried(n):
    rows = [[0]]
    try:
        while n > 0:
            rows.append([n])
            rows[-1].append(rows[n - 1][5 - n])
            n -= 1
    except IndexError as e:
        print("caught", e)
        rows[0].append(-1)
    return rows


@PROGRAMS((i(3),), (i(0),))
def failing(n):
    rows = []
    while n > 0:
        rows.append([n])
        n -= 1
    rows[0].append(1)
    return rows, rows[2].pop(), rows[2].pop()


@PROGRAMS((ints,))
def stack_class(xs):
    s = Stack()
    k = 0
    while k < len(xs):
        if xs[k] > 2 or not s.rows:
            s.push(xs[k])
        else:
            s.add(xs[k])
        k += 1
    return s.rows


@PROGRAMS((ints, i(3)))
def boxes_changed(xs, n):
    bs = [Box() for _ in range(n)]
    for x in xs:
        bs[x % n].items.append(x)
    return [b.items for b in bs]


@PROGRAMS(
    (ints, i(3)),
)
def three_levels_n(xs, n):
    grid = [[[] for _ in range(n)] for _ in range(n)]
    for k, x in enumerate(xs):
        grid[x % n][k % n].append((x, k))
    return grid


@PROGRAMS(
    (ints, i(3)),
)
def swaps(xs, n):
    rows = [[k] for k in range(n)]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0].append(5)
    a, b = rows[0], rows[n - 1]
    a.extend(b)
    b += [3]
    b[:] = b[::-1]
    del a[0]
    a.insert(0, 8)
    a.remove(5)
    a.sort()
    a.reverse()
    return (
        rows,
        a * 2,
        a + b,
        min(a),
        max(b),
        sum(a),
        sorted(b),
        list(reversed(a)),
        tuple(b),
        a[1:],
        b.copy(),
    )


@PROGRAMS(
    (ints, i(3)),
)
def transposed(xs, n):
    rows = [[k * j for j in range(n)] for k in range(n)]
    t = [[rows[a][b] for a in range(n)] for b in range(n)]
    return t, np.array(rows), np.sum(np.array(rows), axis=0)


@PROGRAMS((ints, i(3)), (ints, i(0)))
def conds(xs, n):
    row = []
    rows = []
    for x in xs:
        if x > n:
            row = [x]
            rows.append(row)
        elif rows:
            row = rows[0]
        row.append(x)
    return rows, row


@PROGRAMS((ints, i(3)), (ints, i(0)))
def none_or(xs, n):
    best = None
    rows = []
    for x in xs:
        rows.append([x])
        if best is None or x > best[0]:
            best = rows[-1]
        if n > 2:
            best.append(0)
    return best, rows


@PROGRAMS((ints, i(3)), (ints, i(0)))
def early(xs, n):
    rows = []
    for x in xs:
        rows.append([x])
        if x == n:
            return rows[-1]
        for r in rows:
            r.append(1)
            if len(r) > 4:
                break
    return rows


@PROGRAMS((ints, i(3)), (ints, i(0)))
def queue(xs, n):
    q = deque()
    for x in xs:
        q.append([x])
        if len(q) > n:
            r = q.popleft()
            r.append(1)
            q.appendleft(r)
            q[0].append(2)
            q.pop()
    return list(q)


@PROGRAMS((ints, i(3)), (ints, i(0)))
def tuples(xs, n):
    out = []
    for x in xs:
        if x > n:
            out.append((x, [x]))
        for a, r in out:
            r.append(a)
    return out, [r for _, r in out]


@PROGRAMS((ints, i(3)), (ints, i(0)))
def dict_rows(xs, n):
    out = []
    for x in xs:
        if x > n:
            out.append({"k": x, "v": []})
        if out:
            out[-1]["v"].append(x)
    return out


@PROGRAMS((ints, i(3)), (ints, i(0)))
def mixed(xs, n):
    rows = []
    for x in xs:
        if x > n:
            rows.append([x, 1.5, "a"])
        else:
            rows.append([x])
        rows[-1][0] += 1
    return rows


@PROGRAMS((ints, i(3)), (ints, i(0)))
def helper(xs, n):
    def add(rows, k, x):
        rows[k].append(x)
        return rows

    rows = [[] for _ in range(n + 1)]
    for x in xs:
        if x <= n:
            add(rows, x, x)
    return rows


@PROGRAMS(
    (np.array([1.0, 2.0, 3.0]), i(3)),
)
def arrays(x, n):
    rows = []
    for k in range(n):
        rows.append([x * k])
    rows[0].append(x + 1)
    return rows


@PROGRAMS((ints, i(3)), (ints, i(0)))
def lists_of_texts(xs, n):
    rows = []
    for x in xs:
        if x > n:
            rows.append(["a"])
        elif rows:
            rows[-1].append(f"{x}")
    return rows, ["".join(r) for r in rows]


@PROGRAMS((ints,))
def tree2(xs):
    nodes = [Node(0), Node(1)]
    for x in xs:
        nodes[x % 2].kids.append(x)
    return [len(n.kids) for n in nodes]


@PROGRAMS((ints,))
def tree9(xs):
    nodes = [Node(0)]
    nodes.append(Node(2))
    nodes[xs[0] % 2].kids.append(xs[0])
    nodes.append(Node(3))
    nodes[xs[0] % 2].kids.append(xs[0])
    return [n.kids for n in nodes]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_list_in_a_list_is_the_very_list(program, calls):
    check(program, calls)
