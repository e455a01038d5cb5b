"""Objects that a decorated function makes and returns, or leaves outside."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

f, i = np.float64, np.int64
EITHER = (f(3.0),), (f(-1.0),)
PROGRAMS = Programs()


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


class Slotted:
    __slots__ = ("__inner", "x")

    def __init__(self, x):
        self.x = x
        self.__inner = [x, None]


@PROGRAMS(*EITHER)
def one(x):
    return Point(x, [x, "text"])


@PROGRAMS(*EITHER)
def one_of_slots(x):
    return Slotted(x * 2)


@PROGRAMS(*EITHER)
def in_structures(x):
    p = Point(x, None)
    return {"p": p, "all": [p, (Point(p, 1),)]}, p


@PROGRAMS(*EITHER)
def made_in_a_branch(x):
    p = Point(x, 1.0) if x > 0 else Slotted(x)
    if x > 2:
        p.y = "big"
    return p


@PROGRAMS(*EITHER)
def set_in_a_branch(x):
    p = Point(x, 1.0)
    if x > 2:
        p.z = x + 1
    return p


@PROGRAMS(*EITHER)
def object_or_none(x):
    return Point(x, x) if x > 0 else None


@PROGRAMS((f(1.0), i(3)), (f(1.0), i(0)))
def made_in_a_loop(x, n):
    p = Point(x, 0)
    for k in range(n):
        p = Point(p.x * 2, k)
    return p


@PROGRAMS((np.array([1.0, 2.0]),))
def with_an_argument(x):
    return Point(x, x * 2)


@PROGRAMS(([1.0, 2.0],))
def with_a_list_of_the_caller(xs):
    xs.append(np.float64(3.0))
    return Point(xs, 1)


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_the_object_returned_is_what_python_returns(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)


def test_each_call_returns_an_object_of_its_own():
    @ag.function
    def program(x):
        return Point(x, 1)

    first, second = program(f(1.0)), program(f(2.0))
    first.y = 5
    assert (first.x, second.x, second.y) == (1.0, 2.0, 1)
    assert type(first) is Point


def test_an_object_without_data_is_new_at_each_call():
    @ag.function
    def program(x):
        return Point(1, 2)

    assert program(f(1.0)) is not program(f(1.0))


def test_references_to_one_object_are_references_to_one():
    @ag.function
    def program(x):
        p = Point(x, None)
        p.y = p
        return p, [p]

    p, (other,) = program(f(1.0))
    assert p is other
    assert p.y is p


def test_an_array_of_the_caller_in_an_object_is_that_array():
    @ag.function
    def program(x):
        return Point(x, x + 1)

    x = np.zeros(2)
    assert program(x).x is x


last = None


def remembered(x):
    global last
    last = Point(x, 1)
    return last.x


def test_an_object_may_be_left_outside():
    for number in (1.0, 2.0, 3.0):
        assert_same_as_python(remembered, f(number))


class Model:
    def __init__(self):
        self.state = Point(0.0, 0)
        self.history = []


def step(model, x):
    if x > 1:
        model.state = Point(model.state.x + x, model.state.y + 1)
    model.history.append(Point(x, None))
    return model.state


def test_objects_may_be_left_in_an_object_of_the_caller():
    model, other = Model(), Model()
    graph = ag.function(step)
    for number in (1.0, 2.0, 3.0, 0.5, 4.0):
        a, b = step(model, f(number)), graph(other, f(number))
        assert (a.x, a.y) == (b.x, b.y)
        assert b is other.state
    assert [p.x for p in model.history] == [p.x for p in other.history]


class Copied:
    """Not taken apart: it says itself how it is copied."""

    def __init__(self):
        self.part = Failure()

    def __getstate__(self):
        return vars(self)

    def fit(self, x):
        self.found = x * 2
        self.count = 3
        return self

    def fit_a_part(self, x):
        self.part.found = x * 2
        return self.part


class Failure(Exception):
    def __repr__(self):
        return f"Failure({vars(self)})"


@pytest.mark.parametrize("method", [Copied.fit, Copied.fit_a_part])
def test_an_argument_that_is_changed_and_returned_is_that_argument(method):
    graph = ag.function(method)
    for _ in range(3):
        plain, traced = Copied(), Copied()
        wanted, found = method(plain, np.ones(2)), graph(traced, np.ones(2))
        assert str(vars(traced)) == str(vars(plain))
        assert (found is traced, found is traced.part) == (
            wanted is plain,
            wanted is plain.part,
        )
