"""`max(a, b)` compares its arguments, also where these can be gone through."""

import numpy as np
import pytest

import autograph as ag


class Items:
    """Has items without an end, and no `__iter__`."""

    def __init__(self, v):
        self.v = v

    def __getitem__(self, i):
        return self.v

    def __lt__(self, other):
        return self.v < other.v

    def __gt__(self, other):
        return self.v > other.v


class Vector(Items):
    def __len__(self):
        return 2

    def __iter__(self):
        return iter([self.v, self.v + 1])


def of_two(kind, x, y):
    a, b = kind(x), kind(y)
    return max(a, b).v, min(a, b).v, max(a, b) is a, min(a, b, a) is b


def with_a_key(kind, x, y):
    a, b = kind(x), kind(y)
    return max(a, b, key=lambda one: -one.v).v


def of_one(kind, x, y):
    return max(Vector(x)), min(Vector(y)), max((v for v in Vector(x)), default=0)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("kind", [Items, Vector])
@pytest.mark.parametrize("program", [of_two, with_a_key, of_one])
def test_they_are_compared_as_in_python(program, kind, backend):
    staged = ag.function(program)
    with ag.config(backend=backend):
        staged(kind, np.float64(1.0), np.float64(2.0))
        assert staged.concrete_functions
        for x, y in ((1.0, 2.0), (3.0, 2.0), (2.0, 2.0)):
            for given in ((x, y), (np.float64(x), np.float64(y))):
                assert staged(kind, *given) == program(kind, *given)


@pytest.mark.parametrize("kind", [Items, Vector])
def test_so_are_those_that_are_passed(kind):
    @ag.function
    def greatest(a, b):
        return max(a, b).v

    for x, y in ((1.0, 2.0), (3.0, 2.0)):
        assert greatest(kind(x), kind(y)) == max(x, y)
