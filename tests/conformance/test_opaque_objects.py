"""Objects of the library's classes, changed where each run does just that."""

import array
import collections
import functools
import itertools
import queue

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

one, minus = np.float64(1.0), np.float64(-1.0)
BOTH = ((one,), (minus,))
PROGRAMS = Programs()


@PROGRAMS(*BOTH)
def chain_maps(x):
    maps = collections.ChainMap({}, {"a": 1})
    if x > 0:
        maps["b"] = x
    maps["c"] = 3
    return maps["a"], len(maps), "b" in maps, maps["c"]


@PROGRAMS(*BOTH)
def bytes_of_one_path(x):
    raw = bytearray(b"ab")
    if x > 0:
        raw.append(1)
    return bytes(raw)


@PROGRAMS((2,), (3,), (10,), (20,), (50,))
def bytes_from_an_iterator(n):
    sieve = bytearray(b"\x01") * n
    for i in range(2, n):
        if sieve[i]:
            sieve[2 * i :: i] = itertools.repeat(0, len(range(2 * i, n, i)))
    return bytes(sieve)


@PROGRAMS(*BOTH)
def own_things_at_the_top(x):
    waiting, made = queue.Queue(), array.array("d", [1.0])
    for k in range(3):
        waiting.put(k)
    made.append(2.0)
    made[0] += 5.0
    if x > 0:
        x = x * made[0]
    return x, waiting.get(), waiting.qsize(), made[0], len(made)


@PROGRAMS(*BOTH)
def own_things_of_a_branch(x):
    if x > 0:
        waiting = queue.Queue()
        waiting.put(3)
        x = x + waiting.get()
    for k in range(2):
        if x > k:
            made = array.array("d", [1.0])
            made[0] = 4.0
            x = x + made[0]
    return x


@PROGRAMS(*BOTH)
def dispatched_by_type(x):
    @functools.singledispatch
    def word(v):
        return "object"

    @word.register
    def _(v: int):
        return "int"

    @word.register(float)
    def _(v):
        return "float" if v > 0 else "less"

    return word(x), word(int(x)), word("s"), word(x if x > 0 else "q")


class Lazy:
    def __init__(self, x):
        self.x, self.asked = x, 0

    @functools.cached_property
    def twice(self):
        self.asked += 1
        return self.x * 2


@PROGRAMS(*BOTH)
def a_cached_property_on_one_path(x):
    lazy = Lazy(x)
    y = lazy.twice if x > 0 else 0
    for k in range(2):
        if x > k:
            y = y + lazy.twice
    return y, lazy.twice, lazy.asked, hasattr(lazy, "twice")


class Answering:
    def __getattr__(self, name):
        if name == "never":
            raise AttributeError(name)
        return name + "!"


@PROGRAMS(*BOTH)
def attributes_that_are_answered(x):
    thing = Answering()
    if x > 0:
        thing.a = 1
        thing.never = x
    return (
        *(thing.a, thing.b, hasattr(thing, "a"), getattr(thing, "a", 5)),
        *(hasattr(thing, "never"), getattr(thing, "never", "none")),
    )


class Open:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)

    def __setattr__(self, name, value):
        self.__dict__[name] = value

    def __delattr__(self, name):
        del self.__dict__[name]


@PROGRAMS(*BOTH)
def attributes_by_dict(x):
    thing = Open(a=x, b=2)
    if x > 0:
        thing.a = thing.a + 1
        thing.c = 3
        vars(thing)["d"] = x
    else:
        del thing.b
    return thing.a, hasattr(thing, "b"), hasattr(thing, "c"), getattr(thing, "d", None)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_things_of_libraries_are_changed_as_in_python(function, arguments):
    check(function, arguments)
