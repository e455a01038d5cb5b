"""Texts of what is no structure: classes of lists, views of dicts, exceptions."""

import collections
import dataclasses
import functools
import types

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell
from tests.conformance.trying import check

one, two = np.float64(1.0), np.ones(2)


class Table(dict):
    pass


class Listed(list):
    pass


class Named(list):
    def __init__(self, name, items):
        super().__init__(items)
        self.name = name

    def __repr__(self):
        return f"{self.name}{super().__repr__()}"


class Ordered(collections.OrderedDict):
    pass


class Counted(collections.Counter):
    pass


class Queue(collections.deque):
    pass


class Pair(collections.namedtuple("Pair", "a b")):
    def __repr__(self):
        return "!" + super().__repr__()


class Few(tuple):
    pass


class Failed(Exception):
    pass


class FailedAt(Exception):
    def __init__(self, place, value):
        super().__init__(place)
        self.value = value

    def __repr__(self):
        return f"{self.args} {self.value}"


class Shown:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"<{self.x}>"


class Node:
    def __init__(self, x):
        self.x, self.next = x, self

    def __repr__(self):
        return f"<{self.x}>"


@dataclasses.dataclass
class Record:
    a: object
    b: object


HOLDERS = {
    "a class of dicts": lambda x: Table(a=x),
    "a class of lists": lambda x: Listed([x]),
    "with a name": lambda x: Named("n", [x]),
    "a class of tuples": lambda x: Few([x]),
    "a class of ordered dicts": lambda x: Ordered(b=x, a=1),
    "a class of counters": lambda x: Counted(a=x),
    "a class of deques": lambda x: Queue([x, [x]]),
    "a class of named tuples": lambda x: Pair(x, [x]),
    "a proxy": lambda x: types.MappingProxyType({"a": x}),
    "a chain": lambda x: collections.ChainMap({"a": x}, {"b": x}),
    "views": lambda x: ({"a": x}.items(), {"a": x}.values(), {"a": 1}.keys()),
    "views in order": lambda x: collections.OrderedDict(a=x).items(),
    "wrapped ones": lambda x: (collections.UserDict(a=x), collections.UserList([x])),
    "a namespace": lambda x: types.SimpleNamespace(a=[x]),
    "a partial": lambda x: functools.partial(max, x, key=[x]),
    "a slice": lambda x: slice(x, None, [x]),
    "an error": lambda x: ValueError("a", x),
    "an error of the user's": lambda x: Failed(x, 1),
    "an error with an attribute": lambda x: FailedAt(x, [x]),
    "in one another": lambda x: {"a": Table(b=Listed([(x, Record(x, Few([x])))]))},
    "with an object": lambda x: Listed([Shown(x)]),
    "a deque with an object": lambda x: collections.deque([Shown(x)]),
    "an error with an object": lambda x: ValueError(Shown(x)),
}


def texts(x, make):
    p = make(x)
    print(p, [p], sep="|")
    percent = "%s %r" % (p if type(p) is not tuple else [p], [p])  # noqa: UP031 - tried
    joined = "".join([str(p)])
    return f"{p}", str(p), repr(p), percent, f"{p!s}", "{!r}".format(p), joined  # noqa: UP032 - tried


@pytest.mark.parametrize("make", HOLDERS.values(), ids=HOLDERS)
def test_texts_are_those_of_the_run(make):
    check(texts, ((one, make), (two, make)))


def branched(x):
    text = "none"
    if x > 0:
        text = str(Listed([x]))
    for k in range(2):
        if x > k:
            print(types.MappingProxyType({"k": x * k}))
    return text


def test_a_branch_makes_the_text_of_what_it_holds():
    check(branched, ((one,), (-one,), (one * 3,)))


def raised(x):
    if x > 0:
        raise ValueError(f"{Listed([x])}", Table(a=x))
    return x


def test_an_exception_holds_what_the_run_has_put_into_it():
    check(raised, ((one,), (-one,), (one * 3,)))


story = Stories()
MAKERS = [*HOLDERS.values(), Shown, lambda a: [a], lambda a: {"a": (a,)}]


@story
def arrays_in_holders_outside(deco):
    for make in MAKERS:
        a = np.ones(2)
        held = make(a)

        def f(x, held=held):
            print(held, x)
            return f"{held}"

        f.__defaults__ = None
        f = deco(functools.partial(f, held=held))
        yield f(one), f(one)
        a[0] = 9
        yield f(one), f(one)


@story
def arrays_in_holders_that_are_passed(deco):
    for make in MAKERS:
        a = np.ones(2)
        held = make(a)

        def text(p, x):
            print(p, x)
            return f"{p}"

        f = deco(text)
        yield f(held, one), f(held, one)
        a[0] = 9
        yield f(held, one), f(held, one)


@story
def arrays_in_a_list_of_the_enclosing_function(deco):
    a = np.ones(2)
    held = [make(a) for make in MAKERS]
    f = deco(lambda x: ([f"{one}" for one in held], str(held), x))
    for _ in range(3):
        yield f(one), f(one)
        a[0] += 1


@pytest.mark.parametrize("told", story)
def test_a_text_shows_what_the_arrays_hold_now(told):
    tell(told)


def endless(x):
    return f"{Listed([Node(x)])}"


def test_the_text_of_an_object_that_holds_itself_is_pythons():
    import autograph as ag

    staged = ag.function(endless)
    assert staged(one) == endless(one) == "[<1.0>]"
    assert staged.concrete_functions == []
