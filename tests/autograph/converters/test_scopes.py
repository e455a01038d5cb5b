"""Names and what binds them: scopes, defaults, imports, del, targets, classes."""

import collections
import dataclasses
import functools
import typing

import numpy as np
import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()
counter = 0


@samples((3, 1), (-3, 1))
def imports_inside(x, y):
    if x > 0:
        import math as m

        r = m.sqrt(x)
    else:
        from math import fabs

        r = fabs(x)
    return r


@samples((3, 1), (-3, 1))
def nonlocals(x, y):
    total = y

    def add(v):
        nonlocal total
        if v > 0:
            total += v
        else:
            total = total - 1
        return total

    first = add(x)
    if y > 0:
        add(first)
    return first, total


@samples((3, 1), (-3, 1))
def defaults_are_evaluated_once(x, y):
    def f(v, k=say("default", x * 2), *, j=y):
        return v + k if v > 0 else v - j

    x = 100
    return f(y), f(-y), f(x, k=1), f(-y, j=5)


def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        r = function(*args, **kwargs)
        return r * 2 if r > 0 else r

    return wrapper


def scaled(factor):
    def decorate(function):
        return lambda *args: function(*args) * factor

    return decorate


@samples((3, 1), (-3, 1))
def decorators(x, y):
    @doubled
    @scaled(3)
    def f(v, w=1):
        if v > w:
            return v
        return -w

    return f(x), f(y), f(x, y)


@samples((3, 1), (-3, 1))
def closures_over_loop_variables(x, y):
    late, early = [], []
    for i in range(3):
        late.append(lambda: x + i if x > 0 else i)
        early.append(lambda i=i: x + i if x > 0 else i)
    return [f() for f in late], [f() for f in early]


def spread(a, *rest, k=1, **more):
    if a > 0:
        return a + len(rest) * k + sum(more.values())
    return a - len(rest)


@samples((3, 1), (-3, 1))
def star_arguments(x, y):
    args, more = (x, y, 5), {"k": y, "z": x}
    return spread(*args, **more), spread(x), spread(*args[1:], y, q=1, **{"k": 2})


@samples([1, 2, 3, 4], [5, -2, 3, 4])
def star_targets(v):
    first, *middle, last = v
    (a, *b), c = (v[:2], 1)
    if first > 2:
        first, last = last, first
    [*start, _end] = v
    return first, last, middle, a, b, c, start


@samples((3, 1), (-3, 1))
def deletions(x, y):
    z = x
    items, table = [x, y, 5, 6], {"a": x, "b": y}
    del items[0], items[1:], table["a"]
    if x > 0:
        del z
        z = 5
    try:
        if y > 0:
            del z
        print(z)
    except UnboundLocalError as error:
        print(error)
    return items, table


@samples((3, 1), (-3, 1))
def a_name_deleted_on_one_path(x, y):
    z = y
    if x > 0:
        del z
    return z


def at(text, value):
    print(text)
    return value


@samples((3, 1), (-3, 1))
def targets_in_order(x, y):
    items = [0, 0, 0]
    if x > 0:
        a = items[at("first", 1)] = b = items[at("second", 0)] = at("value", y)
    else:
        a, items[at("third", 0)] = b, items[at("fourth", 2)] = at("value", (x, y))
    return a, b, items


class Box:
    def __init__(self, v):
        self.v = v
        self.parts = [v, v]

    def me(self):
        print("me")
        return self


@samples((3, 1), (-3, 1))
def augmented_targets_once(x, y):
    box = Box(x)
    a = np.zeros(4)
    if x > 0:
        box.me().v += at("right", y)
        box.me().parts[at("index", 1)] *= at("right", 5)
    else:
        a[at("from", 1) : at("to", 3)] += at("right", y)
    return box.v, box.parts, a


@samples((3, 1), (-3, 1))
def bare_annotations(x, y):
    z: int
    w: float = x
    if x > 0:
        z = y
    return z + w


Point = collections.namedtuple("Point", "x y")


class Named(typing.NamedTuple):
    a: object
    b: object = 5

    def larger(self):
        return self.a if self.a > self.b else self.b


@samples((3, 1), (-3, 1), (9, 1))
def tuples_with_names(x, y):
    p = Point(x, y)
    if x > 0:
        p = p._replace(x=y)
    q = Named(x)
    inside = collections.namedtuple("inside", ["u", "v"])(p.x, q.b)
    return p.x, p.y, q.larger(), inside.u + inside.v, q._asdict()


@samples((3, 1), (-3, 1))
def classes_inside(x, y):
    class Base:
        scale = 2

        def area(self):
            return self.side() * self.scale if self.side() > 0 else 0 * y

    class Square(Base):
        def __init__(self, s):
            self.s = s

        def side(self):
            return self.s

        def area(self):
            if self.s > 2:
                return super().area() + 1
            return super().area()

        @classmethod
        def unit(cls):
            return cls(y)

    @dataclasses.dataclass
    class Pair:
        a: object
        b: object = 3

        def top(self):
            return self.a if self.a > self.b else self.b

    return Square(x).area(), Square.unit().area(), Pair(x).top(), Pair(y, x).top()


@samples((3, 1), (-3, 1))
def globals_of_the_trace(x, y):
    global counter
    counter = 5
    if x > 0:
        y += counter
    return y


@samples((3, 1), (-3, 1))
def functions_made_in_branches(x, y):
    scale = 2 if x > 0 else 3

    def f(v):
        return v * scale

    if y > 0:
        scale = scale + 1
    return f(x)


@samples((3, 1), (-3, 1))
def keyword_only_and_positional_only(x, y):
    def f(a, /, b, *, c=1):
        return a - b if a > b else c

    return f(x, y), f(x, b=y, c=x), f(y, x, c=y)


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_converted_names_do_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_staged_names_do_what_python_does(sample):
    sample.check_staged()
