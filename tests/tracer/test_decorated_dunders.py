"""Methods that Python calls of itself, decorated, are the user's for the tracer."""

import copy
from typing import ClassVar

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python


class Attributes:
    """What keeps its attributes in a dict of its own, and says what is asked of it."""

    asked: ClassVar[list[str]] = []

    @ag.function
    def __init__(self):
        object.__setattr__(self, "own", {})

    @ag.function
    def __setattr__(self, name, value):
        self.own[name] = value

    @ag.function
    def __delattr__(self, name):
        Attributes.asked.append(name)
        del self.own[name]


def test_a_trace_undoes_attributes_past_the_users_methods():
    Attributes.asked.clear()
    one = Attributes()
    assert vars(one) == {"own": {}}
    one.x = 3
    assert one.own == {"x": 3}
    del one.x
    assert (one.own, Attributes.asked) == ({}, ["x"])


class Doubling(dict):
    @ag.function
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)


def filled(x):
    made = Doubling()
    for k in range(3):
        made[k] = x * k
    return dict(made)


def test_an_item_is_set_by_the_users_method():
    assert_same_as_python(filled, np.float64(1.5))


class Failure(Exception):
    @ag.function
    def __init__(self, code, words="none"):
        super().__init__(code)
        self.code, self.words = code, words


def raising(x):
    if x > 0:
        raise Failure(7, "too large")
    return x


def test_each_run_raises_an_exception_of_its_own_with_its_attributes():
    staged = ag.function(raising)
    assert staged(np.float64(-1.0)) == -1.0
    errors = []
    for _ in range(3):
        with pytest.raises(Failure) as raised:
            staged(np.float64(1.0))
        errors.append(raised.value)
    assert [(e.args, e.code, e.words) for e in errors] == [((7,), 7, "too large")] * 3
    assert len({*map(id, errors)}) == 3
    assert copy.copy(errors[0]).code == 7
