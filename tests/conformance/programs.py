"""Small programs of many kinds, each with arguments, as users write them.

They are run plain and as graphs; see test_programs.py. None was written around a limit.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

i8, f4, f8 = np.int64, np.float32, np.float64


def secant(target, a, b):
    def g(x):
        return x**3 - 2 * x - target

    for it in range(50):
        fa, fb = g(a), g(b)
        if abs(fb - fa) < 1e-14:
            return b, it
        a, b = b, b - fb * (b - a) / (fb - fa)
        if abs(b - a) < 1e-12:
            break
    else:
        raise RuntimeError("no convergence")
    return b, it


def brackets(codes):
    depth = best = i = 0
    errors = [0, 0]
    while i < len(codes):
        c = codes[i]
        i += 1
        if c == 40:
            depth += 1
        elif c == 41:
            depth -= 1
            if depth < 0:
                errors[0] += 1
                depth = 0
                continue
        else:
            errors[1] += 1
        best = max(best, depth)
    return best, depth, errors


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x = self.x + self.v * dt
        if self.x > 1.0:
            self.x = 2.0 - self.x
            self.v = -self.v


def bounce(x, v, n):
    particle = Particle(x, v)
    for _ in range(n):
        particle.step(0.1)
    return particle.x, particle.v


def histogram(data, bins):
    counts = np.zeros(bins, dtype=np.int64)
    for value in data:
        k = int(value * bins)
        if 0 <= k < bins:
            counts[k] += 1
    return counts


def quarter_circle(n, seed):
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(n):
        x, y = rng.random(2)
        if x * x + y * y < 1:
            hits += 1
    return 4 * hits / n


def totals(table):
    table["a"] += 1
    for name in table:
        table[name] = table[name] * 2
    return sum(table.values())


def listed(x):
    values = [x, x + 1]
    values.append(x * 2)
    if x > 0:
        values[0] = values[0] * 5
    total = 0
    for value in values:
        total += value
    return values, total, len(values)


def mathematics(x):
    y = math.sqrt(x) if x > 0 else math.sin(-x)
    whole = math.floor(y), round(y, 2), int(x), float(x)
    return whole, abs(x), divmod(x, 2), isinstance(x, float), max(1.0, y)


def comprehensions(a):
    return [v * 2 for v in a], {k: v for k, v in enumerate(a)}, sum(v for v in a)


def formatted(x, mode):
    word = "yes" if mode == "a" else "no"
    print(f"{word}: {x:.3f} {x}", x, [x], {"k": x}, sep="|")
    return word


def guarded(x):
    try:
        y = int("zz")
    except ValueError:
        y = 3
    finally:
        x = x + 1
    with np.errstate(divide="ignore"):
        z = x / 0
    return x + y, z


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def outer_total(x):
    total = 0

    def add(v):
        nonlocal total
        total += v

    for v in x:
        if v > 0:
            add(v)
    return total


def matched(n):
    out = np.zeros(n, int)
    for i in range(n):
        match i % 15:
            case 0:
                out[i] = 15
            case 3 | 6 | 9 | 12:
                out[i] = 3
            case _:
                out[i] = 1
    return out


def bubble_sort(a):
    n = len(a)
    swapped = True
    while swapped:
        swapped = False
        for i in range(n - 1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        n -= 1
    return a


def matrix_power(m, n):
    result = np.eye(m.shape[0])
    while n > 0:
        if n & 1:
            result = result @ m
        m = m @ m
        n >>= 1
    return result


def rows(x):
    s = 0.0
    while x > 0:
        row = []
        row.append(x)
        row.append(2)
        table = {}
        table["k"] = row[0] * row[1]
        s += sum(row) + table["k"]
        x -= 1
    return s


def first_larger(a):
    for i, (u, v) in enumerate(zip(a, a[::-1], strict=True)):
        if u > v:
            return i, u
    return None


def backwards(a, n):
    out = []
    for v in reversed(a):
        out.append(v)
    t = 0
    for i in reversed(range(n)):
        t = t * 2 + i
    return out, t


def late_binding(x):
    functions = []
    for i in range(3):
        functions.append(lambda: i * x)
    return [f() for f in functions]


def one_path(x):
    if x > 0:
        y = x + 1
    return y


def set_in_loop(n):
    i = 0
    while i < n:
        if i > 0:
            z = y + 1  # noqa: F821 - unbound at first, which is what is tested
        y = i
        i += 1
    return z, y, i


def walrus(a):
    total = 0
    i = 0
    while (v := a[i]) != 0:
        total += v
        i += 1
    return total, i, v


def chained(x, y):
    return (x > 0 and y > 0) or not x, x if x > y else y, 0 < x < y < 10


def printed(x):
    while x > 0:
        print("x", x)
        x -= 1
    assert x == 0, "bad"
    if x == 5:
        raise ValueError("no")
    return x


def aliases(a, n):
    b = a
    view = a[1:]
    i = 0
    while i < n:
        a[i] += 10
        view[0] -= 1
        i += 1
    return b, view


def swapped(n):
    a, b = np.zeros(4), np.ones(4)
    while n > 0:
        a[1:] = b[:-1] + a[:-1]
        a, b = b, a
        n -= 1
    return a, b


def growing(n):
    x = np.zeros(1)
    while n > 0:
        x = np.concatenate([x, x[:1] + n])
        n -= 1
    return x, x.sum()


class State(NamedTuple):
    position: float
    velocity: float


def stepped(state, n):
    while n > 0:
        if state.position > 1:
            state = State(state.position, -state.velocity)
        state = State(state.position + state.velocity, state.velocity)
        n -= 1
    return state


@functools.lru_cache
def squared(x):
    return x * x


def partials(x):
    half = functools.partial(np.multiply, 0.5)
    return half(x) + squared(3)


def nested_exits(a, limit):
    for i in range(len(a)):
        for j in range(i):
            if a[j] > limit:
                return i, j
            if a[j] == 0:
                break
            if a[i] < 0:
                continue
            a[j] += 1
        else:
            limit -= 1
            continue
        limit += 1
    return limit, a


def with_exit(x):
    with np.errstate(all="ignore"):
        if x > 1:
            return x / 0
        try:
            if x < -1:
                return -x
        finally:
            x = x + 100
    return x


PROGRAMS = [
    (secant, (f8(5.0), f8(1.0), f8(3.0))),
    (brackets, (np.frombuffer(b"(()(x)))(", dtype=np.uint8).copy(),)),
    (brackets, (np.array([41, 41], dtype=np.uint8),)),
    (bounce, (f8(0.0), f8(3.3), i8(30))),
    (bounce, (f8(0.0), f8(3.3), 5)),
    (histogram, (np.random.default_rng(0).random(50), 10)),
    (quarter_circle, (i8(200), 3)),
    (quarter_circle, (200, 3)),
    (totals, ({"a": f8(1), "b": np.ones(2)},)),
    (listed, (f8(1),)),
    (mathematics, (f8(2.5),)),
    (comprehensions, (np.arange(3.0),)),
    (formatted, (f8(1.23456), "a")),
    (guarded, (f8(1.0),)),
    (factorial, (5,)),
    (outer_total, (np.array([1.0, -2, 3]),)),
    (matched, (20,)),
    (bubble_sort, (np.array([3, 1, 2, 5, 4, 0]),)),
    (matrix_power, (np.array([[1.0, 1], [1, 0]]), i8(10))),
    (rows, (f8(3),)),
    (first_larger, (np.arange(5.0),)),
    (first_larger, (np.zeros(3),)),
    (backwards, (np.arange(3.0), i8(4))),
    (late_binding, (f8(2.0),)),
    (one_path, (f8(1),)),
    (one_path, (f8(-1),)),
    (set_in_loop, (i8(5),)),
    (set_in_loop, (i8(1),)),
    (set_in_loop, (i8(0),)),
    (walrus, (np.array([3, 4, 0, 5]),)),
    (chained, (i8(1), i8(3))),
    (printed, (i8(2),)),
    (printed, (f8(0.5),)),
    (aliases, (np.arange(4.0), i8(3))),
    (swapped, (i8(3),)),
    (growing, (i8(4),)),
    (stepped, (State(f8(0), f8(0.4)), i8(6))),
    (partials, (np.arange(3, dtype=f4),)),
    (nested_exits, (np.array([1, 2, 0, -1, 5]), i8(3))),
    (nested_exits, (np.array([1, 2, 0, -1, 5]), i8(9))),
    (with_exit, (f8(2),)),
    (with_exit, (f8(-2),)),
    (with_exit, (f8(0),)),
]
