"""What is changed in place around a function: inside of what it changes, by classes.

Each story is told twice, with plain functions and with decorated ones, and what each
step gives has to be the same.
"""

import random
import types

import numpy as np
import pytest

import autograph as ag
from tests.conformance.stories import Stories, tell
from tests.conformance.trying import x3

story = Stories()


# NumPy 2.5 is about to take away that a shape or dtype is set.
@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
@pytest.mark.parametrize("told", story)
def test_a_story_is_the_same_with_plain_functions(told):
    tell(told)


class Plain:
    """An object with attributes; a class of its own for each, as stories change it."""


@story
def a_list_inside_of_a_dict_whose_numbers_are_inputs(deco):
    table = {"a": [1, 2], "t": ([5], 6), "n": 3}
    f = deco(lambda x: (x * table["n"], len(table["a"]), table["t"][0][0]))
    for n in range(5):
        table["n"] = n
        yield f(x3)
    table["a"].append(9)
    yield f(x3)
    table["t"][0][0] = 8
    yield f(x3)


@story
def a_list_inside_of_what_the_function_changes(deco):
    table = {"a": [1, 2], "n": 0}
    item = Plain()
    item.n, item.parts = 0, [1]

    @deco
    def f(x):
        table["n"] += 1
        item.n += 1
        item.parts = item.parts
        return x * table["n"], len(table["a"]), sum(item.parts)

    for _ in range(3):
        yield f(x3)
        table["a"].append(1)
        item.parts.append(4)
    yield f(x3)


@story
def an_array_that_gets_another_shape_and_dtype(deco):
    a, held = np.arange(4.0), [np.arange(4.0)]
    f = deco(lambda x: (x.sum() * a, a.shape, held[0].ndim))
    yield f(x3)
    a.shape = held[0].shape = (2, 2)
    yield f(x3)
    yield f(x3)
    a.dtype = np.int64
    yield f(x3)


@story
def an_attribute_of_the_class_below_one_that_comes_and_goes(deco):
    class Base:
        k = 2

    class Derived(Base):
        pass

    item = Base()
    f = deco(lambda x: (x * item.k, Derived.k))
    for k in (7, 8, 9):
        item.k = Derived.k = k
        yield f(x3)
    del item.k
    yield f(x3)
    del Derived.k
    yield f(x3)
    Base.k = 5
    yield f(x3), dict(vars(item)), "k" in vars(Derived)


def _counter(deco):
    """A new class whose methods set what it gives."""

    class Counter:
        n = 0
        k = 1

        @deco
        def count(self, x):
            self.n += 1
            return x * self.n

        @deco
        def grow(self, x):
            if x.sum() > 0:
                self.k = 5
            return x * self.k

        @deco
        def lend(self, x):
            self.k = 7
            del self.k
            return x * self.k

        @deco
        def fail(self, x):
            self.k = 7
            if x.sum() < 0:
                raise ValueError("no")
            return x

    return Counter


@story
def a_method_that_sets_what_the_class_gives(deco):
    Counter = _counter(deco)
    item = Counter()
    yield item.grow(-x3), vars(item)
    Counter.k = 3
    yield item.grow(-x3), vars(item)
    yield item.lend(x3), vars(item)
    yield item.lend(x3), vars(item)
    yield item.count(x3), item.count(x3), vars(item), Counter.n
    yield item.grow(x3), vars(item)
    del item.k, item.n
    with pytest.raises(ValueError, match="no"):
        item.fail(-x3)
    yield item.count(x3), vars(item)


class Parts(list):
    k = 1


@story
def a_list_with_an_attribute_and_a_view_of_a_dict(deco):
    parts, table = Parts([1, 2]), {"a": 1}
    shown, raw = types.MappingProxyType(table), bytearray(b"ab")
    f = deco(lambda x: (x * parts.k, len(parts), shown["a"], raw[0]))
    for k in (2, 3, 4):
        parts.k = k
        yield f(x3)
    parts.append(3)
    yield f(x3)
    table["a"] = 5
    yield f(x3)
    raw[0] = 7
    yield f(x3)


@story
def defaults_of_a_helper(deco):
    def scaled(x, k=2, *, plus=1):
        return x * k + plus

    f = deco(lambda x: scaled(x))
    yield f(x3)
    scaled.__defaults__ = (3,)
    yield f(x3)
    scaled.__kwdefaults__["plus"] = 5
    yield f(x3)
    scaled.__kwdefaults__ = {"plus": 6}
    yield f(x3)


@story
def a_date_that_becomes_its_first_hour(deco):
    holder = Plain()
    f = deco(lambda x: repr(holder.day))
    for text in ("2020-01-01", "2020-01-01T00"):
        holder.day = np.datetime64(text)
        yield f(x3)


@story
def a_class_with_a_getattribute_of_its_own(deco):
    class Proxy:
        def __init__(self):
            self.held = {"k": 1}

        def __getattribute__(self, name):
            if name == "k":
                return object.__getattribute__(self, "held")["k"]
            return object.__getattribute__(self, name)

    proxy = Proxy()
    f = deco(lambda x: x * proxy.k)
    yield f(x3)
    proxy.held["k"] = 4
    yield f(x3)
    proxy.held = {"k": 5}
    yield f(x3)


def _spoken():
    """A new class with methods that Python calls by itself, and a class below it."""

    class Base:
        rate = 1

        def __init__(self, v):
            self.v = v

        def act(self, x):
            return x + self.rate

        @staticmethod
        def plus(x):
            return x + 1

        @property
        def half(self):
            return self.v / 2

        def __add__(self, x):
            return x - 1

        def __len__(self):
            return 3

        def __call__(self, x):
            return x * 3

        def __iter__(self):
            return iter([1, 2])

        def __bool__(self):
            return True

    return Base, type("Derived", (Base,), {})


CHANGES = {
    "rate": 5,
    "__init__": lambda self, v: setattr(self, "v", 9.0),
    "act": lambda self, x: x,
    "plus": staticmethod(lambda x: x + 2),
    "half": property(lambda self: 3),
    "__add__": lambda self, x: 1,
    "__len__": lambda self: 4,
    "__call__": lambda self, x: x * 4,
    "__iter__": lambda self: iter([5]),
    "__bool__": lambda self: False,
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("of_base", [True, False])
def test_the_class_of_what_a_call_makes_is_looked_at(name, of_base):
    classes = _spoken()

    def program(x):
        made = classes[1](x.sum())
        asked = len(made), [*made], "yes" if made else "no"
        return made.act(x), made.plus(x), made.half, made + x, made(x), asked

    staged = ag.function(program)
    assert repr(staged(x3)) == repr(program(x3))
    setattr(classes[0] if of_base else classes[1], name, CHANGES[name])
    assert repr(staged(x3)) == repr(program(x3))
    assert len(staged.concrete_functions) == 2


def test_generators_of_python_are_still_drawn_from_by_each_run():
    generator = random.Random(5)
    of_class = ag.function(lambda x: random.Random.random(generator))
    again = random.Random(5)
    assert [of_class(x3), of_class(x3)] == [again.random(), again.random()]


def test_a_trace_says_that_a_list_inside_of_another_one_has_changed():
    table = types.SimpleNamespace(state={"n": 0, "a": [1]})

    @ag.function
    def count(x):
        table.state["n"] += 1
        return len(table.state["a"])

    count(x3)
    table.state["a"].append(2)
    assert count(x3) == 2
    reason = count.traces()[-1].reason
    assert reason == "what a list holds: [1] -> [1, 2]"


def test_a_method_may_be_that_of_another_object():
    class Step:
        def __init__(self, by):
            self.by = by

        def step(self, x):
            return x + self.by

    one, other = Step(1.0), Step(4.0)
    of_outer = ag.function(lambda x: one.step(x))
    of_argument = ag.function(lambda o, x: o.step(x))
    for _ in range(2):
        assert (of_outer(1.0), of_argument(one, 1.0)) == (2.0, 2.0)
    one.step = other.step
    for _ in range(2):
        assert (of_outer(1.0), of_argument(one, 1.0)) == (5.0, 5.0)
    del one.step
    assert (of_outer(1.0), of_argument(one, 1.0)) == (2.0, 2.0)
