"""Dicts whose keys depend on data, asked and changed item by item."""

from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
xs = np.array([3, 1, 3, 2, 1, 3])
fs = np.array([1.5, 2.5, 1.5])
ws = np.array(["a", "bb", "a"])
E = np.array([], dtype=int)
A = np.array
memo = {}


@PROGRAMS((xs,), (E,))
def count_get(x):
    c = {}
    for v in x:
        c[v] = c.get(v, 0) + 1
    return c


@PROGRAMS((ws,))
def words(x):
    c = {}
    for w in x:
        if w in c:
            c[w] += 1
        else:
            c[w] = 1
    return c, len(c), list(c), sorted(c.items()), list(c.items())


@PROGRAMS((["a", "b", "a"],))
def text_list(x):
    c = {}
    for w in x:
        c[w] = c.get(w, 0) + 1
    return c


@PROGRAMS((xs,), (E,))
def dd_int(x):
    c = defaultdict(int)
    for v in x:
        c[v] += 1
    return c


@PROGRAMS((xs,), (E,))
def cnt_loop(x):
    c = Counter()
    for v in x:
        c[v] += 1
    return c


@PROGRAMS((xs,), (E,))
def two_sum(x):
    seen = {}
    for i, v in enumerate(x):
        if 5 - v in seen:
            return seen[5 - v], i
        seen[v] = i
    return None


@PROGRAMS((np.int64(10),), (np.int64(0),))
def collatz(n):
    memo = {1: 0}
    k = 1
    while k < n:
        k += 1
        m, s = k, 0
        while m not in memo:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            s += 1
        memo[k] = memo[m] + s
    return memo


@PROGRAMS((xs, fs))
def zipped(x, y):
    return dict(zip(x, y)), {k: v for k, v in zip(x, y)}


@PROGRAMS((xs,), (E,))
def iterate(x):
    d = {v: v * 2 for v in x}
    t = 0
    for k in d:
        t += k
    for k, v in d.items():
        t = t * 2 + v
        print(k, v)
    return (
        t,
        sum(d.values()),
        max(d, default=0),
        list(d.keys()),
        3 in d,
        7 in d.values(),
    )


@PROGRAMS((xs,), (E,))
def dels(x):
    d = {}
    for i, v in enumerate(x):
        if v in d:
            del d[v]
        else:
            d[v] = i
    return d, d.pop(3, None), len(d), bool(d)


@PROGRAMS((xs, 3), (xs, 9))
def keyerr(x, k):
    d = {v: v for v in x}
    return d[k]


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(9)))
def keyerr2(x, k):
    d = {v: v for v in x}
    try:
        return d.pop(k), d
    except KeyError as e:
        print(e)
        return d


@PROGRAMS((xs,), (E,))
def tuples(x):
    d = {}
    for v in x:
        d[v, v % 2] = v
    return d, (3, 1) in d


@PROGRAMS((xs,), (E,))
def nested_if(x):
    c = {}
    for v in x:
        if v > 1:
            c[v] = c.get(v, 0) + 1
        elif v > 0:
            c[0] = v
        else:
            c.clear()
    return c


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(0)))
def on_path(x, n):
    c = {"a": 1}
    if n > 2:
        c[n] = 5
    return c, len(c)


@PROGRAMS((xs, np.int64(3)), (xs, np.int64(0)))
def aliases(x, n):
    c = {}
    e = c
    box = [c, {"c": c}]
    for v in x:
        e[v] = v
    return box, c is e, box[0] is c


@PROGRAMS(({1: 2}, np.int64(3)), ({5: 2, 3: 4}, np.int64(3)))
def argument(d, n):
    d[n] = d.get(n, 0) + 1
    return d


@PROGRAMS((np.int64(20),), (np.int64(1),))
def fib(n):
    memo = {}

    def f(k):
        if k in memo:
            return memo[k]
        r = k if k < 2 else f(k - 1) + f(k - 2)
        memo[k] = r
        return r

    return f(n), memo


@PROGRAMS((np.int64(20),), (np.int64(1),))
def fib2(n):
    def f(k, memo):
        if k in memo:
            return memo[k]
        if k < 2:
            return k
        memo[k] = f(k - 1, memo) + f(k - 2, memo)
        return memo[k]

    memo = {}
    return f(n, memo), memo


@PROGRAMS((xs, fs))
def by_array(x, f):
    d = {}
    for v in x:
        d[v] = f * v
    return d, d[3] + 1


@PROGRAMS((xs, fs))
def key_array(x, f):
    d = {}
    d[x] = 1
    return d


@PROGRAMS((xs, fs))
def display(x, f):
    return {x[0]: 1, x[1]: 2, x[2]: 3}


@PROGRAMS((xs,))
def mixed_values(x):
    d = {}
    for v in x:
        d[v] = v if v > 1 else None
    return d


@PROGRAMS((xs,))
def mixed_values2(x):
    d = {}
    for v in x:
        d[v] = v if v > 1 else 1.5
    return d, d.get(7), d.get(np.int64(3))


@PROGRAMS((xs,))
def tupled_values(x):
    d = {}
    for i, v in enumerate(x):
        if v in d:
            a, _ = d[v]
            d[v] = (a + 1, i)
        else:
            d[v] = (1, i)
    return d


@PROGRAMS((xs,), (E,))
def popitems(x):
    d = {v: v for v in x}
    out = []
    while d:
        out.append(d.popitem())
    d[9] = 1
    return out, d


@PROGRAMS((xs,), (E,))
def updates(x):
    d = {v: v for v in x}
    d.update({1: 5, 99: 7})
    d.update(zip(x, x))
    e = d.copy()
    e[1000] = 1
    e |= d
    return d, e, d != e


@PROGRAMS((xs,), (E,))
def in_try(x):
    d = {}
    t = 0
    for v in x:
        try:
            t += d[v]
        except KeyError as e:
            d[v] = v
            print("no", e)
    return t, d


@PROGRAMS((xs,), (E,))
def breaks(x):
    d = {}
    for v in x:
        if v in d:
            break
        d[v] = 1
    else:
        return "all", d
    for k in d:
        if k == 1:
            return k, d
    return d


@PROGRAMS((xs,), (E,))
def od(x):
    d = OrderedDict()
    for v in x:
        d[v] = 1
    return d, dict(d)


@PROGRAMS((xs,), (E,))
def loc(x):
    r = {}
    for i in range(3):
        c = {}
        for v in x:
            c[v] = i
        r = c
    return r


@PROGRAMS((xs,))
def inif(x):
    d = {}
    for v in x:
        d[v] = 1
    if d:
        y = 1
    else:
        y = 2
    return y, 1 if d else 3, not d, bool(d), d and 5, len(d) > 2 and 7


@PROGRAMS((xs,))
def intk(x):
    d = {}
    for v in x:
        d[int(v)] = 1
        d[str(v)] = 2
    return d


@PROGRAMS((xs,))
def strkeys(x):
    d = {}
    for v in x:
        d[f"k{v}"] = v
    return d, d.get("k3"), "k1" in d


@PROGRAMS((fs,))
def fkeys(x):
    d = {}
    for v in x:
        d[round(v)] = v
    for v in x:
        d[float(v)] = v
    for v in x:
        d[v > 2] = v
    return d


@PROGRAMS((xs,))
def nxt(x):
    d = {v: v for v in x}
    return next(iter(d)), next(iter(d.values()))


@PROGRAMS((xs,))
def unpck(x):
    d = {v: v for v in x}
    a, b, c = d
    return a, b, c, [*d], (*d.values(),)


@PROGRAMS((np.int64(5),))
def outer_memo(n):
    if n in memo:
        return memo[n]
    memo[n] = n * 2
    return memo[n]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_they_are_those_of_python(function, arguments):
    check(function, arguments)
