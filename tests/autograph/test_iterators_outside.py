"""An iterator from outside goes on by each call, as Python goes on with it."""

import collections
import functools
import itertools
import math

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0])


def unpacks(it, x):
    a, b, *_ = it
    return x + a * b


def unpacks_some(it, x):
    a, b = itertools.islice(it, 2)
    return x + a * b


def extends(it, x):
    items = []
    items.extend(itertools.islice(it, 3))
    return x + len(items)


def puts_a_slice(it, x):
    items = [1, 2]
    items[:] = itertools.islice(it, 3)
    return x + sum(items)


def adds_in_a_loop(it, x):
    for v in x:
        if v > 1:
            x = x + next(it)
    return x


def lists_on_one_path(it, x):
    if x[0] > 1:
        x = x + len(list(itertools.islice(it, 2)))
    return x


GOING_ON = [
    *(unpacks, unpacks_some, extends, puts_a_slice, adds_in_a_loop, lists_on_one_path),
    lambda it, x: x + next(it),
    lambda it, x: x + it.__next__(),
    lambda it, x: x + len(list(it)),
    lambda it, x: x + len(tuple(it)),
    lambda it, x: [a * b for a, b in zip(x, it, strict=False)],
    lambda it, x: list(zip(it, it, strict=False)),
    lambda it, x: (x, max(it, default=0), min(it, default=1)),
    lambda it, x: x + sum(it),
    lambda it, x: (x, sorted(it, reverse=True)),
    lambda it, x: (x, next(enumerate(it))),
    lambda it, x: x + sum(map(abs, it)),
    lambda it, x: (x, list(filter(None, it))),
    lambda it, x: x if any(v > 3 for v in it) else -x,
    lambda it, x: x if any(it) else -x,
    lambda it, x: x if 3 in it else -x,
    lambda it, x: (x, ",".join(map(str, it))),
    lambda it, x: (x, dict(zip("ab", it, strict=False))),
    lambda it, x: (x, set(it), frozenset(it)),
    lambda it, x: (x, [*it]),
    lambda it, x: max(1, 2, *it) + x,
    lambda it, x: x + math.fsum(it),
    lambda it, x: x + np.fromiter(it, float).sum(),
    lambda it, x: (x, collections.deque(it, maxlen=3)),
    lambda it, x: x + functools.reduce(lambda a, b: a + b, it, 0),
    lambda it, x: (x, list(itertools.pairwise(it))),
    lambda it, x: (x, {1, 2}.isdisjoint(it)),
]


def told(function, it, x):
    try:
        return repr(function(it, x))
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("of", [iter, lambda it: (v for v in it)])
@pytest.mark.parametrize("function", GOING_ON)
def test_each_call_goes_on(function, of):
    plain, staged = of(range(7)), of(range(7))
    # Of a closure, as an argument tells the calls apart.
    graph = ag.function(lambda x: function(staged, x))
    for x in (X, X + 1, X):
        assert told(lambda _, x: graph(x), None, x) == told(function, plain, x)
    assert list(staged) == list(plain)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + len(list(iter([1, 2]))),
        lambda x: (x, dict(zip("ab", [1, 2], strict=True)), max(map(abs, [1, -3]))),
        lambda x: (x, [*enumerate("ab")]),
    ],
)
def test_an_iterator_of_its_own_is_part_of_the_graph(function):
    staged = ag.function(function)
    assert repr(staged(X)) == repr(function(X))
    assert len(staged.concrete_functions) == 1


def test_an_iterator_that_is_only_kept_is_not_gone_through():
    kept, it = [], iter([1, 2])

    @ag.function
    def keeps(x):
        kept.append(it)
        return x, isinstance(it, type(iter([])))

    assert keeps(X)[1]
    assert kept == [it]
    assert list(it) == [1, 2]


def test_a_function_that_gives_an_iterator_gives_it():
    staged = ag.function(lambda x: (v * 2 for v in x))
    assert list(staged(X)) == [2.0, 4.0]
    assert list(staged(X)) == [2.0, 4.0]


class Counting:
    """An iterator of the user's own, which says how far it has come."""

    def __init__(self, most):
        self.most, self.done = most, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.done >= self.most:
            raise StopIteration
        self.done += 1
        return self.done


def skips(it, x):
    return next(itertools.islice(it, 2, 2), None), x, it.done


def drains(it, x):
    collections.deque(it, maxlen=0)
    return x + it.done


def reduces_some(it, x):
    return functools.reduce(lambda a, b: a + b, itertools.islice(it, 3)), x, it.done


def makes_bytes(it, x):
    return bytes(itertools.islice(it, 2)), x + it.done


def makes_an_array(it, x):
    return x * np.fromiter(itertools.islice(it, 2), float), it.done


def fills_a_slice(it, x):
    items = [1, 2, 3]
    items[1:] = it
    return items, x, it.done


OF_THE_USERS = [
    skips,
    drains,
    reduces_some,
    makes_bytes,
    makes_an_array,
    fills_a_slice,
]


@pytest.mark.parametrize("program", OF_THE_USERS)
def test_an_iterator_of_the_users_is_gone_on_with_by_each_call(program):
    staged, mine, pythons = ag.function(program), Counting(9), Counting(9)
    for k in range(3):
        assert repr(staged(mine, X + k)) == repr(program(pythons, X + k))
        assert mine.done == pythons.done


class Stack:
    """What is no part of a graph where a branch by data has changed it."""

    def __init__(self):
        self.items, self.lengths = [], {}


def reversed_words(words, x):
    left, stack = iter(words), Stack()
    for word in left:
        stack.items.append(word)
    if not stack.items:
        raise ValueError("no words")
    stack.lengths[x.sum() > 0] = len(stack.items)
    return stack


def test_iter_of_an_iterator_from_outside_is_that_iterator():
    staged = ag.function(reversed_words)
    for _ in range(2):
        stack = staged((word for word in ["a", "b"]), X)
        assert (stack.items, stack.lengths) == (["a", "b"], {np.True_: 2})
