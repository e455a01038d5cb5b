"""Lists of objects whose length depends on data."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

i = np.int64
X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
ON_DATA = (X, i(8)), (X, i(0)), (X, i(3))
PROGRAMS = Programs()


class Part:
    def __init__(self, x, v=1.0):
        self.x = x
        self.v = v
        self.tags = (1, "a")

    def moved(self):
        return Part(self.x + self.v, self.v * 0.5)


class World:
    def __init__(self):
        self.parts = []

    def add(self, x):
        self.parts.append(Part(x))

    def energy(self):
        total = 0.0
        for p in self.parts:
            total += p.x**2
        return total


@PROGRAMS(*ON_DATA)
def in_an_attribute(xs, n):
    w = World()
    for k in range(n):
        w.add(xs[k])
    return w.energy(), w


@PROGRAMS(*ON_DATA)
def grow(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], k))
    return len(ps), [p.x for p in ps], sum(p.v for p in ps) + 0.0


@PROGRAMS(*ON_DATA)
def ret(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], k))
    return ps


@PROGRAMS(*ON_DATA)
def step(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], 1.0))
    for t in range(n):
        ps = [p.moved() for p in ps]
    return [p.x for p in ps]


@PROGRAMS(*ON_DATA)
def alive(xs, n):
    ps = [Part(x, 0.0) for x in xs]
    ps = [p for p in ps if p.x > n]
    total = 0.0
    for p in ps:
        total += p.x
    return total, len(ps)


@PROGRAMS(*ON_DATA)
def spawn(xs, n):
    ps = [Part(1.0)]
    for k in range(n):
        new = []
        for p in ps:
            if p.x < 10:
                new.append(p.moved())
                if xs[k] > 4:
                    new.append(Part(p.x * 2))
        ps = new
    return [p.x for p in ps]


@PROGRAMS(*ON_DATA)
def best(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], k))
    best = None
    for p in ps:
        if best is None or p.x > best.x:
            best = p
    return None if best is None else (best.x, best.v)


@PROGRAMS(*ON_DATA)
def popped(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], k))
    t = 0.0
    while ps:
        p = ps.pop()
        t = t * 2 + p.x
    return t


@PROGRAMS(*ON_DATA)
def setitem(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], 0.0))
    for k in range(n):
        ps[k] = ps[k].moved()
    return [p.x for p in ps]


@PROGRAMS(*ON_DATA)
def tuples(xs, n):
    ps = []
    for k in range(n):
        ps.append((k, Part(xs[k], 0.0), "text"))
    t = 0.0
    for k, p, s in ps:
        t += k * p.x
    return t, ps


@PROGRAMS(*ON_DATA)
def nested(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(Part(xs[k]), [k, 1.0]))
    return sum([p.x.x * p.v[0] for p in ps]) + 0.0, ps


@PROGRAMS(*ON_DATA)
def sorted_(xs, n):
    ps = []
    for k in range(n):
        ps.append(Part(xs[k], k))
    ps.sort(key=lambda p: p.x)
    return [p.v for p in ps]


@PROGRAMS(*ON_DATA)
def comp_loop(xs, n):
    ps = [Part(xs[k]) for k in range(n)]
    return [p.x for p in ps], ps


@PROGRAMS(*ON_DATA)
def max_key(xs, n):
    ps = [Part(xs[k], k) for k in range(n)]
    if not ps:
        return None
    b = max(ps, key=lambda p: p.x)
    return b.v


@PROGRAMS(*ON_DATA)
def enum_zip(xs, n):
    ps = [Part(xs[k], k) for k in range(n)]
    t = 0.0
    for k, p in enumerate(ps):
        t += k * p.x
    for p, x in zip(ps, xs):
        t += p.x * x
    for p in reversed(ps):
        t = t * 0.5 + p.x
    for p, x in zip(ps[1:], xs):
        t += p.x - x
    return t


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_objects_in_lists_are_what_python_has(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)
