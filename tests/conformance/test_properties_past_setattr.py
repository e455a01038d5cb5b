"""`super().__setattr__` of an attribute that is a property: its setter is converted."""

import numpy as np
import pytest

import autograph as ag
from runtime import slots
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
KNOWN = {}


class Watched:
    """Counts what is set, and checks it."""

    def __init__(self, v):
        object.__setattr__(self, "sets", 0)
        object.__setattr__(self, "_v", None)
        self.v = v

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "v":
            self.sets += 1

    def __delattr__(self, name):
        object.__delattr__(self, name)

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        if not np.all(np.isfinite(value)):
            raise ValueError("not finite")
        self._v = value

    @v.deleter
    def v(self):
        if np.sum(self._v) > 3:
            self._v = self._v * 0
        self.sets = -1


ONE, NAN = (np.array([1.0, 2.0]),), (np.array([1.0, np.nan]),)


@PROGRAMS(ONE, NAN)
def made(x):
    one = Watched(x * 2)
    one.v = one.v + 1
    return one.v, one.sets


@PROGRAMS(ONE, NAN)
def deleted(x):
    one = Watched(x)
    one.v = x * 2
    del one.v
    return one.v, one.sets


@PROGRAMS(ONE, NAN)
def beside_a_cache(x):
    KNOWN["x"] = x * 2
    one = Watched(x)
    return one.v + KNOWN["x"], one.sets


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_setter_is_called_as_in_python(function, arguments):
    check(function, arguments)


class Place:
    """A place that may refuse to be put back."""

    def __init__(self, refuses):
        self.held, self.refuses = "new", refuses

    def set(self, held):
        if self.refuses:
            raise ValueError("refused")
        self.held = held


def test_what_one_place_refuses_is_no_reason_to_leave_the_others():
    first, second, third = Place(False), Place(True), Place(False)
    with pytest.raises(ValueError, match="refused"):
        slots.undo([(first, "old"), (second, "old"), (third, "old")])
    assert (first.held, third.held) == ("old", "old")


def test_a_decorated_init_sets_them():
    class Decorated(Watched):
        __init__ = ag.function(Watched.__init__)

    for _ in range(3):
        one = Decorated(np.ones(2))
        assert (one.v.tolist(), one.sets) == ([1.0, 1.0], 1)
