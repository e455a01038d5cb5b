"""Stars over what depends on data: displays, calls and targets, as Python does them."""

from __future__ import annotations

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs, check

i = np.int64
FEW = [
    (np.array(given),) for given in ([1.0, -2.0, 3.0], [-1.0], [1.0, -4.0, 5.0, 6.0])
]
PROGRAMS, DICTS = Programs(), Programs()
stars, dicts = PROGRAMS(*FEW), DICTS(*FEW)


def positive(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    return found


# Displays.


@stars
def displays(x):
    found = positive(x)
    print((*found,), [*found, 7.0], (0.0, *found, *found))
    return (*found,), [*found], [0.0, *found, *found], (*found, *found, 1.0)


@stars
def displays_of_arrays(x):
    some = x[x > 0]
    return [*some, 1.0], (*some,), [*x[: len(some)]], [*range(len(some))]


@stars
def displays_of_generators(x):
    return (*(v for v in x if v > 0),), [*(v * 2 for v in x if v > 0), 1.0]


@stars
def displays_of_one_of_several(x):
    t = (1.0, 2.0, x[0]) if x[0] > 0 else (x[0],)
    word = "abc" if x[0] > 0 else "z"
    return (*t,), [*t, 0.0], (*t, *t), [*word], (*word, "q")


@stars
def display_of_what_is_no_iterable(x):
    return [*x[0]]


@dicts
def dicts_in_dicts(x):
    d = {"a": x[0]}
    if x[0] > 0:
        d["b"] = 2.0
    return {**d, "c": 1.0}, {"a": 0, **d}, {**d, **{"a": 0}}, [*d], (*d.values(),)


@dicts
def one_of_two_dicts(x):
    d = {"a": x[0], "z": 1.0} if x[0] > 0 else {"b": x[0]}
    key = "k" if x[0] > 2 else "a"
    return {**d, "c": 1.0}, dict(**d), {key: 1, "a": 2}


# Tuples whose length depends on data.


@stars
def tuples(x):
    t = tuple(positive(x))
    print(t, f"{t}", repr(t), type(t), isinstance(t, tuple))
    print(sorted(t), list(reversed(t)), max(t, default=None), sum(t), all(t))
    print(list(enumerate(t)), list(zip(t, t)), [v + 1 for v in t])
    print(t == tuple(t), t < (9.0,), t != (), not t, 1.0 in t, t + t == t * 2)
    return len(t), t[1:], t[::-1], t[-1:], t + (1.0,), t * len(t), t.count(1.0)


@stars
def item_of_a_tuple(x):
    t = tuple(positive(x))
    return t[1], t.index(3.0)


@stars
def items_that_are_not_there(x):
    return tuple(positive(x)).index(9.0)


@stars
def store_into_a_tuple(x):
    t = tuple(positive(x))
    t[0] = 1.0
    return t


@stars
def tuple_that_grows(x):
    t, pairs = (), ()
    for at, v in enumerate(x):
        if v > 0:
            t += (v,)
            pairs = (*pairs, (at, v))
    return t, pairs


@PROGRAMS((1.0, i(12)), (2.0, i(0)), (2.0, i(1)))
def tuple_that_grows_in_a_loop(x, n):
    t, total = (x,), 0.0
    for at in range(n):
        t = (*t, at * 1.0)
    for v in t:
        total = total * 2 + v
    return t, total


@stars
def tuple_taken_apart(x):
    t, total = tuple(positive(x)), 0.0
    while t:
        head, *rest = t
        t = tuple(rest)
        total = total * 2 + head
    return total, t


@stars
def tuple_or_none(x):
    t = tuple(positive(x))
    u = t if len(t) > 1 else None
    w = t if len(t) > 1 else (1.0,)
    return u, w


@stars
def matched(x):
    match tuple(positive(x)):
        case ():
            return 0
        case (a,):
            return a
        case (a, b):
            return a + b
        case (a, *others):
            return a, others


@PROGRAMS((1.0, i(2)), (2.0, i(0)))
def repeated(x, n):
    t = [x]
    t *= n
    return [x, 1] * n, (0,) * n, [] * n, n * [0.0], t


@PROGRAMS((1.0, 2.0))
def repeated_by_a_float(x, n):
    return [0] * (n * 2)


# Targets.


@stars
def targets_of_lists(x):
    a, *b = positive(x)
    *c, d = [0.0, *positive(x)]
    return a, b, c, d


@stars
def targets_of_arrays(x):
    a, *b = x[x > 0]
    return a, b


@stars
def two_targets(x):
    a, b = x[x > 0]
    return a, b


@stars
def targets_of_generators(x):
    a, *b = (v for v in x if v > 0)
    c, d = (v for v in x if v > 0)
    return a, b, c, d


@stars
def targets_of_one_of_several(x):
    t = (2.0, x[0], 4.0) if x[0] > 0 else (x[0],)
    a, *b = t
    word = "abc" if x[0] > 0 else "z"
    c, *d = word
    return a, b, c, d


@stars
def targets_of_nothing(x):
    t = (1, 2) if x[0] > 0 else None
    a, b = t
    return a, b


@stars
def targets_of_loops(x):
    for a, *b in [(1, 2, 3), (x[0],), (1.0, *positive(x))]:
        print(a, b)
    return [sum(b) for a, *b in [(1, 2, 3), (x[0], 4)]]


# Comparisons.


@stars
def lists_compared_with_displays(x):
    found = positive(x)
    return found > [], found < [1.0, 9.0], [] < found, tuple(found) > (), [] == found


@stars
def one_of_several_lists_compared(x):
    other = []
    for v in x:
        other = [*other, v] if v > 0 else other[1:]
    return other == other[:], other != [1.0]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_stars_do_in_a_graph_what_they_do_in_python(function, arguments):
    check(function, arguments)


@pytest.mark.parametrize(("function", "arguments"), DICTS)
def test_dicts_are_spread_as_in_python(function, arguments):
    for given in (*arguments, *arguments):
        assert_same_as_python(function, *given)
