"""What a library's code may change: looked at before it is called, and only then."""

import array

import pytest

from tracer import opaque


class Node:
    def __init__(self):
        self.others = []


class Equal(Node):
    def __eq__(self, other):
        self.others.append(other)
        return self is other

    __hash__ = Node.__hash__


class Items(Node):
    def __getitem__(self, at):
        return self.others[at]


class Nodes(list):
    def added(self, one):
        self.append(one)


@pytest.mark.parametrize(
    ("function", "thing", "looked_at"),
    [
        ([].append, Node(), False),
        (Nodes().append, Node(), False),
        ({}.setdefault, Node(), False),
        ([].remove, Equal(), True),
        ([].extend, Items(), True),
        (Nodes().added, Node(), True),
        (array.array("d").extend, Node(), True),
        (len, Node(), True),
    ],
)
def test_what_a_list_only_keeps_is_not_looked_at(function, thing, looked_at):
    assert bool(opaque.states(function, [thing])) == looked_at
