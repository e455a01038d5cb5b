"""Operators, conditions, subscripts, text."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Expressions")
ROW = [1.0, -2.0, 3.0]


@ROWS("and, or with values (`x or default`)", (0, 5), (3, 0))
def and_or_values(n, m):
    return n or m, n and m, n or "none", m and [n]


@ROWS("and, or stop early", (ROW, 1), (ROW, 9))
def short_circuits(x, i):
    if i < 3 and x[i] < 0:
        return "negative"
    if i >= 3 or x[i] > 5:
        return "other"
    return "none"


@ROWS("not", 0, 3)
def nots(n):
    return not n, not n > 2


@ROWS("chained comparisons", (1, 2, 3), (3, 2, 1), (1, 1, 1))
def chains(a, b, c):
    return a < b < c, a == b == c, a < b > c != a


@ROWS("a chained comparison stops early", (1, ROW, 5), (0, ROW, 1))
def chain_stops(a, x, i):
    return 0 < a < 1 < x[i] if a < 1 else a


@ROWS("is and is not", 1.0, -1.0)
def identities(x):
    y = x if x > 0 else None
    z = y
    return y is None, y is not None, z is y


@ROWS("in: a number in an array, a list, a tuple, a set", 2, 7)
def memberships(n):
    x = np.array([1, 2, 3])
    return n in x, n in [1, 2], n not in (1, n + 1), n in {1, 2}


@ROWS("in: a list whose length depends on data", ([1, -2, 3], 3), ([1], 3))
def membership_in_grown(x, n):
    found = [v for v in x if v > 0]
    return n in found


@ROWS("in: keys of a dict, words in text", 1.0, -1.0)
def membership_of_keys(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    return "a" in d, "b" in d, "z" in "xyz"


@ROWS("ternaries", 1.0, -1.0)
def ternaries(x):
    return x * 2 if x > 0 else -x, ("one" if x > 0 else None)


@ROWS("a ternary does not run the other side", (ROW, 1), (ROW, 9))
def ternary_lazy(x, i):
    return x[i] if i < 3 else x[0]


@ROWS("f-strings in print", 1.0, -1.0)
def f_strings(x):
    if x > 0:
        print(f"{x} {x:.3f} {x!r} {x:>8}|")
    else:
        print("{} {:+.1e} {!r}".format(x, x, x), "%.2f %s" % (x, x))  # noqa: UP031, UP032
    return x


@ROWS("f-strings in raise and assert", 1.0, -1.0)
def f_strings_raised(x):
    assert x < 5, f"{x:.1f} too big"
    if x < 0:
        raise ValueError(f"{x!r} is below {0:d}")
    return x


@ROWS("f-strings as results", 1.0, -1.0)
def f_strings_returned(x):
    return f"{x:.2f}" if x > 0 else f"negative {x}", str(x), repr(x)


@ROWS("print with sep, end, several things", (ROW, 1.0), (ROW, -1.0))
def prints(x, y):
    if y > 0:
        print(x, y, [y], sep=", ", end=".\n")
    print("end", (y, None, "word"))


@ROWS("arithmetic", (7, 2.5), (-7, 0.5))
def arithmetic(n, x):
    return n + x, n - x, n * x, n / x, n // x, n % x, n**2, -n, +x, ~n


@ROWS("bits and shifts", (12, 3), (-5, 1))
def bits(n, m):
    return n & m, n | m, n ^ m, n << m, n >> m


@ROWS("matrix product", ([[1.0, 2.0], [3.0, 4.0]], [1.0, -1.0]))
def matmul(x, y):
    z = x @ y
    return z if z[0] > 0 else y @ x @ y


@ROWS("comparison of arrays", (ROW, 0.0))
def comparisons(x, y):
    return x > y, x == y, x != x, (x < y).any()


@ROWS("subscripts and slices of data", (ROW, 1, 2), (ROW, -1, 3))
def slices(x, i, j):
    return x[i], x[i:j], x[::-1], x[-i:], x[None, i]


@ROWS("masks and arrays of indices", (ROW, [2, 0]))
def masks(x, i):
    return x[x > 0], x[i], np.where(x > 0, x, 0)


@ROWS("stars in displays and calls", (ROW, 1.0), (ROW, -1.0))
def stars(x, y):
    items = [*x, y] if y > 0 else [y, *x]
    return [*items, *(1, 2)], {**{"a": y}, "b": max(*items)}


@ROWS("evaluation order", 1.0, -1.0)
def order(x):
    def told(name, v):
        print(name, v)
        return v

    d = {told("k", "a"): told("v", x)}
    d[told("key", "b")] = told("first", x) + told("second", 1) * told("third", x)
    return d if told("test", x) > 0 else told("else", None)
