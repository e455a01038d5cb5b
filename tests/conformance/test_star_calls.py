"""Calls with stars over what depends on data, as Python makes them."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

GIVEN = ([1.0, -2.0, 3.0], [-1.0], [1.0, -4.0, 5.0, 6.0], [-1.0, 2.0])
PROGRAMS = Programs()
calls = PROGRAMS(*((np.array(given),) for given in GIVEN))


def positive(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    return found


def count(*args):
    return len(args)


def pair(a, b):
    return a - b


def some(a, b=2.0, *others, k=1.0):
    return a * k + b + len(others)


def total(*args):
    result = 0
    for arg in args:
        result = result + arg
    return result


def handed_on(*args, **named):
    return total(*args), type(args), args, sorted(named)


class Pair(NamedTuple):
    a: float
    b: float
    c: float = 3.0


@dataclasses.dataclass
class Point:
    a: float
    b: float = 2.0


class Adder:
    def __init__(self, *args):
        self.args = args

    def pair(self, a, b):
        return a + b

    def __call__(self, *args, k=1):
        return len(args) * k


@calls
def any_number(x):
    return count(*positive(x)), total(1.0, *positive(x)), count(0, *positive(x), 1)


@calls
def handed_on_to_another(x):
    return handed_on(*positive(x), k=1)


@calls
def two_parameters(x):
    return pair(*positive(x))


@calls
def defaults_and_more(x):
    return some(*positive(x), k=2.0)


@calls
def no_parameters(x):
    def nothing():
        return 1

    return nothing(*positive(x))


@calls
def keyword_only(x):
    def named(a, b=1.0, *, k):
        return a + b + k

    return named(*positive(x), k=1)


@calls
def partly_given(x):
    return partial(some, 2.0)(*positive(x))


@calls
def of_classes(x):
    adder = Adder(*positive(x))
    return adder.args, adder(*positive(x), k=2), Point(*positive(x)).a


@calls
def of_methods(x):
    return Adder().pair(*positive(x))


@calls
def of_named_tuples(x):
    made = Pair(*positive(x))
    return made.a, made.b, made.c


@calls
def of_builtins(x):
    found = positive(x)
    print("a", *found, None, sep=",")
    print(max(*found, *found), "{}-{}".format("a", *found))
    return min(*found)


@calls
def transposed(x):
    pairs = [(v, v + 1) for v in x if v > 0]
    a, b = zip(*pairs)
    return a, b, list(zip(*pairs))


@calls
def of_one_of_several(x):
    t = (2.0, x[0]) if x[0] > 0 else (x[0],)
    print(*t, sep="-")
    return total(*t), count(0, *t), pair(*t)


@calls
def in_the_order_of_the_text(x):
    def say(n):
        print(n)
        return n

    return handed_on(say(1.0), *positive(x), say(2.0), *[say(3.0)], k=say(4))


def recursive(*args):
    if not args:
        return 0.0
    return args[0] + recursive(*args[1:])


@calls
def one_less_at_each_level(x):
    return recursive(*positive(x))


def named(a=1.0, b=5.0, **others):
    return a + b * 10, sorted(others.items())


@calls
def keywords_of_a_dict_that_varies(x):
    d = {"a": x[0]}
    if x[0] > 0:
        d["b"] = 2.0
    e = {"a": x[0], "z": 1.0} if x[0] > 0 else {"b": x[0]}
    return named(**d), named(**e), named(c=1, **e)


@calls
def keyword_twice(x):
    d = {"b": 1}
    if x[0] > 0:
        d["a"] = 2
    return named(a=1, **d)


@calls
def keyword_twice_at_once(x):
    return named(a=1, **{"a": x[0]})


@calls
def no_iterable(x):
    return named(*3)


@calls
def no_mapping(x):
    return named(**x)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_calls_do_in_a_graph_what_they_do_in_python(function, arguments):
    check(function, arguments)
