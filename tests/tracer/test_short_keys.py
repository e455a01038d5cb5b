"""Calls that look like warm ones are told from them, and warm ones go the short way."""

import collections
import math
import re
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.tracer.random_forms import difference
from tests.tracer.warm_calls import (
    Colour,
    Deeper,
    Frozen,
    Layer,
    Number,
    Ordered,
    Other,
    Pair,
    Slim,
    X,
    Y,
    add,
    i,
    long_ways,
    observe,
    scaled,
    store,
    total,
)


def keys(p):
    return [(type(key).__name__, repr(key)) for key in p], sum(p.values())


def fields(p):
    return p.w * 2 - p.b, type(p).__name__


def named(p):
    return p.a * 2 - p.b, type(p).__name__


def kind(x, n):
    return x + 1, type(n).__name__, repr(n)


def first_rows(x):
    v = x.reshape(-1)
    v[0] = 7.0
    return x.sum(), x.ndim


def kind_of(x):
    return str(x.dtype)


def label(p):
    return p.w, getattr(p, "label", None)


def append(xs, y):
    xs.append(y * 2)
    return len(xs)


def push(xs, y):
    xs.append(y)
    return len(xs)


def missing(p):
    return p["z"] + p["a"], dict(p)


def labelled():
    layer = Layer(X, Y)
    layer.label = "start"
    return layer


DAY = datetime(2020, 1, 1)
WARM: list[Any] = [
    # What is warm, and what comes then.
    (total, ((X, Y),), ([X, Y],), (Pair(X, Y),), ((X, Y, X),), ((X,) * 2,)),
    (total, ([X, Y],), ((X, Y),), ([X, i(3)],), ([X, 3],), ([X, Y, 1],)),
    (total, ({"a": X, "b": Y},), ({"b": X, "a": Y},), ({"a": X, "c": Y},)),
    (total, ({"a": X, "b": Y},), ({"a": X, "b": Y, "c": 1},), ({1: X, 2: Y},)),
    (total, ({"a": X, "b": Y},), (OrderedDict(b=X, a=Y),), (Ordered(a=X, b=Y),)),
    (total, (OrderedDict(a=X, b=Y),), (OrderedDict(b=X, a=Y),), (dict(a=X, b=Y),)),
    (total, ({1: X, 2: Y},), ({2: X, 1: Y},), ({1: Y, 2: X},)),
    (total, (collections.deque([X, Y]),), ([X, Y],)),
    (named, (Pair(X, Y),), (Other(X, Y),), (Pair(i(1), 2.5),)),
    (fields, (Layer(X, Y),), (Deeper(X, Y),), (Slim(X, Y),), (Layer(Y, X),)),
    (fields, (Slim(X, Y),), (Layer(X, Y),), (Frozen(X, 3),), (Slim(X, 3.0),)),
    (fields, (Frozen(X, Y),), (Frozen(X, 3),), (Frozen(i(1), Y),)),
    (scaled, (X, 3), (X, 3.0), (X, True), (X, i(3)), (X, np.int8(3)), (X, 3j)),
    (scaled, (X, 1), (X, True), (X, 1.0), (X, np.True_), (X, 1 + 0j), (X, 2**70)),
    (scaled, (X, True), (X, 1), (X, 1.0), (X, np.bool_(True)), (X, False)),
    (scaled, (X, 0.0), (X, -0.0), (X, 0), (X, False), (X, 0j), (X, float("nan"))),
    (scaled, (X, -0.0), (X, 0.0), (X, -0.0), (X, float("inf"))),
    (scaled, (X, 1j), (X, -1j), (X, complex(-0.0, 1)), (X, complex(0.0, 1))),
    (scaled, (X, i(2)), (X, np.array(2)), (X, np.int32(2)), (X, np.float64(2)), (X, 2)),
    (scaled, (X, np.array(2.0)), (X, np.float64(2)), (X, np.array([2.0]))),
    (scaled, (X, i(2)), (X[:2], i(2)), (X.astype("f4"), i(2)), (X.astype(">f8"), i(2))),
    (kind, (X, "a"), (X, "b"), (X, b"a"), (X, np.str_("a")), (X, None)),
    (kind, (X, None), (X, ...), (X, 0), (X, False)),
    (kind, (X, range(0)), (X, range(5, 5)), (X, range(3, 0))),
    (kind, (X, np.dtype("f8")), (X, np.dtype("f8", metadata={"a": 1}))),
    (total, ({1: X, 2: Y},), ({True: X, 2: Y},), ({1.0: X, 2: Y},)),
    (keys, ({"aa": X, "b": Y},), ({"".join("aa"): X, "b": Y},), ({"a" * 2: Y},)),
    (kind, (X, range(3)), (X, range(4)), (X, (0, 1, 2))),
    (kind, (X, Colour.RED), (X, Colour.BLUE), (X, 1)),
    (kind, (X, Number.ONE), (X, 1), (X, True)),
    (kind, (X, np.dtype("f8")), (X, np.dtype("f4")), (X, float)),
    (kind, (X, np.datetime64("2020-01-01")), (X, np.datetime64("2020-01-01", "s"))),
    (kind, (X, np.str_("ab")), (X, np.str_("abc")), (X, "ab")),
    (add, (X, Y), (X, X), (Y, X), (X, X)),
    (add, (X, X), (X, Y), (X, X.copy()), (X, 1.0), (i(1), i(1))),
    (store, (X, Y), (X, X), (X, X[::-1]), (X[1:], X[:-1]), (X, Y)),
    (first_rows, (np.ones((2, 3)),), (np.ones((3, 2)),), (np.ones(6),)),
    (kind_of, (np.datetime64("2020-01-01"),), (np.datetime64("2020-01-01", "s"),)),
    (kind_of, (np.zeros((), "i4,f8")[()],), (np.zeros((), "f8,i4")[()],)),
    (label, (Layer(X, Y),), (labelled(),), (Layer(X, 3),)),
    (first_rows, (np.ones((2, 3)),), (np.asfortranarray(np.ones((2, 3))),)),
    (append, ([X], Y), ([X, X], Y), ([], Y), ([X], X)),
    (kind, (X, DAY), (X, DAY.replace(fold=1)), (X, DAY.replace(tzinfo=UTC))),
    (kind, (X, DAY), (X, datetime(2020, 1, 2)), (X, date(2020, 1, 1)), (X, "a")),
    (kind, (X, date(2020, 1, 1)), (X, DAY), (X, timedelta(1)), (X, date(2020, 1, 2))),
    (kind, (X, Decimal("1.0")), (X, Decimal("1.00")), (X, Fraction(1)), (X, 1.0)),
    (kind, (X, Fraction(1, 2)), (X, Decimal("0.5")), (X, 0.5), (X, Fraction(1, 3))),
    (kind, (X, slice(0, 1)), (X, slice(False, 1)), (X, slice(0.0, 1)), (X, 0)),
    (kind, (X, frozenset({1})), (X, frozenset({True})), (X, frozenset({1.0}))),
    (kind, (X, re.compile("a")), (X, re.compile("a", re.I)), (X, re.compile(b"a"))),
    (scaled, (X, math.nan), (X, -math.nan), (X, 1.0), (X, np.float64("nan"))),
    (keys, ({1: X, 2: Y},), ({True: X, 2: Y},), ({1.0: X, 2: Y},), ({1: Y, 3: X},)),
    (keys, ({(1, 0): X},), ({(True, 0): X},), ({(1, False): X},), ({(1, 0.0): X},)),
    (keys, ({None: X, "a": Y},), ({"a": Y, None: X},), ({None: Y, "b": X},)),
    (keys, (Counter(a=2, b=1),), (Counter(b=1, a=2),), ({"a": 2, "b": 1},)),
    (missing, (defaultdict(int, a=X),), (defaultdict(float, a=X),), ({"a": X},)),
    (missing, (defaultdict(int, a=X),), (defaultdict(None, a=X),), (Counter(a=X),)),
    (push, (deque([X]), Y), (deque([X], 1), Y), (deque([X], 2), Y), ([X], Y)),
]


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("row", WARM, ids=lambda row: row[0].__name__)
def test_a_call_that_looks_like_the_warm_one_means_what_it_means(row, mixed):
    function, warm, *others = row
    staged = ag.function(function)
    for given in (warm, warm, warm, *others, warm, *others):
        assert observe(staged, given) == observe(function, given)
        if mixed:
            observe(staged, warm)


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (add, (X,), {"y": Y}),
        (add, (), {"y": Y, "x": X}),
        (lambda x, y=2, *, z=3: x * y + z, (X,), {}),
        (lambda x, y=2, *, z=3: x * y + z, (X,), {"z": 4}),
        (lambda *xs, **k: xs[0] + k["a"] - k["b"], (X,), {"b": X, "a": Y}),
        (total, ({"a": X, "b": Y},), {}),
        (total, ((X, Y),), {}),
        (named, (Pair(X, Y),), {}),
        (fields, (Layer(X, Y),), {}),
        (fields, (Slim(X, Y),), {}),
        (store, (X, Y), {}),
        (scaled, (X, 0.0), {}),
        (kind, (X, Colour.RED), {}),
        (kind, (X, np.negative), {}),
        (lambda x, f: f(x), (X, np.negative), {}),
        (lambda x, f: f(x), (X, np.linalg.norm), {}),
        (lambda x, d: x.astype(d), (X, np.float32), {}),
        (append, ([X], Y), {}),
        *((kind, (X, one), {}) for one in (DAY, DAY.date(), timedelta(1), math.nan)),
        *((kind, (X, one), {}) for one in (Decimal("1.0"), Fraction(1, 2), slice(2))),
        *(
            (kind, (X, one), {})
            for one in (frozenset({1}), re.compile("a"), Number.ONE)
        ),
        *((keys, (one,), {}) for one in ({1: X, 2: Y}, {(1, 2): X}, Counter(a=2))),
        (missing, (defaultdict(int, a=X, z=Y),), {}),
        (push, (deque([X], 2), Y), {}),
    ],
)
def test_warm_calls_go_the_short_way(function, args, kwargs, monkeypatch):
    staged = ag.function(function)
    observe(staged, args, kwargs)
    found = long_ways(monkeypatch)
    for _ in range(3):
        assert observe(staged, args, kwargs) == observe(function, args, kwargs)
    assert not found


def test_what_is_read_outside_may_come_and_go(monkeypatch):
    fast, shift = True, 0.0

    def read(x):
        return (x * 2 if fast else x * 3) + shift

    staged = ag.function(read)
    for fast in (True, False, True, False):
        assert staged(i(1)) == read(i(1))
    found = long_ways(monkeypatch)
    for turn in range(6):
        fast = turn % 2 == 0
        assert staged(i(1)) == read(i(1))
    assert not found
    shift = 1.0
    for turn in range(6):
        fast = turn % 2 == 0
        assert staged(i(1)) == read(i(1))


@pytest.mark.parametrize("seed", range(12))
def test_random_calls_that_are_like_one_another(seed):
    assert difference(seed) == ""


class Point:
    """Equal to others that hold the same, and hashed so."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return hash(self.x)


class Unhashable(Point):
    __hash__ = None


@pytest.mark.parametrize("kind", [Point, Unhashable])
def test_an_object_of_a_class_with_its_own_equality_has_a_quick_way(kind, monkeypatch):
    @ag.function
    def scaled(point, x):
        return point.x * x

    one, other = kind(2.0), kind(2.0)
    for _ in range(3):
        assert scaled(one, X).tolist() == [2.0, 4.0, 6.0]
        assert scaled(other, X).tolist() == [2.0, 4.0, 6.0]
    found = long_ways(monkeypatch)
    assert scaled(one, X).tolist() == [2.0, 4.0, 6.0]
    assert not found
    other.x = 3.0
    assert scaled(other, X).tolist() == [3.0, 6.0, 9.0]
    assert scaled(one, X).tolist() == [2.0, 4.0, 6.0]
