"""Objects of plain classes that branches, and rounds of loops, make anew."""

from types import SimpleNamespace

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

i, f = np.int64, np.float64
X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
ON_DATA = (X, i(8)), (X, i(0)), (X, i(1))
ON_NUMBER = (f(2.5), i(4)), (f(2.5), i(0))
EITHER = (f(3.0),), (f(-1.0),)
PROGRAMS = Programs()


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, d):
        return Point(self.x + d, self.y)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5

    @property
    def double(self):
        return self.x * 2 if self.x > 4 else self.x


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Slotted(self.x + other.x, self.y + other.y)


class Idle:
    name = "idle"

    def step(self, v):
        return Running(v) if v > 1 else self


class Running:
    name = "running"

    def __init__(self, start):
        self.start = start

    def step(self, v):
        return Idle() if v - self.start > 3 else self


class Solution:
    def __init__(self, x):
        self.x = x
        self.cost = np.sum(x**2)


@PROGRAMS(*ON_NUMBER)
def walk(x, n):
    p = Point(x, 1.0)
    while p.x < n:
        p = p.moved(1.0)
    return p.x, p.norm(), type(p) is Point, p.double


@PROGRAMS(*ON_DATA)
def best_so_far(xs, n):
    best = Point(np.inf, -1)
    for k in range(n):
        cost = (xs[k] - 2) ** 2
        if cost < best.x:
            best = Point(cost, k)
    best.x += 1
    return best.x, best.y


@PROGRAMS(*ON_DATA)
def annealing(xs, n):
    best = current = Solution(xs)
    for k in range(n):
        candidate = Solution(current.x - 0.5 * (k % 3))
        if candidate.cost < current.cost + 1:
            current = candidate
        if current.cost < best.cost:
            best = current
    return best.x, best.cost, current.cost


@PROGRAMS(*ON_DATA)
def slots_and_operators(xs, n):
    s = Slotted(0.0, 0.0)
    for k in range(n):
        s = s + Slotted(xs[k], 1.0)
    return s.x, s.y


@PROGRAMS(*ON_DATA)
def the_one_before(xs, n):
    p, before = Point(0.0, 0), None
    for k in range(n):
        before = p
        p = Point(p.x + xs[k], k)
    p.x = 100.0
    return p.x, before is None or before.x


@PROGRAMS(*ON_DATA)
def states(xs, n):
    state, names = Idle(), 0
    for k in range(n):
        state = state.step(xs[k])
        names += state.name == "idle"
    return state.name, names


@PROGRAMS(*ON_DATA)
def lists_of_objects(xs, n):
    points = [Point(0.0, 0.0), Point(1.0, 1.0)]
    for k in range(n):
        points = [p + Point(1.0, xs[k]) for p in points]
        points[0].x -= 1
    return [p.x for p in points], [p.y for p in points]


@PROGRAMS(*ON_DATA)
def objects_in_objects(xs, n):
    outer = Point(Point(0.0, 0), [0.0])
    for k in range(n):
        outer = Point(Point(outer.x.x + xs[k], k), [outer.x.x])
        outer.x.x += 1
        outer.y[0] -= 1
    return outer.x.x, outer.y


@PROGRAMS(*ON_DATA)
def exchanged(xs, n):
    a, b = Point(0.0, 0.0), Point(1.0, 1.0)
    first = a
    for k in range(n):
        a, b = b, a
        a.x += xs[k]
    return a.x, b.x, a.y, first is a, first is b


@PROGRAMS(*ON_DATA)
def set_in_some_rounds(xs, n):
    p, total = Point(0.0, 0), 0.0
    for k in range(n):
        if not hasattr(p, "kept"):
            p.kept = xs[k]
        total += p.kept
        if total > 7:
            p = Point(total, k)
    return total, p.y


@PROGRAMS(*ON_DATA)
def of_two_classes(xs, n):
    total = 0.0
    for k in range(n):
        o = Point(xs[k], 1.0) if xs[k] > 3 else Running(xs[k])
        total += o.norm() if isinstance(o, Point) else o.start
    return total


@PROGRAMS(*ON_DATA)
def queue_of_two_lists(xs, n):
    q = Point([], [])
    total = 0.0
    for k in range(n):
        q.y.append(xs[k])
    for k in range(n):
        if not q.x:
            q.x = q.y[::-1]
            q.y = []
        total = total * 2 + q.x.pop()
    return total


@PROGRAMS(*ON_DATA)
def found(xs, n):
    def find(xs):
        for k, v in enumerate(xs):
            if v > n:
                return Point(k, v)
        return None

    hit = find(xs)
    return None if hit is None else (hit.x, hit.y)


@PROGRAMS((i(4),), (i(0),))
def of_a_recursion(n):
    def go(n):
        if n <= 0:
            return Point(0.0, 1.0)
        p = go(n - 1)
        return Point(p.x + 1, p.y * 2)

    p = go(n)
    p.x += 1
    return p.x, p.y


@PROGRAMS((i(4),), (i(0),))
def one_object_twice_of_a_recursion(n):
    def go(n):
        if n <= 0:
            q = Point(0.0, 1.0)
            return q, q
        a, b = go(n - 1)
        c = Point(a.x + 1, b.y)
        return c, c

    p, q = go(n)
    return p.x, q.y


@PROGRAMS((i(4),), (i(0),))
def passed_down_a_recursion(n):
    def go(n, p, others):
        if n <= 0:
            return p.x, others[0].y
        return go(n - 1, Point(p.x + n, p.y), [Point(0, n * 2)])

    return go(n, Point(0.0, 1.0), [Point(0, 7)])


@PROGRAMS(*ON_DATA)
def namespaces(xs, n):
    s = SimpleNamespace(total=0.0, count=1)
    for k in range(n):
        s = SimpleNamespace(total=s.total + xs[k], count=s.count * 2)
    s.count += 1
    return s.total, s.count


@PROGRAMS(*ON_DATA)
def bound_methods_of_new_objects(xs, n):
    total = 0.0
    for k in range(n):
        m = Point(xs[k], 1.0).norm if xs[k] > 2 else Slotted(xs[k], 2.0).__add__
        total += m() if xs[k] > 2 else m(Slotted(1.0, k)).y
    return total


@PROGRAMS(*EITHER)
def one_that_holds_itself(x):
    if x > 0:
        p = Point(x, None)
        p.y = p
    else:
        p = Point(-x, None)
        p.y = Point(0.0, p)
    p.y.x = 7.0
    return p.x, p.y is p


@PROGRAMS(*EITHER)
def one_that_a_function_holds(x):
    if x > 0:
        p = Point(x, 1.0)
        get = lambda q=p: q.x
    else:
        p = Point(-x, 1.0)
        get = p.norm
    p.x = p.x + 10
    return p.x, get()


@PROGRAMS(*EITHER)
def one_under_several_names(x):
    p = Point(x, 1.0)
    if x > 0:
        q = Point(x + 1, 2.0)
        listed, d = [q], {"q": q}
    else:
        q, listed, d = p, [p], {"q": Point(0.0, 0.0)}
    q.x = 77.0
    return p.x, listed[0].x, d["q"].x, listed[0] is q, d["q"] is q


@PROGRAMS(*EITHER)
def list_of_an_attribute_and_a_name(x):
    o = Point([x], None)
    items = o.x
    if x > 0:
        o.x = o.y = [1.0]
    items.append(2.0)
    o.x.append(3.0)
    return o.x, o.y, items, o.x is o.y


@PROGRAMS(*ON_NUMBER)
def list_under_two_names_is_read(x, n):
    a = b = [x]
    while x < n:
        a = b = [x]
        x = x + 1
    return a[0] + b[0]


@PROGRAMS(*ON_NUMBER)
def array_under_two_names_is_read(x, n):
    a = best = np.zeros(2)
    while x < n:
        a = a + x
        if x < 4:
            best = a
        x = x + 1
    return a.sum() + best.sum()


class Moving:
    def __init__(self, x):
        self.x = x
        self.trail = []

    def step(self, by):
        self.x = self.x + by
        if self.x[0] > 1:
            self.trail.append(self.x.copy())


@PROGRAMS((X, i(3)), (X - 4, i(5)), (X, i(0)))
def arrays_kept_in_a_list_of_an_object(x, n):
    one = Moving(x)
    while n > 0:
        one.step(0.5)
        n -= 1
    return one.x, one.trail


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_objects_of_each_round_are_what_python_has(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)
