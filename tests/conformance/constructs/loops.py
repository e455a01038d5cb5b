"""for."""

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows

ROWS = Rows("Statements: for")
ROW = [1.0, -2.0, 3.0, 0.5]


class Countdown:
    """A user's iterable."""

    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return CountdownIterator(self.start)


class CountdownIterator:
    """A user's iterator, which stops when its data say so."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n = self.n - 1
        return self.n


@ROWS("for over an array", (ROW,), ([],))
def for_over_array(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += v
    return total


@ROWS("for over the rows of an array", [[1.0, 2.0], [3.0, -4.0]])
def for_over_rows(x):
    total = np.zeros(2)
    for row in x:
        if np.sum(row) > 0:
            total = total + row
    return total


@ROWS("for, else", (ROW,), ([1.0, 2.0],))
def for_else(x):
    for v in x:
        if v < 0:
            found = v
            break
    else:
        found = np.float64(0.0)
    return found


@ROWS("for over range of data", 4, 0)
def for_range(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


@ROWS("range with start, stop and step of data", (1, 9, 3), (9, 1, -2), (3, 3, 1))
def for_range_step(a, b, c):
    total, last = 0, -1
    for i in range(a, b, c):
        total, last = total * 2 + i, i
    return total, last


@ROWS("range with a step of 0 (an error)", (1, 9, 0))
def for_range_zero(a, b, c):
    for i in range(a, b, c):
        return i
    return a


@ROWS("enumerate", (ROW,), ([],))
def for_enumerate(x):
    total = 0.0
    for i, v in enumerate(x, 1):
        if v > 0:
            total += i * v
    return total


@ROWS("zip", (ROW, [1.0, 2.0, 3.0, 4.0]), (ROW, [1.0, 2.0]))
def for_zip(x, y):
    total = 0.0
    for a, b in zip(x, y):
        if a < b:
            total += a * b
    return total


@ROWS("zip with strict (an error)", (ROW, [1.0, 2.0]), ([1.0], [2.0]))
def for_zip_strict(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total


@ROWS("reversed", (ROW,), ([],))
def for_reversed(x):
    total = 0.0
    for v in reversed(x):
        total = total * 2 + v
    return total


@ROWS("map", (ROW,), ([],))
def for_map(x):
    total = 0.0
    for v in map(lambda v: v * v if v > 0 else v, x):
        total += v
    return total


@ROWS("filter", (ROW,), ([-1.0],))
def for_filter(x):
    total, count = 0.0, 0
    for v in filter(lambda v: v > 0, x):
        total += v
        count += 1
    return total, count


@ROWS("keys, values and items of a dict", Plain({"a": np.float64(1), "b": 2.0}))
def for_dict(d):
    total = 0.0
    for key in d:
        if d[key] > 1:
            total += d[key]
    for value in d.values():
        total += value
    for key, value in d.items():
        if value > 1:
            d[key] = value * 2
    return total, d


@ROWS("a list of arrays", (Plain([np.arange(2.0), np.arange(3.0)]),))
def for_list(xs):
    total = 0.0
    for x in xs:
        if np.sum(x) > 1:
            total += np.sum(x)
    return total


@ROWS("a list whose length depends on data", (ROW,), ([],))
def for_grown_list(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    total = 0.0
    for v in found:
        total = total * 2 + v
    return total


@ROWS("a user's iterator", 3, 0)
def for_iterator(n):
    total = 0
    for i in Countdown(n):
        total = total * 10 + i
    return total


@ROWS("for inside for, over data", (3, ROW), (0, ROW))
def for_inside_for(n, x):
    total = 0.0
    for i in range(n):
        for v in x:
            if v > i:
                total += v
    return total


@ROWS("the target is a subscript or an attribute", (ROW, [0.0, 0.0]))
def for_target(x, out):
    for out[0] in x:
        if out[0] > 0:
            out[1] += out[0]
    return out


@ROWS("the target is unpacked", ([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]],))
def for_unpacked(x):
    total = 0.0
    for i, (a, *rest) in enumerate(x):
        if a > i:
            total += a + sum(rest)
    return total


@ROWS("the loop variable after the loop", (ROW,), ([1.0],))
def for_variable_after(x):
    for i, v in enumerate(x):
        if v < 0:
            break
    return i, v


@ROWS("the loop variable after a loop without steps (an error)", ([1.0],), ([],))
def for_variable_unbound(x):
    for v in x:
        pass
    return v


@ROWS("a constant range with data inside", (ROW,), ([-1.0, -1.0, 1.0, 1.0],))
def for_constant(x):
    for i in range(4):
        if x[i] < 0:
            x[i] = 0
            continue
        x[i] += i
    return x
