"""What the `__init__` and `__repr__` that dataclasses make do, decorated and called."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag

X = np.arange(2.0)


@dataclass
class Base:
    h: object
    c: object = field(default_factory=lambda: None)
    l: list = field(default_factory=lambda: [1])
    limit: float = None
    name: str = "base"

    def __post_init__(self):
        self.twice = self.h * 2


class Derived(Base):
    def __init__(self, x, n):
        super().__init__(x, limit=None)
        self.n = n


def decorated(kind):
    own = {
        "__init__": ag.function(kind.__init__),
        "__repr__": ag.function(kind.__repr__),
    }
    return type(kind.__name__, (kind,), own | {"__qualname__": kind.__qualname__})


@pytest.mark.filterwarnings("ignore:calls that reach this are run as Python")
@pytest.mark.parametrize("x", [np.float64(2.0), 3, X], ids=["scalar", "int", "array"])
@pytest.mark.parametrize(("kind", "more"), [(Base, ()), (Derived, (np.int64(1),))])
def test_an_object_has_what_its_class_has_a_default_for(kind, more, x):
    staged = decorated(kind)
    for _ in range(3):
        made, plain = staged(x, *more), kind(x, *more)
        assert repr(vars(made)) == repr(vars(plain))
        assert repr(made) == repr(plain)


def test_an_attribute_is_set_to_what_the_class_holds():
    @ag.function
    def reset(thing, x):
        thing.limit = None
        thing.name = "base"
        thing.__init__(x, limit=None)

    made, plain = Base(1.0), Base(1.0)
    for thing in (made, plain):
        del thing.limit, thing.name, thing.twice
    reset(made, X)
    plain.__init__(X, limit=None)
    assert repr(vars(made)) == repr(vars(plain))


class Number:
    __slots__ = ("unset", "value")

    def __init__(self, value):
        self.value = value

    @ag.function
    def twice(self):
        return self.value * 2


class Constant(Number):
    def __init__(self, make):
        self.make = make

    @property
    @ag.function
    def value(self):
        return self.make()


def test_a_property_in_place_of_a_slot_is_not_asked_by_a_trace():
    constant = Constant(lambda: 21)
    assert [constant.twice(), constant.value, Number(4).twice()] == [42, 21, 8]
    constant.make = lambda: 4
    assert constant.twice() == 8
