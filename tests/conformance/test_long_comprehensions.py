"""Long comprehensions over constants: made by a loop of the graph, where that holds."""

import numpy as np
import pytest

import autograph as ag
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
