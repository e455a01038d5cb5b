"""What no graph can hold, though Python goes on with it, is run as Python."""

import asyncio
import collections
import copy
import inspect
import warnings

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0, 0.0])


def queens(n):
    def placed(row, columns, down, up):
        if row == n:
            return 1
        total = 0
        for c in range(n):
            if c in columns or row + c in down or row - c in up:
                continue
            total += placed(row + 1, columns | {c}, down | {row + c}, up | {row - c})
        return total

    return placed(0, set(), set(), set())


def composed(n):
    def inner(n, function):
        return function(n) if n <= 0 else inner(n - 1, lambda v: function(v) + 1)

    return inner(n, abs)


def copies_rows(n):
    rows = [[i, i + 1] for i in range(n)]
    others = copy.deepcopy(rows)
    others[0][0] = 9
    return rows, others


@pytest.mark.parametrize("function", [queens, composed, copies_rows])
def test_numbers_that_become_inputs_end_what_they_ended(function):
    staged = ag.function(function)
    for n in (4, 5, 6, 7):
        assert staged(n) == function(n)


@ag.do_not_convert
def doubled(x):
    return x * 2 if x[0] > 0 else x


def unconverted(x):
    return doubled(x) + 1


class Pair:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, at):
        if at > 1:
            raise IndexError(at)
        return self.x[at] if self.x[at] > 0 else -1.0


def unpacks(x):
    a, b = Pair(x)
    return a, b


def in_silence(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return 1 / x


@pytest.mark.parametrize(
    "function",
    [
        *(unconverted, unpacks, in_silence),
        lambda x: list(zip((v for v in x if v > 0), (v for v in x), strict=False)),
        lambda x: collections.Counter(x.tolist()) + collections.Counter([1.0]),
        lambda x: bytes(x),
    ],
)
def test_each_call_is_that_of_python(function):
    staged = ag.function(function)
    for x in (X, -X, X):
        assert repr(staged(x)) == repr(function(x))
    assert staged.concrete_functions == []


def test_the_warning_of_what_cannot_be_converted_names_its_line():
    @ag.function
    def numbers(n):
        yield n

    with pytest.warns(RuntimeWarning, match="`yield` cannot be converted") as told:
        assert list(numbers(3)) == [3]
    line = numbers.python_function.__code__.co_firstlineno + 1
    assert [(one.filename, one.lineno) for one in told] == [(__file__, line)]


class Sleeper:
    @ag.function
    async def doubled(self, x):
        await asyncio.sleep(0)
        return x * 2


@ag.function
async def counted(n):
    for i in range(n):
        yield i


async def asked():
    return await Sleeper().doubled(X), [i async for i in counted(3)]


def test_an_async_function_is_run_as_python_and_says_so():
    with pytest.warns(RuntimeWarning, match="an async function cannot be converted"):
        doubled, items = asyncio.run(asked())
    assert doubled.tolist() == [2.0, 4.0, 0.0]
    assert items == [0, 1, 2]
    assert inspect.iscoroutinefunction(Sleeper.doubled)
    with ag.config(strict=True), pytest.raises(ag.UnsupportedError):
        ag.function(Sleeper.doubled.python_function)(Sleeper(), X)
