"""Python's builtin functions."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Builtin functions")
ROW = [1.0, -2.0, 3.0]


@ROWS("min, max", (ROW, 2.0), ([1.0], -7.0))
def min_max(x, y):
    return min(x), max(x), min(y, 1.0), max(x[0], y, 0.5)


@ROWS("min, max with key and default", (ROW,), ([],))
def min_max_key(x):
    return max(x, key=lambda v: v * v, default=0.0), min(x, default=None)


@ROWS("min of nothing (an error)", (ROW,), ([],))
def min_of_nothing(x):
    return min([v for v in x if v < 0])


@ROWS("sum", (ROW, 2.0), ([], 1.0))
def sums(x, y):
    return sum(x), sum(x, y), sum([y, 1.0])


@ROWS("any, all", (ROW,), ([],), ([0.0],))
def any_all(x):
    return any(x), all(x), any(v > 2 for v in x), all([v < 2 for v in x])


@ROWS("abs", 1.5, -1.5, -3)
def absolutes(x):
    return abs(x), abs(x - 5)


@ROWS("round", 2.567, -1.5)
def rounds(x):
    return round(x), round(x, 1), round(float(x), 2)


@ROWS("pow", (3, 4, 5), (2, 10, 7))
def powers(a, b, c):
    return pow(a, b), pow(float(a), b), pow(int(a), int(b), int(c))


@ROWS("divmod", (7, 2), (-7, 2))
def divmods(a, b):
    return divmod(a, b), divmod(float(a), 0.5)


@ROWS("len", (ROW,), ([-1.0],))
def lengths(x):
    return len(x), len([v for v in x if v > 0]), len(x[x > 0])


@ROWS("int, float, bool, complex", 2.7, -0.0)
def casts(x):
    return int(x), float(x), bool(x), complex(x, 1)


@ROWS("int, float of text that a run makes", 2.0, -1.0)
def casts_of_text(x):
    return float(f"{x}"), int(f"{x:.0f}")


@ROWS("int of nan (an error)", 1.0, float("nan"))
def int_of_nan(x):
    return int(x)


@ROWS("sorted", (ROW,), ([2.0, 1.0],))
def sorts(x):
    return sorted(x), sorted(x, reverse=True), sorted(x, key=lambda v: -v * v)


@ROWS("list.sort, with key", (ROW,), ([2.0, 1.0],))
def sorts_in_place(x):
    items = [v for v in x if v > -5]
    items.sort(key=abs, reverse=True)
    return items


@ROWS("reversed", (ROW,), ([1.0],))
def reverses(x):
    return list(reversed(x)), list(reversed([v for v in x if v > 0]))


@ROWS("isinstance", 1.0, 2)
def instances(x):
    y = x if x > 1 else None
    return isinstance(x, float), isinstance(x, np.integer), isinstance(y, type(None))


@ROWS("type", 1.0, -1.0)
def types(x):
    y = x if x > 0 else "word"
    return type(y).__name__, type(x), type(y) is str


@ROWS("list, tuple, set, dict", [1, 2, 2], [3])
def containers(x):
    return list(x), tuple(x), set(x), dict(enumerate(x))


@ROWS("enumerate, zip, map, filter as lists", (ROW,), ([],))
def iterators(x):
    return (
        list(enumerate(x)),
        list(zip(x, x * 2)),
        list(map(lambda v: v if v > 0 else 0.0, x)),
        list(filter(lambda v: v > 0, x)),
    )


@ROWS("next, iter", (ROW, 1.0), (ROW, -1.0))
def nexts(x, y):
    it = iter([x[0], y, 3.0])
    first = next(it)
    if y > 0:
        first += 1
    return first, next(it)


@ROWS("callable, id, hash of constants", 1.0, -1.0)
def asks(x):
    f = abs if x > 0 else None
    return callable(f), hash("a") == hash("a"), id(f) == id(f)


@ROWS("bin, hex, chr, ord", 10, 65)
def codes(n):
    return bin(n), hex(n), chr(n), ord("a") + n


@ROWS("eval, exec, locals, globals of constants", 1.0, -1.0)
def evaluates(x):
    if x > 0:
        x = eval("2 + 3") * x
    return x, "np" in globals(), "x" in locals()


@ROWS("slice", (ROW, 1), (ROW, 2))
def slices(x, n):
    part = slice(n, None)
    return x[part]
