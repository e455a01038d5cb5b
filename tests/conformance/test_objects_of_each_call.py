"""Objects of libraries that a function makes and returns: each call has its own."""

import array
import contextlib
import io
import itertools
import queue
import random
import warnings

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.filterwarnings("ignore:.* is run as Python")


@contextlib.contextmanager
def scaled(x, k=1):
    try:
        yield x * k
    finally:
        x += k


def told(thing):
    """What an object gives that is used."""
    found = []
    for name in ("random", "__next__", "getvalue", "tell", "tolist", "qsize"):
        if hasattr(thing, name):
            found.append((name, repr(getattr(thing, name)())))
    if hasattr(thing, "put"):
        thing.put(1)
    if hasattr(thing, "__exit__"):
        with thing as given:
            found.append(str(given).partition(" at ")[0])
    return found


MAKERS = {
    "a generator of NumPy's": lambda n: np.random.default_rng(n),
    "an old one": lambda n: np.random.RandomState(n),
    "one of Python's": lambda n: random.Random(n),
    "a text in memory": lambda n: io.StringIO(f"{n}"),
    "a queue": lambda n: queue.Queue(n),
    "an array of Python's": lambda n: array.array("d", [n]),
    "a counter": lambda n: itertools.count(n),
    "a manager": lambda n: scaled(np.ones(2), n),
    "a manager of warnings": lambda n: warnings.catch_warnings(),
    "settings": lambda n: np.errstate(all="ignore"),
    "a stack": lambda n: contextlib.ExitStack(),
    "nothing but itself": lambda n: object(),
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("is_inside", [False, True], ids=["alone", "in a list"])
def test_each_call_returns_its_own(maker, is_inside):
    def within(n):
        return [maker(n), n]

    function = within if is_inside else maker
    staged = ag.function(function)
    made, plain = [staged(3) for _ in range(3)], [function(3) for _ in range(3)]
    if is_inside:
        made, plain = [one[0] for one in made], [one[0] for one in plain]
    assert len(set(map(id, made))) == 3
    assert [type(one) for one in made] == [type(one) for one in plain]
    assert [told(one) for one in made] == [told(one) for one in plain]


def test_a_decorated_manager_is_entered_by_each_call():
    staged, x = ag.function(scaled), np.zeros(2)
    for k in range(1, 4):
        with staged(x, k=k) as first, staged(x, k=2) as second:
            assert first.tolist() == (x * k).tolist()
            assert second.tolist() == (x * 2).tolist()
    assert x.tolist() == [12.0, 12.0]


class Model:
    """Keeps a generator."""

    rng = None


def test_each_call_keeps_its_own():
    def begin(model, n):
        model.rng = np.random.default_rng(n)

    staged, first, second = ag.function(begin), Model(), Model()
    for model in (first, second):
        staged(model, 3)
    assert first.rng is not second.rng
    assert first.rng.random() == second.rng.random()


def test_one_from_outside_is_itself():
    rng, lines = np.random.default_rng(3), io.StringIO()

    def outside(n):
        return rng, lines

    staged = ag.function(outside)
    for _ in range(3):
        assert staged(3)[0] is rng
        assert staged(3)[1] is lines
    assert staged.concrete_functions


def last(n, items):
    return itertools.islice(items, max(0, len(items) - n), None)


def first_of(items):
    one, other = itertools.tee(items)
    return list(itertools.islice(one, 1)), other


def dealt(n, items):
    hands = enumerate(itertools.tee(items, n))
    return [itertools.islice(hand, at, None, n) for at, hand in hands]


def called_until(n):
    return iter(io.StringIO("a\n" * n).readline, "")


def gone_through(result):
    if hasattr(result, "__next__"):
        return list(result)
    return [*map(gone_through, result)] if isinstance(result, (list, tuple)) else result


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (last, (3, "ABCDEFG")),
        (first_of, ("abc",)),
        (first_of, ([1, 2],)),
        (dealt, (2, [1, 2, 3, 4, 5])),
        (called_until, (3,)),
    ],
)
def test_each_call_returns_its_own_iterators(function, arguments):
    staged, wanted = ag.function(function), gone_through(function(*arguments))
    for _ in range(3):
        assert gone_through(staged(*arguments)) == wanted
