"""Results that hold what a run computes without being nested structures."""

import types
import warnings
from functools import lru_cache

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

ARRAY = np.array([1.0, 2.0])


def a_function(x):
    twice = x * 2
    return lambda y: y + twice


def a_function_with_a_default(x):
    def shifted(y, by=x + 1):
        return y + by

    return {"shifted": shifted}


def a_cached_function(x):
    @lru_cache
    def shifted(n):
        return x * 2 + n

    return shifted


def a_method(x):
    items = [x * 2]
    return items.__getitem__


def views(x):
    table = {"a": x * 2, "b": 1}
    return table.items(), table.values(), list(table)


def a_proxy(x):
    return types.MappingProxyType({"a": x * 2})


def exceptions(x):
    return ValueError(x * 2), [KeyError({"a": x})]


CALLED = {
    a_function: lambda made: made(1.0),
    a_function_with_a_default: lambda made: made["shifted"](1.0),
    a_cached_function: lambda made: made(3),
    a_method: lambda made: made(0),
    views: lambda made: [*map(list, made)],
    a_proxy: dict,
    exceptions: lambda made: [made[0].args, made[1][0].args],
}


@pytest.mark.parametrize("function", CALLED, ids=lambda f: f.__name__)
def test_what_is_around_data_holds_arrays(function):
    with ag.config(strict=False), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is run as Python")
        staged = ag.function(function)
        for x in (ARRAY, ARRAY + 1, np.float64(3.0)):
            use = CALLED[function]
            python = observe(lambda x: use(function(x)), (x,))
            graph = observe(lambda x: use(staged(x)), (x,))
            found = disagreement(python, graph)
            assert found is None, found.sentence


@ag.function
def adder(x):
    def add(y):
        return y + 1

    return add, add(x)


def test_a_function_that_holds_no_data_is_a_result():
    assert adder(ARRAY)[0](2) == 3


@ag.function
def caught(x):
    try:
        raise ValueError(x * 2)
    except ValueError as error:
        return error


def test_an_exception_that_was_caught_is_a_result():
    assert caught(np.float64(2.0)).args == (4.0,)
