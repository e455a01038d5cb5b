"""Functions under `lru_cache`: what they print or change comes as in Python."""

import contextlib
import functools
import io

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

X = np.array([1.0, 2.0])


def program():
    calls = []

    @functools.lru_cache
    def cached(n):
        print("computing", n)
        calls.append(n)
        return n * 2

    def function(x, c):
        print("start")
        if c > 0:
            x = x * cached(3)
        return x + cached(4) + cached(c)

    return function, calls


def told(function, calls):
    printed, found = io.StringIO(), []
    with contextlib.redirect_stdout(printed):
        for c in (-1.0, 1.0, 2.0, 1.0):
            found.append((function(X.copy(), np.float64(c)).tolist(), [*calls]))
    return found, printed.getvalue()


def test_they_are_run_once_for_each_argument():
    plain, calls = program()
    expected = told(plain, calls)
    graph, calls = program()
    assert told(ag.function(graph), calls) == expected


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.lru_cache
def scaled(a, b=2):
    return a * b + 1 if a > 0 else a


class Model:
    def __init__(self, k):
        self.k = k

    @functools.lru_cache
    def times(self, n):
        return self.k * n


def of_constants(c):
    return c * fibonacci(60)


def of_data(c):
    return scaled(c) + scaled(3) + scaled(3, b=4)


def of_a_method(c):
    model = Model(c)
    return model.times(3) + model.times(3)


def of_an_array(c):
    return scaled(c * X)


def of_a_list(c):
    return scaled([c])


@pytest.mark.parametrize("value", [1.0, -1.0])
@pytest.mark.parametrize(
    "function", [of_constants, of_data, of_a_method, of_an_array, of_a_list]
)
def test_they_give_what_they_give_in_python(function, value):
    with contextlib.suppress(TypeError):
        assert_same_as_python(function, np.float64(value))


PATTERNS = {}


class Pattern:
    def __init__(self, text):
        self.axes = {name: at for at, name in enumerate(text.split())}


@functools.lru_cache
def pattern_of(text):
    PATTERNS[text] = len(PATTERNS)
    return Pattern(text)


def test_one_that_makes_an_object_of_constants_is_called_as_it_is():
    def function(x):
        return x[pattern_of("a b").axes["b"]], PATTERNS["a b"]

    graph = ag.function(function)
    assert graph(X) == graph(X) == function(X) == (np.float64(2.0), 0)
    assert list(PATTERNS) == ["a b"]


@functools.lru_cache
def table(n):
    found = []
    for i in range(n):
        found.append(2 * i)
    return found


def in_a_branch(x, n):
    total = 0.0
    for i in range(n):
        if x[i] > 1:
            total = total + x[table(3)[1]] + len(table(3))
    return total + len(table(3))


def in_a_try(x, n):
    try:
        found = table(4)
        value = x[n]
    except IndexError:
        value = len(found)
    return value + len(table(4)), table(4) is found


@pytest.mark.parametrize("function", [in_a_branch, in_a_try])
def test_list_in_a_cache_outlives_the_branch_or_try_that_asks_first(function):
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert_same_as_python(function, x, np.int64(3))
