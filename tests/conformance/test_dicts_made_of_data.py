"""Dicts of data as wholes: counted, grouped, zipped, sorted, gone through, copied."""

import copy
from collections import Counter, defaultdict

import pytest

from tests.conformance.test_dicts_by_data import A, E, ws, xs
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
memo = {}


class Thing:
    def __init__(self, v):
        self.v = v


@PROGRAMS((xs,), (E,), (ws,))
def cnt(x):
    c = Counter(x)
    return c, c.most_common(2), c.most_common(), len(c)


@PROGRAMS((xs,), (E,))
def sorts(x):
    c = Counter(x)
    a = sorted(c.items(), key=lambda kv: (-kv[1], kv[0]))
    b = max(c, key=c.get, default=0)
    d = dict(sorted(c.items()))
    return (
        a,
        b,
        d,
        sorted(c, key=c.get),
        min(c.values(), default=0),
        [*c],
        list(c.values()),
        sum(c.values()),
    )


@PROGRAMS((xs,), (E,))
def dd_list(x):
    c = defaultdict(list)
    for i, v in enumerate(x):
        c[v].append(i)
    return c


@PROGRAMS((xs,), (E,))
def setdef(x):
    c = {}
    for i, v in enumerate(x):
        c.setdefault(v, []).append(i)
    return c


@PROGRAMS((xs,), (E,))
def groups(x):
    g = {}
    for v in x:
        if v not in g:
            g[v] = []
        g[v].append(v * 2)
    return g, {k: len(v) for k, v in g.items()}, [sum(v) for v in g.values()]


@PROGRAMS((["ab", "ba", "c", "ab"],))
def anagrams(words):
    g = defaultdict(list)
    for w in words:
        g["".join(sorted(w))].append(w)
    return list(g.values())


@PROGRAMS((A(["ab", "ba", "c", "ab"]),))
def anagrams2(words):
    g = defaultdict(list)
    for w in words:
        g["".join(sorted(w))].append(w)
    return list(g.values())


@PROGRAMS((A([[0, 1], [1, 2], [0, 2]]),))
def graph(edges):
    adj = {}
    for a, b in edges:
        adj.setdefault(a, []).append(b)
        adj.setdefault(b, []).append(a)
    seen = {}
    queue = [0]
    while queue:
        n = queue.pop(0)
        if n in seen:
            continue
        seen[n] = len(seen)
        for m in adj.get(n, []):
            if m not in seen:
                queue.append(m)
    return adj, seen


@PROGRAMS((xs,), (E,))
def enums(x):
    d = {v: v + 1 for v in x}
    return (
        [(i, k) for i, k in enumerate(d)],
        [(a, b) for a, b in zip(d, d.values())],
        list(reversed(d)),
        [k for k, v in d.items() if v > 2],
        {v: k for k, v in d.items()},
        [v for v in d.values()],
    )


@PROGRAMS((xs,), (E,))
def fromk(x):
    return dict.fromkeys(x, 0), dict.fromkeys(x)


@PROGRAMS((xs,))
def nested_dicts(x):
    d = {}
    for i, v in enumerate(x):
        d[v] = {"n": i, "v": v}
    return d


@PROGRAMS((xs,))
def deepc(x):
    d = {v: v for v in x}
    e = copy.deepcopy(d)
    f = copy.copy(d)
    e[100] = 1
    return d, e, f


@PROGRAMS((xs,))
def match_(x):
    d = {v: v for v in x}
    match d:
        case {3: v}:
            return v
    return 0


@PROGRAMS((xs,))
def reads(x):
    t = {1: 10, 2: 20, 3: 30}
    return [t[v] for v in x], [t.get(v) for v in x], t


@PROGRAMS((xs,))
def objs(x):
    d = {}
    for v in x:
        d[v] = Thing(v)
    t = 0
    for k in d:
        t += d[k].v
    return t


@PROGRAMS((xs,))
def merged(x):
    a = {v: 1 for v in x}
    b = {v + 1: 2 for v in x}
    return a | b, {**a, "q": 1, **b}, a, a == b, a == dict(a)


@PROGRAMS((xs,))
def floats(x):
    d = {1.0: "a"}
    for v in x:
        d[v] = "b"
    return d


@PROGRAMS((xs,))
def printed(x):
    d = {v: 1.5 for v in x}
    print(d, f"{d}")
    return str(d)


@PROGRAMS((xs,))
def changed_arg(x):
    d = {v: 1.5 for v in x}
    for k in d:
        d[k + 10] = 1
    return d


@PROGRAMS((xs,), (E,))
def parts_of_groups(x):
    groups = defaultdict(list)
    for i, v in enumerate(x):
        groups[v].append((i, v))
    first = {k: g[:2] for k, g in groups.items()}
    return first, {k: sorted(g, reverse=True) for k, g in groups.items()}


@PROGRAMS((xs,))
def hashes(x):
    return hash((x[0], 1)) == hash((3, 1)), frozenset([x[0], x[2]])


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_they_are_those_of_python(function, arguments):
    check(function, arguments)
