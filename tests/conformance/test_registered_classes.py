"""Classes that their user has registered with optree: taken apart as that says."""

import dataclasses

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

X = np.array([1.0, 2.0])


class Named:
    def __init__(self, x, y, name="n"):
        self.x, self.y, self.name = x, y, name


optree.register_pytree_node(
    Named,
    lambda made: ((made.x, made.y), made.name, ("x", "y")),
    lambda name, parts: Named(*parts, name),
    path_entry_type=optree.GetAttrEntry,
    namespace="autograph",
)


@optree.register_pytree_node_class(namespace="autograph")
class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def tree_flatten(self):
        return (self.x, self.y), None

    @classmethod
    def tree_unflatten(cls, _, parts):
        return cls(*parts)

    __tree_flatten__, __tree_unflatten__ = tree_flatten, tree_unflatten


@dataclasses.dataclass
class Labelled:
    x: object
    y: object
    label: str = "l"


optree.register_pytree_node(
    Labelled,
    lambda made: ((made.x, made.y), made.label),
    lambda label, parts: Labelled(*parts, label),
    namespace="autograph",
)


def reads(v):
    return v.x * 2 + v.y


def writes(v):
    v.x = v.x + 1
    v.y[0] = 7.0


def writes_in_a_branch(v):
    if v.x[0] > 0:
        v.x = v.x + 1
    return v.y


def writes_in_a_loop(v):
    while v.x[0] < 5:
        v.x = v.x * 2


def gives_it_back(v):
    v.x = v.x + 1
    return v, [v]


def makes_another(v):
    return type(v)(v.x * 2, v.y)


def makes_another_in_a_branch(v):
    if v.x[0] > 0:
        made = type(v)(v.x * 2, v.y)
    else:
        made = type(v)(v.x, v.y + 1)
    return made


def makes_another_in_each_round(v):
    while np.abs(v.x[0]) < 5:
        v = type(v)(v.x * 2, v.y + 1)
        v.y = v.y * 2
    return v


PROGRAMS = [reads, writes, writes_in_a_branch, writes_in_a_loop, gives_it_back]
MAKING = [makes_another, makes_another_in_a_branch, makes_another_in_each_round]


@pytest.mark.parametrize("kind", [Named, Slotted, Labelled])
@pytest.mark.parametrize("program", [*PROGRAMS, *MAKING])
def test_program_is_that_of_plain_python(program, kind):
    staged = ag.function(program)
    for factor in (1.0, -1.0, 3.0):
        if program is not writes_in_a_loop or factor > 0:
            assert_same_as_python(staged, kind(X * factor, X.copy()))
    assert len(staged.concrete_functions) == 1


def test_object_that_is_returned_is_the_one_that_was_passed():
    passed = Named(X.copy(), X.copy())
    found, (same,) = ag.function(gives_it_back)(passed)
    assert found is passed
    assert same is passed


def test_what_the_class_calls_no_part_is_a_constant_of_the_trace():
    f = ag.function(lambda v: (v.x, v.name))
    for name in ("a", "b", "a"):
        assert f(Named(X, X, name))[1] == name
    assert len(f.concrete_functions) == 2
