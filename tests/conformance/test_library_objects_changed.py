"""Objects of libraries whose content is read, and changed between two calls."""

import argparse
import array
import collections
import configparser
import contextvars
import ctypes
import decimal
import functools
import graphlib
import operator
import queue
import string
import threading
import types
import weakref

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)


class Structure(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int)]


class Thing:
    pass


KEPT = Thing()


def putting(key, value):
    return operator.methodcaller("__setitem__", key, value)


def setting(name, value):
    return lambda o: setattr(o, name, value)


def first(o):
    return o[0]


def by_name(o):
    return o["a"]


# What makes one, what is read of it, and what changes it.
ROWS = {
    "array": (lambda: array.array("d", [1.0]), first, putting(0, 5.0)),
    "its length": (lambda: array.array("d", [1.0]), len, lambda o: o.append(2.0)),
    "Queue": (queue.Queue, queue.Queue.qsize, lambda o: o.put(1)),
    "SimpleQueue": (queue.SimpleQueue, lambda o: o.qsize(), lambda o: o.put(1)),
    "Namespace": (lambda: argparse.Namespace(a=1), lambda o: o.a, setting("a", 5)),
    "local": (threading.local, lambda o: getattr(o, "a", 1), setting("a", 5)),
    "ContextVar": (
        lambda: contextvars.ContextVar("v", default=1),
        lambda o: o.get(),
        lambda o: o.set(5),
    ),
    "ctypes array": (lambda: (ctypes.c_double * 2)(1, 2), first, putting(0, 5.0)),
    "c_int": (lambda: ctypes.c_int(1), lambda o: o.value, setting("value", 5)),
    "Structure": (lambda: Structure(1), lambda o: o.a, setting("a", 5)),
    "WeakSet": (weakref.WeakSet, len, lambda o: o.add(KEPT)),
    "weak values": (
        weakref.WeakValueDictionary,
        lambda o: "a" in o,
        putting("a", KEPT),
    ),
    "weak keys": (weakref.WeakKeyDictionary, len, putting(KEPT, 1)),
    "UserDict": (lambda: collections.UserDict(a=1), by_name, putting("a", 5)),
    "keys of a UserDict": (
        collections.UserDict,
        lambda o: "a" in o,
        putting("a", 5),
    ),
    "UserList": (lambda: collections.UserList([1]), first, putting(0, 5)),
    "ChainMap": (
        lambda: collections.ChainMap({"a": 1}),
        by_name,
        lambda o: o.maps.insert(0, {"a": 5}),
    ),
    "ConfigParser": (
        configparser.ConfigParser,
        lambda o: o.has_section("a"),
        lambda o: o.add_section("a"),
    ),
    "bytearray": (lambda: bytearray(b"a"), bytes, putting(0, 5)),
    "Event": (threading.Event, lambda o: o.is_set(), lambda o: o.set()),
    "Lock": (threading.Lock, lambda o: o.locked(), lambda o: o.acquire()),
    "Context": (lambda: decimal.Context(prec=3), lambda o: o.prec, setting("prec", 5)),
    "poly1d": (lambda: np.poly1d([1.0, 2.0]), lambda o: o(2.0), putting(0, 5.0)),
    "Polynomial": (
        lambda: np.polynomial.Polynomial([1.0, 2.0]),
        lambda o: o(2.0),
        lambda o: putting(0, 5.0)(o.coef),
    ),
    "array of objects": (
        lambda: np.array([1, "a", None], object),
        first,
        putting(0, 5),
    ),
    "sorted graph": (
        lambda: {"a": {"b"}},
        lambda o: list(graphlib.TopologicalSorter(o).static_order()),
        putting("c", {"a"}),
    ),
    "partial": (
        lambda: functools.partial(int, base=2),
        lambda o: o("11"),
        lambda o: o.keywords.update(base=3),
    ),
    "SimpleNamespace": (
        lambda: types.SimpleNamespace(a=[1]),
        lambda o: o.a[0],
        lambda o: putting(0, 5)(o.a),
    ),
    "order of a dict": (
        lambda: collections.OrderedDict(a=1, b=2),
        list,
        lambda o: o.move_to_end("a"),
    ),
    "Template": (
        lambda: string.Template("$a"),
        lambda o: o.substitute(a=1),
        setting("template", "$a!"),
    ),
    "singledispatch": (
        lambda: functools.singledispatch(lambda o: 1),
        lambda o: o(3),
        lambda o: o.register(int, lambda o: 5),
    ),
}


@pytest.mark.parametrize(("make", "read", "change"), ROWS.values(), ids=ROWS)
def test_a_later_change_is_seen(make, read, change):
    def told(deco):
        o = make()
        f = deco(lambda x: (read(o), x))
        yield f(one), f(one)
        change(o)
        yield f(one), f(one)
        o = make()
        f = deco(lambda o, x: (read(o), x))
        yield f(o, one), f(o, one)
        change(o)
        yield f(o, one), f(o, one)
        holder = Thing()
        holder.o = make()
        f = deco(lambda x: (read(holder.o), x))
        yield f(one), f(one)
        change(holder.o)
        yield f(one), f(one)

    tell(told)


story = Stories()


@story
def an_object_held_weakly(deco):
    o = Thing()
    o.n = 1
    r = weakref.ref(o)

    @deco
    def f(x):
        p = r()
        return x * p.n if p is not None else -x

    yield f(one), f(one)
    o.n = 2
    yield f(one)
    o = None
    yield f(one)


@story
def an_object_in_a_dict_of_weak_values(deco):
    held = weakref.WeakValueDictionary()
    o = held["a"] = Thing()
    o.n = 2
    f = deco(lambda x: x * held["a"].n if "a" in held else -x)
    yield f(one), f(one)
    o.n = 3
    yield f(one)
    o = None
    yield f(one)


@story
def the_order_of_a_dict_that_is_returned(deco):
    @deco
    def f(x, held):
        made = collections.OrderedDict(a=x, b=2)
        made.move_to_end("a")
        if x > 0:
            held.move_to_end("p")
        return made, held

    for x in (one, -one, one):
        held = collections.OrderedDict(p=1, q=2)
        yield f(x, held), held, f(x, held)


@pytest.mark.parametrize("told", story)
def test_a_story_is_the_same_with_plain_functions(told):
    tell(told)
