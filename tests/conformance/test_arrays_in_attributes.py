"""Arrays that classes, modules, functions and objects hold by any name, and change."""

import operator
import types

import numpy as np
import pytest

import autograph as ag


class Held:
    table = np.zeros(2)
    T = np.zeros(2)

    @classmethod
    def add(cls, x):
        cls.table[0] += x
        return cls.table * 1

    def heat(self, x):
        self.T[1] += x
        return self.T * 1, self.real[:1] + 0


class Slots:
    __slots__ = ("T",)


class Inherits(Held):
    pass


def place():
    """A function that has an attribute."""


@ag.function
def decorated(x):
    return x


module = types.ModuleType("module")
module.inner = types.ModuleType("inner")
module.inner.outer = module
module.object = Slots()
held, slots = Held(), Slots()


def of_a_class(x):
    Held.table[0] += x
    return Held.table * 1


def of_a_base(x):
    Inherits.table[0] += x
    return Inherits.table * 1, np.sum(Held.table)


def by_a_class_method(x):
    return Held.add(x)


def of_a_module(x):
    module.table[0] += x
    return module.table * 1


def of_a_module_in_a_module(x):
    module.inner.table[0] += x
    return module.inner.outer.inner.table * 1


def of_an_object_in_a_module(x):
    module.object.T[0] += x
    return module.object.T * 1


def of_a_function(x):
    place.table[0] += x
    return place.table * 1


def of_a_decorated_function(x):
    decorated.table[0] += x
    return decorated.table * 1


def by_a_name_that_arrays_have(x):
    return held.heat(x)


def by_such_a_name_in_slots(x):
    slots.T[0] += x
    return slots.T * 1


PROGRAMS = [
    *(of_a_class, of_a_base, by_a_class_method, of_a_module, of_a_module_in_a_module),
    *(of_an_object_in_a_module, of_a_function, of_a_decorated_function),
    *(by_a_name_that_arrays_have, by_such_a_name_in_slots),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_array_is_read_as_it_was_changed(program):
    told = []
    for function in program, ag.function(program):
        for owner in Held, module, module.inner, place, decorated:
            owner.table = np.zeros(2)
        for owner in held, slots, module.object:
            owner.T = np.zeros(2)
        held.real = np.zeros(2)
        found = [function(np.float64(n)) for n in range(4)]
        tables = [Held.table, module.table, module.inner.table, place.table]
        told.append([*found, *tables, decorated.table, held.T, slots.T])
    assert str(told[0]) == str(told[1])


def test_what_arrays_have_of_themselves_stays_plain_text():
    def turned(x):
        return x.T * x.real

    assert "get_attr" not in ag.to_code(turned)


class Part:
    def __init__(self):
        self.m = np.arange(6.0).reshape(2, 3)
        self.z = np.arange(3) + 1j
        self.inner = types.SimpleNamespace(m=np.arange(6.0).reshape(2, 3))


def turned(part, x):
    part.m[:, 0] = x
    return part.m.T * 1


def turned_in_a_loop(part, x):
    found = 0.0
    for k in range(len(x)):
        part.m[:, 0] = x[k]
        found = found + np.dot(part.m.T, x)
    return found


def turned_thrice(part, x):
    part.inner.m[0] = x[0]
    return part.inner.m.T.T.T + 1, part.inner.m.T.shape


def written_by_its_part(part, x):
    part.m.T[0] = x
    part.z.real[0] = x[0]
    return part.m * 1, part.z.imag + part.z.real


def by_its_flat(part, x):
    part.m[0] = x[0]
    return list(part.m.flat)


def by_attrgetter(part, x):
    part.inner.m[0] = x[0]
    both = operator.attrgetter("inner.m.T", "m")(part)
    return both[0] * 1, both[1] + operator.attrgetter("m")(part)


@pytest.mark.parametrize(
    "program",
    [turned, turned_in_a_loop, turned_thrice, written_by_its_part]
    + [by_its_flat, by_attrgetter],
)
def test_what_is_asked_of_a_changed_array_is_that_of_its_content_now(program):
    graph, x = ag.function(program), np.array([7.0, 8.0])
    for _ in range(3):
        plain, traced = Part(), Part()
        assert str(graph(traced, x)) == str(program(plain, x))
        assert str(vars(traced)) == str(vars(plain))
    assert graph.concrete_functions


def test_a_property_that_attrgetter_asks_is_run_by_each_call():
    class Counting:
        asked = 0

        @property
        def size(self):
            self.asked += 1
            return self.asked

    counting = Counting()
    graph = ag.function(lambda one, x: operator.attrgetter("size")(one) + x)
    assert [graph(counting, np.float64(1)) for _ in range(4)] == [2, 3, 4, 5]
