"""Objects that a branch makes and that are seen after it."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


class Cell:
    def __init__(self, v):
        self.v = v
        self.log = [v]

    def bump(self):
        self.v = self.v + 1
        self.log.append(self.v)


class Doubling(Cell):
    def bump(self):
        self.v = self.v * 2


def attribute_of_either(x):
    if x > 0:
        a = Cell(x)
    else:
        a = Cell(None)
    return a.v


def either_class(x):
    a = Cell(x) if x > 0 else Doubling(x * 10)
    a.bump()
    b = a
    b.bump()
    return a.v, a.log, type(a).__name__, isinstance(a, Doubling)


def object_or_none(x):
    a = None
    if x > 0:
        a = Cell(x)
        a.child = Cell(x + 1)
    if a is not None:
        a.child.bump()
        return a.child.v
    return -1.0


def made_in_a_try(x):
    try:
        a = Cell(1 / x)
        if x > 3:
            raise ValueError("big")
    except ValueError:
        a = Cell(0.5)
    return a.v


def one_or_new(x):
    a = Cell(x)
    if x > 0:
        b = a
    else:
        b = Cell(x)
    b.bump()
    return a.v, b.v, a is b


def made(x):
    if x > 0:
        return Cell(x)
    return Cell(-x)


def made_by_a_call(x):
    a = made(x)
    a.bump()
    return a.v


PROGRAMS = [
    *(attribute_of_either, either_class, object_or_none),
    *(made_in_a_try, one_or_new, made_by_a_call),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("number", [2.0, -3.0, 5.0])
def test_an_object_of_one_path_is_what_python_has(program, number):
    assert_same_as_python(program, np.float64(number))
