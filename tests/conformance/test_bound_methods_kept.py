"""Methods and views of lists, dicts and sets that are kept under a name."""

import collections
import types

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


@story
def a_method_of_a_dict(deco):
    d = {"a": 1}
    get = d.get

    @deco
    def f(x):
        return x * get("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_method_of_a_dict_that_the_function_changes(deco):
    d = {"a": 1}
    get = d.get

    @deco
    def f(x):
        d["a"] += 1
        return x * get("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), d


@story
def a_method_of_a_list_that_adds(deco):
    d = []
    add = d.append

    @deco
    def f(x):
        add(x)
        return len(d)

    yield f(one), f(one)
    d.clear()
    yield f(one), d


@story
def a_method_of_a_dict_in_a_class(deco):
    d = {"a": 1}

    class A:
        get = d.get

    a = A()

    @deco
    def f(x):
        return x * a.get("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_method_of_a_dict_that_is_passed(deco):
    d = {"a": 1}

    @deco
    def f(g, x):
        return x * g("a")

    yield f(d.get, one), f(d.get, one)
    d["a"] = 5
    yield f(d.get, one), f(d.get, one)


@story
def methods_in_a_list(deco):
    d = {"a": 1}
    g = [d.__getitem__, d.get]

    @deco
    def f(x):
        return x * g[0]("a") * g[1]("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_method_that_is_a_default(deco):
    d = {"a": 1}

    @deco
    def f(x, get=d.get):
        return x * get("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_method_of_a_set(deco):
    d = {1}
    has = d.__contains__

    @deco
    def f(x):
        return x if has(2) else -x

    yield f(one), f(one)
    d.add(2)
    yield f(one), f(one)


@story
def a_method_that_is_mapped(deco):
    d = {"a": 1, "b": 2}
    get = d.get

    @deco
    def f(x):
        return [x * v for v in map(get, ["a", "b"])]

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_method_of_a_counter(deco):
    d = collections.Counter("aab")
    mc = d.most_common

    @deco
    def f(x):
        return mc(1), x

    yield f(one), f(one)
    d["b"] = 5
    yield f(one), f(one)


@story
def views_of_a_dict(deco):
    d = {"a": 1}
    v = d.values()
    k = d.keys()
    it = d.items()

    @deco
    def f(x):
        return x * sum(v), list(k), list(it)

    yield f(one), f(one)
    d["b"] = 5
    yield f(one), f(one)


@story
def a_view_of_the_keys(deco):
    d = {"a": 1}

    class Box:
        pass

    o = Box()
    o.v = d.keys()

    @deco
    def f(x):
        return "b" in o.v, x

    yield f(one), f(one)
    d["b"] = 5
    yield f(one), f(one)


@story
def a_method_of_a_proxy(deco):
    d = {"a": 1}
    v = types.MappingProxyType(d).get

    @deco
    def f(x):
        return x * v("a")

    yield f(one), f(one)
    d["a"] = 5
    yield f(one), f(one)


@story
def a_view_of_bytes(deco):
    b = bytearray(b"ab")
    m = memoryview(b)

    @deco
    def f(x):
        return x * m[0]

    yield f(one), f(one)
    b[0] = 5
    yield f(one)


@pytest.mark.parametrize("told", story)
def test_what_it_gives_is_what_the_container_holds_now(told):
    tell(told)


def of_arrays(deco):
    a = np.ones(2)
    total, put, fill, at = a.sum, a.__setitem__, a.fill, a.__getitem__

    @deco
    def f(x):
        put(1, x)
        if x > 2:
            fill(7.0)
        return x * total(), at(0), a.sum()

    yield f(one), f(one)
    a[0] = 5
    yield f(one), f(one + 2), f(one), a


def test_methods_of_arrays_read_and_change_what_the_array_holds_now():
    tell(of_arrays)
