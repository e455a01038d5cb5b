"""Comprehensions that keep some items, so that how many depends on data."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.test_programs import comparable, outcome

ROW = np.array([1.0, -2.0, 4.0, 3.0])
OTHER = np.array([-1.0, 2.0, 1.0, -3.0])


def some_items(x):
    return [v * 2 for v in x if v > 0], np.array([v for v in x if v > 0])


def some_of_some(x):
    return [u * v for u in x if u > 0 for v in x if v > u]


def rows_of_some(x):
    return [[u for u in x if u > v] for v in x]


def some_pairs(x):
    return [(i, v) for i, v in enumerate(x) if v > 0]


def used_at_once(x):
    some = [v for v in x if v > 0]
    total = 0.0
    for i, v in enumerate([w for w in some if w < 4]):
        total += i * v
    return len(some), sum(some), max(some), some[0], some[-1], total


def some_by_a_filter(x):
    return list(filter(lambda v: v > 0, x)), sorted(v for v in x if v > 0)


def some_of_a_known_range(x):
    return [i for i in range(300) if x[i % 4] > 0][:3], [i for i in range(int(x[2]))]


def some_in_a_branch(x):
    if x[0] > 0:
        made = [v for v in x if v > 0]
    else:
        made = [v for v in x if v < 0]
    made.append(x[0])
    return made


def some_with_a_walrus(x):
    return [last := v for v in x if v > 0], last


def spread(x):
    return [*(v for v in x if v > 0)], [*x], [*{1: 2}], [*filter(lambda v: v < 3, x)]


PROGRAMS = [
    spread,
    some_items,
    some_of_some,
    rows_of_some,
    some_pairs,
    used_at_once,
    some_by_a_filter,
    some_of_a_known_range,
    some_in_a_branch,
    some_with_a_walrus,
]


@pytest.mark.parametrize("row", [ROW, OTHER], ids=["row", "other"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_a_comprehension_keeps_in_a_graph_what_it_keeps_in_python(function, row):
    wanted = comparable(outcome(function, (row,)))
    staged = ag.function(function)
    for _ in range(2):  # traced, and from the cache
        assert comparable(outcome(staged, (row,))) == wanted
