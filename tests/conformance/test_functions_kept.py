"""Functions and classes that a call makes and that are there after it."""

import functools

import numpy as np
import pytest

import autograph as ag


def on_an_object(kept, tag):
    def made(value):
        return value * 2

    made.__doc__ = tag
    kept.append(made)


def by_an_attribute_of_its_own(kept, tag):
    made = lambda value: value + 1
    made.tag = [tag]
    kept.append({"made": made})


def calling_itself(kept, tag):
    def made(value):
        return made(value - 1) if value > 0 else tag

    made.itself = made
    kept.append(made)


def wrapped(kept, tag):
    def inner(value):
        """Said of the inner one."""
        return value

    @functools.wraps(inner)
    def outer(value):
        return inner(value), tag

    kept.append(outer)


def told(function):
    given = function(1), function.__name__, function.__doc__
    return given, sorted(vars(function)), getattr(function, "tag", None)


@pytest.mark.filterwarnings("ignore:.*is run as Python:RuntimeWarning")
@pytest.mark.parametrize(
    "function", [on_an_object, by_an_attribute_of_its_own, calling_itself, wrapped]
)
def test_each_call_leaves_a_function_of_its_own(function):
    def left(called):
        kept = []
        for _ in range(3):
            called(kept, np.str_("km"))
        made = [one["made"] if type(one) is dict else one for one in kept]
        return [*map(told, made)], len({*map(id, made)})

    assert left(ag.function(function)) == left(function)


def scaling(x):
    return lambda v: v * x


def counting(n):
    def count():
        nonlocal n
        n += 1
        return n

    return count


def collecting(x):
    found = []

    def collect(v):
        found.append(v * x)
        return list(found)

    return collect


def with_a_default(x):
    def scaled(v, by=x):
        return v * by

    return {"scaled": scaled}


def with_keywords(x):
    return functools.partial(np.add, x)


def of_an_object(x):
    class Held:
        def __init__(self):
            self.x = x

        def scaled(self, v):
            return v * self.x

    return Held().scaled


def a_class(x):
    class Scaled:
        def __call__(self, v):
            return v * x

    return Scaled


def of_functions(x):
    def inner(v):
        return v * x

    def outer(v):
        return inner(v) + 1

    return outer


def decorated(x):
    by = x * 2

    @ag.function
    def scaled(v):
        return v * by

    return scaled


def decorated_and_wrapped(x):
    def scaled(v):
        return v * 2

    @functools.wraps(scaled)
    @ag.function
    def moved(v):
        return scaled(v) + x * 2

    return moved


def decorated_counter(x):
    found = []

    @ag.function
    def collect(v):
        found.append(v * x)
        return list(found)

    return collect


def decorated_method(x):
    by = x * 2

    class Scaled:
        @ag.function
        def scaled(self, v):
            return v * by

    return Scaled().scaled


def members_of_a_class(x):
    by = x * 2

    class Scaled:
        @staticmethod
        def scaled(v):
            return v * by

        @classmethod
        def moved(cls, v):
            return v + by

        @property
        def by(self):
            return by

    return lambda v: (Scaled.scaled(v), Scaled.moved(v), Scaled().by)


def a_property(x):
    by = x * 2

    class Scaled:
        @property
        def by(self):
            return by

    return lambda v: Scaled().by + v


def over_elements(x):
    by = x * 2
    return ag.vectorize(lambda v: v * by)


@pytest.mark.filterwarnings("ignore:.*is run as Python:RuntimeWarning")
@pytest.mark.parametrize(
    "function",
    [
        decorated,
        decorated_and_wrapped,
        decorated_counter,
        decorated_method,
        members_of_a_class,
        a_property,
        over_elements,
    ],
)
def test_what_wraps_functions_has_variables_of_its_own(function):
    staged = ag.function(function)
    for n in (3, 4, 5, 3):
        made, wanted = staged(n), function(n)
        for _ in range(2):
            assert repr(made(2)) == repr(wanted(2))


@pytest.mark.parametrize("x", [np.float64(1.5), np.array([1.0, 2.0]), 3])
@pytest.mark.parametrize(
    ("function", "asked"),
    [
        (scaling, lambda made: made(2)),
        (counting, lambda made: [made(), made()]),
        (collecting, lambda made: [made(2), made(3)]),
        (with_a_default, lambda made: made["scaled"](2)),
        (with_keywords, lambda made: made(2)),
        (of_an_object, lambda made: made(2)),
        (a_class, lambda made: made()(2)),
        (of_functions, lambda made: made(2)),
    ],
)
def test_what_a_call_gives_has_variables_of_its_own(function, asked, x):
    staged = ag.function(function)
    for _ in range(3):
        assert repr(asked(staged(+x))) == repr(asked(function(+x)))


def test_functions_of_others_that_keep_something_do_not_hinder_a_graph():
    def kept(x, f):
        return x * 2, f

    count = counting(0)
    staged = ag.function(kept)
    for _ in range(3):
        assert staged(np.float64(2), count) == (4.0, count)
    assert staged.concrete_functions
