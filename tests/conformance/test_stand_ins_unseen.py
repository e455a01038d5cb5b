"""What stands for Python's own in a trace is not seen: not in words, nor in types."""

import enum
import itertools
import types
from collections import namedtuple

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

NUMBERS = (1,), (np.float64(2.0),)
PROGRAMS = Programs()


def words(call):
    try:
        return type(call()).__name__
    except TypeError as error:
        return str(error)


@PROGRAMS(*NUMBERS)
def calls_without_parameters_for_them(x):
    wrong = (
        *(lambda: all(), lambda: any([x], 2), lambda: sum(), lambda: sorted([x], 1)),
        *(
            lambda: isinstance(x),
            lambda: issubclass(int),
            lambda: map(),
            lambda: iter(),
        ),
        *(lambda: type("A", (), {}, 1), lambda: type(), lambda: filter(x)),
        *(lambda: getattr(x), lambda: setattr(x, "a"), lambda: hasattr(x)),
        *(lambda: itertools.cycle(), lambda: itertools.starmap(x)),
    )
    return [words(call) for call in wrong]


@PROGRAMS(*NUMBERS)
def errors_of_the_functions_that_are_called(x):
    def key():
        return x

    return words(lambda: sorted([x], key=key)), words(lambda: sum([x], None))


@PROGRAMS(*NUMBERS)
def modules_of_classes_that_calls_make(x):
    pair = namedtuple("pair", "a b")
    made = type("Made", (), {"a": 1})
    other = type("Other", (made,), {"__module__": "elsewhere"})
    return (
        *(pair.__module__, repr(pair), made.__module__, list(vars(made))),
        *(other.__module__, pair(x, 1)._asdict()),
    )


@PROGRAMS(*NUMBERS)
def types_of_generators(x):
    def items():
        yield x

    found, other = items(), (item for item in [x])
    return (
        *(type(found) is types.GeneratorType, type(found).__name__),
        isinstance(other, types.GeneratorType),
    )


@PROGRAMS(*NUMBERS)
def repeated_by_name(x):
    forever = itertools.repeat(x)
    return list(itertools.repeat(x, times=3)), [next(forever), next(forever)]


class Blocked:
    def __add__(self, other):
        return 1

    __iadd__ = __radd__ = None


class More(Blocked):
    def __sub__(self, other):
        return 2

    __add__ = None


def added(x):
    thing = Blocked()
    thing += x
    return thing


@PROGRAMS(*NUMBERS)
def operators_that_are_none(x):
    return (
        *(words(lambda: Blocked() + x), words(lambda: x + Blocked())),
        *(words(lambda: More() + x), words(lambda: More() - x)),
        *(words(lambda: More() + Blocked()), words(lambda: added(x))),
    )


class Joined(list):
    def __add__(self, other):
        return "joined"


@PROGRAMS(*NUMBERS)
def a_list_that_grows_in_place(x):
    joined = Joined([1])
    joined += [2]
    return len(joined), joined + [3], x


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 3


class Length(float):
    pass


@PROGRAMS((4,), (5,), (6,), (-7,), (2.5,), (3.5,), (4.5,), (np.float32(2),))
def numbers_of_subclasses(n):
    if n > Size.SMALL:
        n = n - Size.SMALL
    return n + Size.LARGE, Size.LARGE * n, n == Size.LARGE, n + Length(0.5)


@PROGRAMS((np.float64(2.0),), (np.float64(5.0),))
def method_with_a_default_of_data(x):
    class Labelled:
        def more(self, by=x):
            return by + 1

    made = Labelled()
    n = 0.0
    while n < x:
        n += made.more()
    return n, Labelled.__name__


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_python_is_seen(program, calls):
    check(program, calls)
