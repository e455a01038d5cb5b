"""A class that gives or sets attributes another way after several calls is asked."""

import abc
import builtins
import weakref
from typing import Protocol, runtime_checkable

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import both_ways  # noqa: F401 # a fixture
from tests.tracer.outside_calls import both_do

pytestmark = pytest.mark.usefixtures("both_ways")
ONE = np.float64(1.0)


def reads(c, x):
    return x * c.n


def writes(c, x):
    c.n += x
    return c.n


def made():
    class Model:
        pass

    one = Model()
    one.n = 1.0
    return Model, one


def in_slots():
    class Model:
        __slots__ = ("__weakref__", "n")

    one = Model()
    one.n = 1.0
    return Model, one


def a_property(kind, log):
    """That gives what the object has, so that only its call tells that it is there."""
    held = getattr(kind, "n", None)

    def get(self):
        log.append("asked")
        return held.__get__(self) if held is not None else vars(self)["n"]

    def put(self, n):
        log.append(float(n))

    kind.n = property(get, put)


def a_getattribute(kind, log):
    def get(self, name):
        return 7.0 if name == "n" else object.__getattribute__(self, name)

    kind.__getattribute__ = get


def a_setattr(kind, log):
    kind.__setattr__ = lambda self, name, value: log.append((name, float(value)))


def another_property(kind, log):
    kind.n = property(lambda self: 2.5, lambda self, n: log.append(float(n)))


WAYS = [a_property, a_getattribute, a_setattr, another_property]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", [reads, writes])
@pytest.mark.parametrize("make", [made, in_slots])
def test_a_way_that_a_class_gets_later_is_gone_each_time(function, make, way):
    def steps(decorate):
        kind, one = make()
        called, log = decorate(function), []
        found = [called(one, ONE) for _ in range(4)]
        way(kind, log)
        found += [called(one, ONE) for _ in range(3)]
        return [*map(float, found), log]

    both_do(steps)


def test_a_way_of_a_base_is_gone_and_left_again():
    def steps(decorate):
        base, _ = made()

        class Model(base):
            pass

        one = Model()
        one.n = 1.0
        called = decorate(reads)
        found = [called(one, ONE) for _ in range(3)]
        base.__getattribute__ = lambda self, name: 7.0
        found += [called(one, ONE) for _ in range(3)]
        del base.__getattribute__
        return [*found, called(one, ONE)]

    both_do(steps)


def test_changes_of_a_class_that_do_not_matter_make_no_trace():
    kind, one = made()
    called = ag.function(reads)
    for kind.other in range(40):
        called(one, ONE)
    kind.method = lambda self: 3
    called(one, ONE)
    assert len(called.traces()) == 1


def test_traces_say_which_attribute_is_given_another_way():
    kind, one = made()
    called = ag.function(reads)
    called(one, ONE)
    another_property(kind, [])
    called(one, ONE)
    told = str(called.traces())
    assert "`Model.n` is given by the class in another way (trace 1)" in told


def test_a_name_put_into_builtins_is_looked_at_again(monkeypatch):
    monkeypatch.setattr(builtins, "scale_of_all", 3.0, raising=False)

    def scaled(x):
        return x * scale_of_all  # noqa: F821 # it is in builtins

    called = ag.function(scaled)
    found = [called(ONE) for _ in range(3)]
    builtins.scale_of_all = 4.0
    found += [called(ONE) for _ in range(2)]
    monkeypatch.setitem(globals(), "scale_of_all", 5.0)
    found += [called(ONE) for _ in range(2)]
    monkeypatch.delitem(globals(), "scale_of_all")
    found += [called(ONE) for _ in range(2)]
    assert found == [3, 3, 3, 4, 4, 5, 5, 4, 4]


def test_a_global_that_hides_a_builtin_later_is_called(monkeypatch):
    def sized(x):
        return x * abs(-2)

    called = ag.function(sized)
    found = [called(ONE) for _ in range(3)]
    monkeypatch.setitem(globals(), "abs", lambda v: 10.0)
    found += [called(ONE) for _ in range(3)]
    monkeypatch.delitem(globals(), "abs")
    assert [*found, called(ONE)] == [2, 2, 2, 10, 10, 10, 2]


def test_the_other_attributes_beside_an_input_are_looked_at():
    def summed(c, x):
        c.n += 1
        return sum(vars(c).values()) * x

    def steps(decorate):
        _, one = made()
        one.other = 2.0
        called = decorate(summed)
        found = [called(one, ONE) for _ in range(3)]
        one.other = 10.0
        found.append(called(one, ONE))
        one.third = 100.0
        return [*found, called(one, ONE)]

    both_do(steps)


def test_what_a_class_held_is_not_kept_alive():
    class Content:
        pass

    class Model:
        held = Content()

    one = Model()
    called = ag.function(lambda c, x: x * (1.0 if c.held else 2.0))
    found = [called(one, ONE), called(one, ONE)]
    # Its state is looked at, and has another number at each call.
    for Model.other in range(3):
        found.append(called(one, ONE))
    gone = weakref.ref(Model.held)
    Model.held = None
    assert gone() is None
    assert [*found, called(one, ONE)] == [1, 1, 1, 1, 1, 2]


def test_a_way_that_comes_after_other_changes_of_the_class_is_gone():
    kind, one = made()
    called = ag.function(reads)
    for kind.other in range(5):
        called(one, ONE)
    kind.n = property(lambda self: 2.5)
    found = [called(one, ONE)]
    kind.n = 4.0
    found.append(called(one, ONE))
    kind.n = property(lambda self: 6.0)
    assert [*found, called(one, ONE)] == [2.5, 1.0, 6.0]


class Shape(abc.ABC):
    pass


def asks_an_object(c, x):
    return x * (2.0 if isinstance(c, (int, Shape)) else 1.0)


def asks_a_class(c, x):
    return x * (2.0 if issubclass(type(c), Shape | int) else 1.0)


@pytest.mark.parametrize("function", [asks_an_object, asks_a_class])
def test_a_class_that_is_registered_with_an_abc_later_counts(function):
    _, one = made()
    called = ag.function(function)
    found = [called(one, ONE) for _ in range(3)]
    Shape.register(type(one))
    assert [*found, called(one, ONE), called(one, ONE)] == [1, 1, 1, 2, 2]
    told = "whether a Model is a Shape: False -> True (trace 1)"
    assert told in str(called.traces())


@runtime_checkable
class Named(Protocol):
    """What has a name."""

    name: str


def asks_by_a_protocol(c, x):
    return x * (2.0 if isinstance(c, Named) else 1.0)


@pytest.mark.parametrize("kind", [Shape, Named])
def test_what_is_raised_after_it_was_asked_is_pythons(kind):
    @ag.function
    def called(c, sizes):
        if not isinstance(c, kind):
            raise ValueError(f"no {kind.__name__}: {sizes}")
        return sizes

    with pytest.raises(ValueError, match=rf"no {kind.__name__}: \[1, 2\]"):
        called(made()[1], [1, 2])


def test_an_object_counts_as_one_of_a_protocol_while_it_has_what_that_names():
    _, one = made()
    called = ag.function(asks_by_a_protocol)
    before = [called(one, ONE) for _ in range(3)]
    one.name = "wide"
    named = [called(one, ONE) for _ in range(3)]
    del one.name
    assert [*before, *named, called(one, ONE)] == [1, 1, 1, 2, 2, 2, 1]
    told = "whether a Model is a Named: False -> True"
    assert told in str(called.traces())


def asks_a_class_by_a_protocol(c, x):
    try:
        return x * (2.0 if issubclass(type(c), Named) else 1.0)
    except TypeError as error:
        return x + len(str(error))


def test_what_a_protocol_says_to_a_class_is_raised_as_python_does():
    _, one = made()
    called = ag.function(asks_a_class_by_a_protocol)
    expected = asks_a_class_by_a_protocol(one, ONE)
    assert [called(one, ONE) for _ in range(3)] == [expected] * 3
