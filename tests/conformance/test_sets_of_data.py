"""Sets whose members depend on data: Python's own, in Python's order."""

from collections import defaultdict

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
xs = np.array([3, 1, 3, 2, 1, 3])
ws = np.array(["a", "bb", "a"])
E = np.array([], dtype=int)
big = np.array([170, 2, 34, 18, 2, 500, 33, 1, 170, 65, 97, -1, -2])
A = np.array


@PROGRAMS((xs,), (E,), (big,))
def dup(x):
    seen = set()
    out = []
    for v in x:
        if v in seen:
            continue
        seen.add(v)
        out.append(v)
    return (out, seen, len(seen), sorted(seen), list(seen))


@PROGRAMS((xs,), (E,), (big,))
def first_dup(x):
    seen = set()
    for v in x:
        if v in seen:
            return v
        seen.add(v)
    return None


@PROGRAMS((xs,), (E,), (big,))
def made(x):
    a = set(x)
    b = {v * 2 for v in x if v > 1}
    print(a, b)
    return (
        a,
        b,
        len(a),
        a == b,
        a == set(x),
        bool(a),
        not b,
        3 in a,
        max(a, default=0),
        sum(b),
    )


@PROGRAMS((xs,), (E,), (big,))
def rem(x):
    a = set(x)
    for v in x:
        if v % 2:
            a.discard(v)
        else:
            a.add(v + 64)
    for k in list(a):
        if k > 60:
            a.remove(k)
    a.update([1, 2])
    return (a, list(a))


@PROGRAMS((big,))
def pops(x):
    a = set(x)
    t = []
    while a:
        t.append(a.pop())
    a.add(5)
    return (t, a)


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(9)))
def remerr(x, n):
    a = set(x)
    try:
        a.remove(n)
    except KeyError as e:
        print("no", e)
        a.add(n)
    return a


@PROGRAMS((xs,))
def it(x):
    a = set(x)
    t = 0
    for v in a:
        t = t * 3 + v
    b = a.copy()
    b.add(100)
    a.clear()
    return (t, a, b, [v for v in b])


@PROGRAMS((xs,))
def chg(x):
    a = set(x)
    for v in a:
        a.add(v + 10)
    return a


@PROGRAMS((xs,))
def tup(x):
    a = set()
    for v in x:
        a.add((v, v % 2))
    return (a, (3, 1) in a, len({(v, 1) for v in x}))


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(0)))
def onpath(x, n):
    a = {1, 2}
    if n > 2:
        a.add(n)
    return a


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(0)))
def grow(x, n):
    a = {0}
    for i in range(n):
        a.add(i * 7)
    return (a, len(a))


@PROGRAMS((xs, np.int64(3)))
def disp(x, n):
    return ({n, 1}, {x[0], x[2]})


@PROGRAMS((A([[0, 1], [1, 2], [0, 2]]),))
def bfs(edges):
    adj = defaultdict(list)
    for a, b in edges:
        adj[a].append(b)
        adj[b].append(a)
    seen = set()
    todo = [0]
    order = []
    while todo:
        n = todo.pop()
        if n in seen:
            continue
        seen.add(n)
        order.append(n)
        for m in adj[n]:
            if m not in seen:
                todo.append(m)
    return (order, seen)


@PROGRAMS((xs,))
def ops(x):
    a = set(x)
    return a | {1}


@PROGRAMS((xs,))
def ops2(x):
    a = set(x)
    b = set(x)
    return a - b


@PROGRAMS((xs,))
def meth(x):
    a = set(x)
    return a.union({7})


@PROGRAMS((xs,))
def inloop(x):
    r = []
    for v in x:
        s = set()
        s.add(v)
        s.add(v + 1)
        r.append(len(s))
    return r


@PROGRAMS((xs,))
def lists(x):
    return (
        len(set(list(x))),
        len(set([v for v in x if v > 1])) == 2,
        list(dict.fromkeys(x)),
    )


@PROGRAMS((xs,), (big,))
def texts(x):
    a = set(x)
    print(a, [a], (1, a))
    return (f"{a}", str(a), [str(v) for v in a], repr({"k": a}))


@PROGRAMS((xs,), (big,))
def setops(x):
    a = set(x)
    b = {v * 2 for v in x}
    print(
        a | b,
        a & b,
        a - b,
        a ^ b,
        a | {1},
        {1, 2} - a,
        a - {1},
        a.union({5}),
        a.difference(set(x[:2])),
    )
    a |= b
    c = a | b
    c.add(77)
    d = c.copy()
    for v in x:
        d.discard(v)
    return (
        a,
        c,
        d,
        d | a,
        a >= b,
        b <= a,
        a < b,
        a == b,
        a != c,
        a.issubset(c),
        a.isdisjoint(b),
    )


@PROGRAMS((big,))
def setops2(x):
    a = set(x)
    b = a.copy()
    for v in x:
        a = a | {v + 1}
        b |= {v + 3}
    a -= b
    b &= {1, 2, 3, 4, 5}
    # No two of them in one place of a table: Python's order of such constants is
    # another one where it has read them from a .pyc.
    b ^= {3, 4, 98}
    return (a, b, list(a), list(b))


@PROGRAMS((xs,), (big,))
def aliased(x):
    a = set()
    b = a
    box = [a]
    for v in x:
        b.add(v)
        if len(a) > 3:
            a.clear()
    return (a, b is a, box[0] is a, box)


@PROGRAMS((xs,), (big,))
def intry(x):
    a = {0}
    for v in x:
        try:
            a.remove(v)
        except KeyError:
            a.add(v)
    return a


@PROGRAMS((xs, np.int64(2)), (xs, np.int64(3)))
def branchmade(x, n):
    if n > 2:
        s = set(x)
    else:
        s = set()
    return (len(s), s)


@PROGRAMS((xs,))
def setinlist(x):
    r = []
    for v in x:
        r.append({v, 1})
    return r


@PROGRAMS((xs,))
def setattr_(x):

    class B:
        pass

    b = B()
    b.s = set()
    for v in x:
        b.s.add(v)
    return b.s


@PROGRAMS((xs,))
def helper(x):

    def h(s, v):
        if v in s:
            return False
        s.add(v)
        return True

    s = set()
    n = 0
    for v in x:
        if h(s, v):
            n += 1
    return (n, s)


@PROGRAMS((A([[0, 1], [1, 1], [0, 1]]),))
def grid(g):
    seen = set()
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        if (
            (i, j) in seen
            or i < 0
            or j < 0
            or (i > 2)
            or (j > 1)
            or (g[i, j] == 0 and i + j > 0)
        ):
            continue
        seen.add((i, j))
        todo.append((i + 1, j))
        todo.append((i, j + 1))
        todo.append((i, j - 1))
    return (len(seen), sorted(seen))


@PROGRAMS((ws,), (big,))
def given_itself(x):
    a = {1}
    b = a
    for v in x:
        b.add(v)
        a |= b
    print(a | b, a & b, a - b, a ^ b)
    return a, [*a], a.union(b)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_sets_of_data_are_those_of_python(function, arguments):
    check(function, arguments)
