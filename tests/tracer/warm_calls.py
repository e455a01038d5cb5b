"""What the tests of quick calls share: arguments of many kinds, and how to watch."""

import collections
import enum
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.conformance.laid import copies
from tracer.lookup import Lookup

X, Y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
Pair = namedtuple("Pair", "a b")
Other = namedtuple("Other", "a b")
i = np.int64


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Number(enum.IntEnum):
    ONE = 1


@dataclass
class Layer:
    w: Any
    b: Any


@dataclass
class Deeper(Layer):
    pass


@dataclass(slots=True)
class Slim:
    w: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Frozen:
    w: Any
    b: Any


class Sub(np.ndarray):
    pass


class Ordered(OrderedDict):
    pass


def told(thing: Any) -> Any:
    """What two equal things have in common: types, dtypes and bytes too."""
    kind = type(thing)
    if isinstance(thing, (np.ndarray, np.generic)):
        array = np.asarray(thing)
        return kind, array.dtype.str, array.shape, array.tobytes()
    if isinstance(thing, dict):
        return kind, [(repr(key), told(value)) for key, value in thing.items()]
    if isinstance(thing, (tuple, list, collections.deque)):
        return kind, [told(part) for part in thing]
    if isinstance(thing, Layer):
        return kind, told(vars(thing))
    if isinstance(thing, (Slim, Frozen)):
        return kind, told(thing.w), told(thing.b)
    return kind, repr(thing)


def observe(function, args, kwargs=None):
    """All that a call gives and leaves."""
    own = copies((args, kwargs or {}))
    try:
        result = told(function(*own[0], **own[1]))
    except Exception as error:
        result = type(error), str(error)
    return result, told(own)


def long_ways(monkeypatch) -> list[Any]:
    """A list that gets an entry for each call that goes the long way."""
    found: list[Any] = []
    first = Lookup.call

    def noted(self, args, kwargs):
        found.append(args)
        return first(self, args, kwargs)

    monkeypatch.setattr(Lookup, "call", noted)
    return found


def total(p):
    parts = list(p.values()) if isinstance(p, dict) else list(p)
    return parts[0] * 2 - parts[1], type(p).__name__, len(p)


def scaled(x, n):
    return x * n, n


def add(x, y):
    return x + y, x is y


def store(x, y):
    x[0] = 7.0
    return x + y
