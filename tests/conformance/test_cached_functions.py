"""Functions under `lru_cache`: what they print or change comes as in Python."""

import contextlib
import functools
import io
import warnings

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


@functools.cache
def of_two_before(n):
    return n if n < 2 else of_two_before(n - 1) + of_two_before(n - 2)


@functools.cache
@ag.function
def decorated_within(n):
    return n if n < 2 else decorated_within(n - 1) + decorated_within(n - 2)


def of_its_own_cache(n):
    @functools.cache
    def of_two_before(n):
        return n if n < 2 else of_two_before(n - 1) + of_two_before(n - 2)

    return of_two_before(n)


@pytest.mark.parametrize("kind", [int, np.int64])
@pytest.mark.parametrize(
    "function", [lambda n: of_two_before(n), of_its_own_cache, decorated_within]
)
def test_one_that_asks_itself_is_asked_once_for_each_argument(function, kind):
    # Without its cache the last one would take longer than the machine lives.
    graph = function if function is decorated_within else ag.function(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = [graph(kind(n)) for n in (10, 20, 30, 90)]
    assert got == [55, 6765, 832040, 2880067194370816120]


def of_numbers_passed(numbers):
    @functools.cache
    def told(i):
        print("asked", i)
        return numbers[i] + 1

    return told(0) + told(len(numbers) - 1) + told(0)


def of_what_is_computed(x):
    y = x * 2

    @functools.cache
    def told(i):
        print("asked", i)
        return y[i] + 1

    return told(0) + told(1) + told(0)


def of_a_generator(x):
    @functools.cache
    def least(i):
        return min((x[k] for k in range(i, 3)), default=0)

    return least(0) + least(2) + least(0)


def of_constants_alone(x):
    @functools.lru_cache
    def told(i):
        print("asked", i)
        return i

    return x[0] * told(1) + told(1)


def of_a_chain(x):
    @functools.cache
    def cost(i, j):
        ways = (cost(i, k) + x[i] * x[k] * x[j] + cost(k, j) for k in range(i + 1, j))
        return min(ways, default=0)

    return cost(0, 4)


def in_a_loop(x):
    total = 0.0
    for item in x:

        @functools.cache
        def told(i):
            print("asked", i)
            return item + i

        total = total + told(1) + told(1)
    return total


@pytest.mark.parametrize("of", [list, np.array, tuple])
@pytest.mark.parametrize(
    "function",
    [
        *(of_numbers_passed, of_what_is_computed, of_a_generator),
        *(of_constants_alone, of_a_chain, in_a_loop),
    ],
)
def test_each_call_has_a_new_cache_of_functions_that_it_makes(function, of):
    graph = ag.function(function)
    for numbers in ([1.0, 2.0, 3.0, 4.0, 3.0], [4.0, 2.0, 1.0, 0.0, 5.0]):
        expected, got = outcome(function, of(numbers)), outcome(graph, of(numbers))
        assert got == expected == outcome(graph, of(numbers))


def outcome(function, x):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = function(x)
    return repr(found), printed.getvalue()


def test_what_a_cached_function_changes_is_read_as_it_is_then():
    seen = []

    @functools.lru_cache
    def double(n):
        seen.append(n)
        return n * 2.0

    @ag.function
    def total(x, n):
        before = len(seen)
        return x + double(n), before, len(seen)

    for n, before, after in ((3, 0, 1), (3, 1, 1), (4, 1, 2), (4, 2, 2)):
        assert total(1.0, n) == (1.0 + n * 2, before, after)
