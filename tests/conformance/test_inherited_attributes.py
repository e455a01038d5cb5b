"""What a program sets on an object is the object's own, whatever its class has."""

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("both_ways")


def add_nothing(c, x):
    c.n += 0
    return x


def set_to_itself(c, x):
    c.word = c.word
    return x


def set_on_no_path(c, x):
    if x > 5:
        c.n += 1
    return x


def set_and_deleted(c, x):
    c.n = c.n + x
    del c.n
    return x


@pytest.mark.parametrize(
    "function", [add_nothing, set_to_itself, set_on_no_path, set_and_deleted]
)
def test_an_object_has_what_was_set_on_it(function):
    def left(called):
        class Model:
            n, word = 5, "a"

        found = []
        for one in (Model(), Model()):
            for n in range(4):
                called(one, np.int64(n))
                found.append(dict(vars(one)))
            for name in [*vars(one)]:
                # What the class has is what the trace has seen an object hold.
                delattr(one, name)
            called(one, np.int64(1))
            found.append(dict(vars(one)))
        return found

    assert left(ag.function(function)) == left(function)


def test_a_class_has_what_was_set_on_it_beside_its_base():
    def left(decorate):
        class Base:
            n = 5

        class Model(Base):
            pass

        @decorate
        def called(x):
            Model.n += 0
            return x

        called(np.float64(1))
        called(np.float64(1))
        return "n" in vars(Model)

    assert left(ag.function) is left(lambda f: f) is True


def test_what_is_deleted_and_set_stands_behind_the_others():
    def changed(c, x):
        del c.first
        c.second += x
        c.third = x
        c.first = c.second * 2

    def orders(called):
        class Model:
            pass

        one = Model()
        one.first, one.second, one.other = np.float64(0), np.float64(0), 1
        found = []
        for n, moved in enumerate(("", "", "", "second", "other", "first", "third")):
            if moved:
                content = vars(one).pop(moved)
                setattr(one, moved, content)
            called(one, np.float64(n))
            found.append(list(vars(one).items()))
        return found

    assert repr(orders(ag.function(changed))) == repr(orders(changed))


class Derived:
    """Computes what an object has not yet, and keeps it there."""

    def __init__(self, name, of):
        self.name, self.of = name, of

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        print("asked", self.name)
        return instance.__dict__.setdefault(self.name, getattr(instance, self.of) * 2)


class Length:
    metres = Derived("metres", None)
    halves = Derived("halves", "metres")


def set_only(c, x):
    c.metres = x * 3


def set_by_data(c, x):
    c.metres = x
    if x > 1:
        c.halves = x + 7


def set_after_it_was_asked(c, x):
    c.metres = x
    c.halves = c.halves + 1


@pytest.mark.parametrize("function", [set_only, set_by_data, set_after_it_was_asked])
@pytest.mark.parametrize("x", [np.float64(0.5), np.float64(2.5)])
def test_what_computes_an_attribute_is_asked_by_the_program_alone(function, x, capsys):
    def left(called):
        found = []
        for _ in range(3):
            called(length := Length(), x)
            found.append([(name, repr(held)) for name, held in vars(length).items()])
        return found, capsys.readouterr().out

    assert left(ag.function(function)) == left(function)


class Slope:
    slope = 0.1


def set_in_a_branch(c, x):
    if x > 0:
        c.slope = x
    return vars(c).get("slope"), "slope" in c.__dict__, c.slope


def set_in_a_loop(c, x):
    seen = 0
    for n in range(3):
        seen += len(vars(c))
        if n * x > 1:
            c.slope = x
    return seen


def set_in_an_own_object(c, x):
    own = Slope()
    if x > 0:
        own.slope = 3
    return list(vars(own)), own.slope


def deleted_in_a_branch(c, x):
    c.slope = 3
    if x > 0:
        del c.slope


def deleted_and_set_in_a_branch(c, x):
    c.slope = 4
    del c.slope
    if x > 0:
        c.slope = x


@pytest.mark.parametrize(
    "function",
    [
        set_in_a_branch,
        set_in_a_loop,
        set_in_an_own_object,
        deleted_in_a_branch,
        deleted_and_set_in_a_branch,
    ],
)
def test_what_the_class_gives_is_not_the_objects_own_on_other_paths(function):
    def left(called):
        found = []
        for x in (0.5, -1, 2.0, -2, 1.0):
            one = Slope()
            found.append((called(one, np.float64(x)), vars(one)))
        return found

    assert left(ag.function(function)) == left(function)
