"""Long lists, of comprehensions and of arrays: of the run, where that holds.

Those of comprehensions are made by a loop of the graph.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.things import Thing
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
X = np.float64(0.5)
MANY = 2_000


@PROGRAMS((X, MANY), (X, 3))
def terms(x, n):
    found = [x * i for i in range(n)]
    return sum(found), found[-1], len(found), np.array(found).mean()


@PROGRAMS((X, 40))
def nested(x, n):
    return [[x * i + j for j in range(n)] for i in range(n)]


@PROGRAMS((X, 60))
def two_loops(x, n):
    return np.array([x * i - j for i in range(n) for j in range(n)])


@PROGRAMS((X, MANY))
def unlike_items(x, n):
    """No list of the run holds both arrays and numbers in lists: it is unrolled."""
    return [x * i if i % 400 else [x + i, {"a": x}] for i in range(n)][::400]


@PROGRAMS((X, 700))
def asked_like_a_list(x, n):
    """What follows wants lists whose lengths are known."""
    weights = [x + i for i in range(n)]
    (first, *_), names = weights, {f"w{i}": w for i, w in enumerate(weights)}
    return first, names["w3"], len(names)


@PROGRAMS((np.arange(4.0), MANY))
def arrays(x, n):
    rows = [x * i for i in range(n)]
    rows[0][1] = 7.0
    return np.stack(rows).sum(axis=0), rows[0]


@PROGRAMS((np.arange(MANY) * 0.5,), (np.arange(3.0),))
def numbers_of_an_array(x):
    numbers, total = x.tolist(), 0.0
    for number in numbers:
        total = total * 0.5 + number
    numbers[0] = list(x)[1]
    return total, numbers[:2], len(numbers), np.zeros(len(numbers)).shape


@PROGRAMS((np.arange(120.0),), (np.arange(4.0),))
def objects_of_an_array(x):
    """No list of the run holds objects that change: it is unrolled."""
    things = [Thing(number) for number in x.tolist()]
    things[0].n = 3.0
    return things[0].n, things[1].n, len(things)


@PROGRAMS((np.arange(240.0).reshape(-1, 2),), (np.arange(4.0).reshape(2, 2),))
def rows_of_an_array(x):
    rows = x.tolist()
    for row in rows:
        row[0] += 1
    rows[0].append(5.0)
    return rows[:2], sum(a * b for a, b in rows[1:])


@PROGRAMS((np.arange(120.0),), (np.arange(4.0),))
def beside_words(x):
    return dict(zip("ab", x.tolist(), strict=False))


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_a_long_list_is_what_it_is_in_python(function, arguments):
    check(function, arguments)


def test_a_long_list_is_made_by_a_loop():
    @ag.function
    def draws(n, size):
        return len([np.random.normal(n) for _ in range(size)])

    assert draws(1.0, MANY) == MANY
    (trace,) = draws.concrete_functions
    assert len(trace.graph.nodes) < 20


def test_the_numbers_of_a_long_array_are_a_list_of_the_run():
    @ag.function
    def halved(x):
        total = 0.0
        for number in x.tolist():
            total = total * 0.5 + number
        for number in list(x):
            total -= number
        return total

    x = np.arange(MANY) * 0.5
    assert halved(x) == halved.python_function(x)
    (trace,) = halved.concrete_functions
    assert len(trace.graph.nodes) < 20
