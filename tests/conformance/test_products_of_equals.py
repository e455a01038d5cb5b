"""Products of two arrays that are equal, and of one by itself, have NumPy's bits."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

X = np.asfortranarray(np.random.default_rng(0).normal(size=(300, 3)))


def of_equals(x):
    return (x - x.mean(axis=0)).T.dot(x - x.mean(axis=0))


def of_one(x):
    centred = x - x.mean(axis=0)
    return centred.T @ centred


def after_another(x):
    return np.abs(x - 0.5).sum(), (x - 0.5).T @ (x - 0.5)


@pytest.mark.parametrize("program", [of_equals, of_one, after_another])
def test_bits_are_numpys(program):
    assert_same_as_python(program, X)


@pytest.mark.parametrize(
    ("program", "count"), [(of_equals, 2), (of_one, 1), (after_another, 2)]
)
def test_equals_that_are_multiplied_stay_apart(program, count):
    graph = ag.function(program).get_concrete_function(X).graph
    assert sum(node.op.name == "subtract" for node in graph.nodes) == count
    assert sum(node.op.name == "mean" for node in graph.nodes) <= 1
