"""Places that may hold ever more things: the call is Python's, soon."""

from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tracer import only_python


def queued(xs):
    q, out = deque(maxlen=50), 0
    for v in xs:
        if v > 30 and q:
            out += q.popleft()
        elif v < -30:
            q.appendleft(v)
        else:
            q.append(v)
    return out, list(q)


class Tree:
    def __init__(self, value):
        self.value = value
        self.left = self.right = None

    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Tree(value)
            else:
                self.left.insert(value)
        elif self.right is None:
            self.right = Tree(value)
        else:
            self.right.insert(value)

    def walk(self):
        if self.left:
            yield from self.left.walk()
        yield self.value
        if self.right:
            yield from self.right.walk()


def grown_by_methods(x):
    root = Tree(x[0])
    for v in x[1:]:
        root.insert(v)
    return list(root.walk())


def inserted(root, value):
    if root is None:
        return Tree(value)
    if value < root.value:
        root.left = inserted(root.left, value)
    else:
        root.right = inserted(root.right, value)
    return root


def walked(root):
    return [] if root is None else [*walked(root.left), root.value, *walked(root.right)]


def grown_by_functions(x):
    root = None
    for v in x:
        root = inserted(root, v)
    return walked(root)


VALUES = np.array([5.0, -40.0, 31.0, 2.0])

# The last: so many that a recursion has been refused as a graph before they are.
GIVEN_UP = [(queued, 12), (grown_by_methods, 12), (grown_by_functions, 250)]


@pytest.mark.parametrize(("function", "most"), GIVEN_UP)
def test_what_may_hold_very_many_things_is_pythons(monkeypatch, function, most):
    monkeypatch.setattr(only_python, "MOST_CHOSEN", most)
    monkeypatch.setattr(only_python, "MOST_CHOSEN_AGAIN", most // 2)
    staged = ag.function(function)
    for _ in range(2):
        wrong = disagreement(observe(function, (VALUES,)), observe(staged, (VALUES,)))
        assert wrong is None
    assert not staged.concrete_functions
