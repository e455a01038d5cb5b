"""Constants that are equal and yet not the same: each has a trace of its own."""

import datetime
import decimal
import inspect
import pathlib
import uuid

import numpy as np
import pytest

import autograph as ag

x = np.float64(1)
UTC = datetime.UTC
CET = datetime.timezone(datetime.timedelta(hours=1))
NOON = datetime.datetime(2020, 1, 1, 12, tzinfo=UTC)


class Named(str):
    def __new__(cls, text, tag):
        made = str.__new__(cls, text)
        made.tag = tag
        return made

    def __repr__(self):
        return f"{self!s}:{self.tag}"


class Counted(int):
    tag = None

    def __repr__(self):
        return f"{int(self)}:{self.tag}"


def counted(number, tag):
    made = Counted(number)
    made.tag = tag
    return made


class Model:
    def __init__(self, name, rate):
        self.name, self.rate, self.total = name, rate, 0.0

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"Model({self.name}, {self.rate})"

    @ag.function
    def add(self, x):
        self.total = self.total + x * self.rate
        return self.total


def utc(name):
    return datetime.timezone(datetime.timedelta(0), name)


def called(default):
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([inspect.Parameter("a", kind, default=default)])


PAIRS = [
    (utc("A"), utc("B")),
    (called(1), called(1.0)),
    (called(1).parameters["a"], called(True).parameters["a"]),
    (uuid.UUID(int=3), uuid.UUID(int=3, is_safe=uuid.SafeUUID.safe)),
    (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    (decimal.Decimal("0"), decimal.Decimal("-0")),
    (range(0, 3, 2), range(0, 4, 2)),
    (slice(1, 2), slice(1.0, 2)),
    (frozenset({1}), frozenset({1.0})),
    (frozenset({1}), frozenset({True})),
    (NOON, NOON.astimezone(CET)),
    (NOON.timetz(), NOON.astimezone(CET).timetz()),
    (Named("a", 1), Named("a", 2)),
    (counted(1, "a"), counted(1, "b")),
    (Model("m", 1), Model("m", 2)),
    ({1: 2}, {1.0: 2}),
    ({1: 2}, {True: 2}),
    ({(1, "a"): 2}, {(1.0, "a"): 2}),
    (np.dtype("f8"), np.dtype("f8", metadata={"unit": "m"})),
    ({"a": 2}, {np.str_("a"): 2}),
    ({"a": 2}, {Named("a", 1): 2}),
    ({0.0: 2}, {-0.0: 2}),
    ({(0.0,): 2}, {(-0.0,): 2}),
    ({decimal.Decimal("1.0"): 2}, {decimal.Decimal("1.00"): 2}),
    ({True: 1, 2: 2}, {1: 1, 2.0: 2}),
]


def shown(thing, x):
    unseen = getattr(thing, "metadata", None), getattr(thing, "is_safe", None)
    return repr(thing), unseen, x


@pytest.mark.parametrize("pair", PAIRS, ids=[repr(pair[1]) for pair in PAIRS])
def test_arguments_that_are_equal_and_differ_are_told_apart(pair):
    f = ag.function(shown)
    assert pair[0] == pair[1]
    for thing in (*pair, *pair):
        assert repr(f(thing, x)) == repr(shown(thing, x))
    assert len(f.traces()) == 2


@pytest.mark.parametrize("pair", PAIRS[:15], ids=[repr(pair[1]) for pair in PAIRS[:15]])
def test_constants_outside_that_are_equal_and_differ_are_told_apart(pair):
    held = pair[0]

    def outer(x):
        return shown(held, x)

    f = ag.function(outer)
    for held in (*pair, pair[0]):
        assert repr(f(x)) == repr(outer(x))


SAME = [
    lambda: decimal.Decimal("1.0"),
    lambda: range(3),
    lambda: slice(1, 2),
    lambda: frozenset({1, 2}),
    lambda: NOON.replace(),
    lambda: datetime.date(2020, 1, 1),
    lambda: pathlib.PurePath("a/b"),
    lambda: uuid.UUID(int=7),
    lambda: "".join(["a", "b"]),
    lambda: 10**30,
    lambda: {(1, 2): 3},
    lambda: np.dtype([("a", "f8")]),
    lambda: float("nan"),
]


@pytest.mark.parametrize("make", SAME, ids=[repr(make()) for make in SAME])
def test_arguments_that_nothing_tells_apart_share_a_trace(make):
    f = ag.function(shown)
    for _ in range(3):
        f(make(), x)
    assert len(f.traces()) == 1


def test_an_object_that_equals_another_one_is_changed_alone():
    first, second = Model("m", 1.0), Model("m", 1.0)
    assert [first.add(x), second.add(x), first.add(x)] == [1.0, 1.0, 2.0]
    assert (first.total, second.total) == (2.0, 1.0)


class Steps:
    """Told by its numbers, which it counts by a method that is decorated."""

    @ag.function
    def __init__(self, stop):
        self.stop = stop

    def __reduce__(self):
        return Steps, (self.stop,)

    def __eq__(self, other):
        return len(self) == len(other)

    def __hash__(self):
        return hash(len(self))

    def __len__(self):
        return self.count()

    @ag.function
    def count(self):
        return self.stop * 2


def test_a_hash_of_the_users_is_not_asked_of_an_argument():
    first, second = Steps(3), Steps(4)
    assert [len(first), len(second), len(first)] == [6, 8, 6]


def test_equal_objects_on_two_paths_stay_two():
    first, second = Model("m", 1.0), Model("m", 2.0)
    f = ag.function(lambda x: (first if x > 0 else second).rate)
    assert [f(x), f(-x)] == [1.0, 2.0]


def facts(x):
    again, total = x + x, x.sum()
    names = [a.dtype.char for a in (x, again, total, x[:1], np.zeros_like(x), abs(x))]
    return names, x.dtype.metadata, type(x[0]).__name__


DTYPES = [np.dtype("l"), np.dtype("q"), np.dtype("q", metadata={"unit": "m"})]


def test_arrays_whose_dtypes_are_equal_and_differ_are_told_apart():
    f = ag.function(facts)
    for dtype in (*DTYPES, *reversed(DTYPES), *DTYPES[:2], *DTYPES[:2]):
        assert f(np.zeros(2, dtype)) == facts(np.zeros(2, dtype))
    assert len(f.traces()) == 3


def test_scalars_whose_dtypes_are_equal_and_differ_are_told_apart():
    def kind(x):
        return type(x).__name__, x.dtype.char, x

    f = ag.function(kind)
    for scalar in (np.longlong(2), np.int64(2), np.longlong(2), np.int64(2)):
        assert f(scalar) == kind(scalar)
