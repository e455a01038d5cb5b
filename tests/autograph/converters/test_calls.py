"""Calls: arguments of every kind, in order; callees of every kind."""

import functools
import math

import numpy as np
import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


def full(a, b=2, *args, c=3, **more):
    print(a, b, args, c, sorted(more))
    return a + b + c


@samples(1)
def arguments_of_every_kind(x):
    rest = (5, 6)
    named = {"d": 7}
    return full(x), full(x, *rest), full(x, 1, c=4), full(*rest, *rest, c=x, **named)


@samples(1)
def arguments_are_evaluated_in_order(x):
    return say("f", full)(
        say("a", x), *say("rest", [1, 2]), c=say("c", 2), **say("more", {"e": x})
    )


@samples(1, staged=False)
def an_argument_too_many(x):
    return abs(x, x)


@samples(1, staged=False)
def an_unknown_keyword(x):
    return math.sqrt(x, y=3)


@samples(1, staged=False)
def not_callable(x):
    return x(1)


def branches(x):
    if x > 0:
        return x + 1
    return x - 1


@samples(1, -1)
def callees_are_converted(x):
    return branches(x) + branches(-x)


def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


@samples(5, staged=False)
def recursion(n):
    return factorial(n)


class Scaler:
    factor = 3

    def __init__(self, offset):
        self.offset = offset

    def __call__(self, x):
        if x > 0:
            return x * self.factor + self.offset
        return x

    def method(self, x):
        return self(x) if x > -5 else x

    @classmethod
    def of_class(cls, x):
        return x * cls.factor if x > 0 else x

    @staticmethod
    def of_nothing(x):
        return -x if x > 0 else x

    @property
    def twice(self):
        return self.offset * 2


@samples(2, -2)
def objects_and_their_methods(x):
    scaler = Scaler(x)
    return scaler(x), scaler.method(x), scaler.of_class(x), scaler.of_nothing(x)


@samples(2)
def properties(x):
    return Scaler(x).twice + Scaler.of_class(x)


@samples(2, -2)
def partials_and_lambdas(x):
    add = functools.partial(full, x, c=1)
    choose = lambda y: y if y > 0 else -y
    return add(5), add(6, c=2), choose(x), (lambda: x)()


@samples(2, -2)
def functions_as_values(x):
    table = {"a": branches, "b": abs}
    return table["a"](x) + table["b"](x) + [max, min][0](x, 0)


@samples(4)
def builtins_on_numbers(x):
    return abs(-x), max(x, 2), min(x, 2), int(x), float(x), bool(x), round(x), sum([x])


@samples([3, 1, 2])
def builtins_on_arrays(x):
    return len(x), sum(x), max(x), min(x), any(x > 2), all(x)


@samples([3.0, 1.0])
def numpy_functions(x):
    return np.sum(x), np.zeros(2) + x, np.where(x > 2, x, 0), np.maximum(x, 2)


@samples(2.0)
def the_math_module(x):
    return math.sqrt(x), math.floor(x), math.pi * x


@samples(3, staged=False)
def map_and_filter(x):
    return list(map(branches, range(x))), list(filter(lambda y: y > 1, range(x)))


@samples(3)
def callers_of_callers(x):
    def outer(f):
        def inner(y):
            return f(f(y))

        return inner

    return outer(branches)(x)


def decorated(function):
    @functools.wraps(function)
    def wrapper(x):
        print("called")
        return function(x)

    return wrapper


@decorated
def wrapped(x):
    if x > 0:
        return x
    return -x


@samples(3, -3)
def decorated_functions(x):
    return wrapped(x)


@samples(3, staged=False)
def frames_are_the_users(x):
    y = x + 1
    return "y" in locals(), eval("x + y"), "samples" in globals(), "x" in vars()


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_call_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_call_does_what_python_does(sample) -> None:
    sample.check_staged()
