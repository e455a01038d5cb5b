"""What libraries draw, of NumPy's source or one of their own, is drawn by each call."""

import numpy as np
import pytest
from scipy import stats

import autograph as ag

X = np.array([1.0, 2.0, 3.0])
HELD = None  # what a program finds outside: given by each test


def drawn_twice(x, source):
    first = stats.norm.rvs(size=2, random_state=source)
    total = 0.0
    for v in x:
        if v > 1:
            total = total + stats.norm.rvs(loc=v, random_state=source)
    return first, total


@pytest.mark.parametrize("source", [None, 5])
def test_random_numbers_of_a_library_come_as_in_python(source):
    found = []
    for function in (drawn_twice, ag.function(drawn_twice)):
        np.random.seed(0)
        given = None if source is None else np.random.default_rng(source)
        found.append([repr(function(X, given)) for _ in range(3)])
    assert found[0] == found[1]


def thrown_away(x):
    stats.uniform.rvs()
    for _ in [1, 2]:
        last = stats.norm.rvs(loc=x)
    return last + stats.uniform.rvs()


def test_draws_of_distributions_that_nobody_uses_are_made():
    found = []
    staged = ag.function(thrown_away)
    for function in (thrown_away, staged):
        np.random.seed(0)
        found.append([repr(function(X)) for _ in range(2)])
        found[-1].append(np.random.random())
    assert found[0] == found[1]
    assert staged.traces()


def drawn_of_its_own(x):
    HELD.rvs()
    return x + HELD.rvs(), stats.norm.rvs()


def drawn_as_many(x):
    HELD.rvs(size=int(x[1]))
    return x + HELD.rvs(size=int(x[2]))


@pytest.mark.parametrize("draw", [drawn_of_its_own, drawn_as_many])
@pytest.mark.parametrize("source", [np.random.RandomState, np.random.default_rng])
@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_distribution_with_a_source_of_its_own_draws_at_each_call(draw, source):
    found = []
    for function in (draw, ag.function(draw)):
        np.random.seed(0)
        held = function.__globals__["HELD"] = stats.norm()
        held.random_state = source(3)
        found.append([repr(function(X)) for _ in range(3)])
    assert found[0] == found[1]
