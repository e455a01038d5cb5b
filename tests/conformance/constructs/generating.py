"""Comprehensions and generators."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Comprehensions and generators")
ROW = [1.0, -2.0, 3.0, 3.0]


def positives(x):
    for v in x:
        if v > 0:
            yield v


def flattened(rows):
    for row in rows:
        yield from positives(row)


@ROWS("list", (ROW,), ([],))
def list_comprehension(x):
    return [v * 2 if v > 0 else v for v in x]


@ROWS("list, with a condition", (ROW,), ([-1.0],))
def list_with_condition(x):
    return [v * 2 for v in x if v > 0]


@ROWS("list, of two loops", (3, ROW), (0, ROW))
def list_of_two(n, x):
    return [v * i for i in range(n) for v in x if v > i]


@ROWS("list of lists", (3, ROW), (0, ROW))
def list_of_lists(n, x):
    return [[v + i for v in x] for i in range(n)]


@ROWS("set", [1, 2, 2, 3], [5])
def set_comprehension(x):
    return {v % 2 for v in x}


@ROWS("set, with a condition", [1, 2, 2, 3], [5])
def set_with_condition(x):
    return {v for v in x if v > 1}


@ROWS("dict", (ROW,), ([1.0],))
def dict_comprehension(x):
    return {k: v * 2 if v > 0 else v for k, v in zip("abcd", x)}


@ROWS("dict, with a condition", (ROW,), ([1.0],))
def dict_with_condition(x):
    return {i: v for i, v in enumerate(x) if v > 0}


@ROWS("generator expression, summed", (ROW,), ([],))
def generator_summed(x):
    return sum(v * v for v in x if v > 0)


@ROWS("generator expression in any, all, min, max", (ROW,), ([1.0],))
def generator_reduced(x):
    return (
        any(v < 0 for v in x),
        all(v > -5 for v in x),
        max(v for v in x if v > 0),
        min((v * v for v in x), default=0.0),
    )


@ROWS("generator expression in a for", (ROW,), ([],))
def generator_in_for(x):
    total = 0.0
    for v in (v + 1 for v in x if v != 3):
        total = total * 2 + v
    return total


@ROWS("a name of the comprehension stays its own", (ROW,), ([1.0],))
def comprehension_scope(x):
    v = x[0]
    found = [v for v in x if v > 0]
    return v, len(found)


@ROWS("walrus in a comprehension", (ROW,), ([1.0],))
def comprehension_walrus(x):
    found = [y for v in x if (y := v * 2) > 0]
    return found, y


@ROWS("a generator function in a for", (ROW,), ([],))
def generator_function(x):
    total = 0.0
    for v in positives(x):
        total = total * 2 + v
    return total


@ROWS("list and sum of a generator function", (ROW,), ([],))
def generator_listed(x):
    return list(positives(x)), sum(positives(x))


@ROWS("yield from", [[1.0, -2.0], [3.0, 4.0]])
def yields_from(x):
    return [v for v in flattened(x)]


@ROWS("next of a generator", 1.0, -1.0)
def generator_next(x):
    def two():
        yield x * 2 if x > 0 else x
        yield x + 1

    values = two()
    return next(values), next(values), next(values, None)


@ROWS("next of what depends on data (refused)", (ROW,), ([-1.0, 1.0],))
def next_of_some(x):
    return next(v for v in x if v > 0)


@ROWS("a comprehension inside a loop and an if", (ROW,), ([],))
def comprehension_in_loop(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += sum([w * v for w in x if w < v])
    return total


@ROWS("a generator as the result (refused)", (ROW,))
def generator_returned(x):
    return (v for v in x)


@ROWS("arrays of a comprehension", (ROW,), ([1.0],))
def comprehension_to_array(x):
    return np.array([v if v > 0 else -v for v in x])
