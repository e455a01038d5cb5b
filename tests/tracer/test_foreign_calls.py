"""Calls with arrays of the user's classes are Python's by a look at the class."""

import numpy as np
import pytest

import autograph as ag
from tracer import foreign_calls
from tracer.lookup import Lookup


class Length(np.ndarray):
    @ag.function
    def doubled(self, by=2):
        if self.sum() > 0:
            return self * by
        return -self


@ag.function
def added(x, y):
    return x + y if y.sum() > 0 else x


@pytest.fixture
def looks(monkeypatch):
    made, look = [], Lookup._look_up

    def counted(self, *given, **named):
        made.append(given)
        return look(self, *given, **named)

    monkeypatch.setattr(Lookup, "_look_up", counted)
    return made


def _length(first):
    return np.array([first, 1.0]).view(Length)


def test_new_objects_of_a_class_are_looked_at_once(looks):
    for first in range(20):
        found = _length(first).doubled(by=3)
        assert (type(found), found.tolist()) == (Length, [3.0 * first, 3.0])
    assert len(looks) == 1


def test_a_class_that_graphs_take_has_its_graph_beside(looks):
    x = np.array([1.0, 2.0])
    for first in range(1, 20):
        for y in (x, _length(first)):
            found = added(x, y)
            assert type(found) is type(y)
            assert np.array_equal(found, x + y)
    assert len(added.concrete_functions) == 1
    assert len(looks) < 10


def test_classes_of_each_call_are_not_all_looked_at():
    @ag.function
    def doubled(x):
        return x * 2 if x.sum() > 0 else x

    for _ in range(30):
        kind = type("Own", (np.ndarray,), {})
        assert type(doubled(np.array([1.0]).view(kind))) is kind
    (readers,) = doubled._short.readers.values()
    assert len(readers) == foreign_calls.MOST


def test_words_of_what_python_raises_are_its_own():
    for _ in range(3):
        with pytest.raises(TypeError, match="unexpected keyword argument 'to'"):
            _length(1).doubled(to=3)
