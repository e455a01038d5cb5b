"""Arrays from outside: which of them are one, and that they are returned themselves."""

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


class Holder:
    def __init__(self, a):
        self.a = a


@story
def changed_and_returned(deco):
    a, o, n = np.zeros(2), Holder(np.zeros(2)), 0

    @deco
    def f(x):
        a[0] = x
        return a

    @deco
    def g(x):
        nonlocal n
        n += 1
        o.a += x
        return o.a, [a]

    for k in range(3):
        yield f(one * k) is a, a
        result = g(one)
        yield result[0] is o.a, result[1][0] is a, o.a, n
    o.a = a
    result = g(one)
    yield result[0] is o.a is a, a


@story
def one_of_two_returned(deco):
    a, b = np.zeros(2), np.zeros(2)

    @deco
    def f(x):
        chosen = a if x > 0 else b
        chosen[0] = x
        return chosen

    yield f(one) is a, f(-one) is b, a, b


@story
def a_part_returned(deco):
    a = np.zeros(3)

    @deco
    def f(x):
        v = a[1:]
        v[0] = x
        return v, a

    v, whole = f(one)
    yield v.base is a, whole is a, a
    v[1] = 5
    yield a, f(one)


@story
def passed_and_outside(deco):
    a = np.zeros(2)
    f = deco(lambda v, x: (v is a, x))
    for v in (a, np.zeros(2), a, a[:]):
        yield f(v, one), f(v, one)


@story
def passed_and_in_a_place(deco):
    o = Holder(np.zeros(2))

    @deco
    def f(v, x):
        before = v is o.a
        o.a = v
        return before, v is o.a, x

    a, b = np.zeros(2), np.ones(2)
    for v in (a, a, b, b, o.a, a):
        yield f(v, one), o.a is v


@story
def in_a_place_and_outside(deco):
    a = np.zeros(2)
    held = {"a": np.zeros(2), "n": 0}

    @deco
    def f(v):
        same = held["a"] is a
        held["a"] = v
        held["n"] += 1
        return same

    for v in (np.ones(2), a, a, np.ones(2), a):
        yield f(v), held


@story
def passed_and_changed_in_a_place(deco):
    held = {"a": np.zeros(2), "n": 0}

    @deco
    def f(v, x):
        held["n"] += 1
        held["a"][...] += x
        return v[0], x

    for v in (np.ones(2), held["a"], held["a"], np.ones(2), held["a"][:]):
        yield f(v, one), f(v, one), held


@story
def sums_of_a_list_outside_that_gets_ints_and_floats(deco):
    held, n = [5.0], 0

    @deco
    def f(p, x):
        nonlocal n
        n += 1
        held.append(len(p))
        return sum(held), x

    yield f([one], one), f([one] * 2, one), f([], one), held


@pytest.mark.parametrize("told", story)
def test_an_array_outside_is_itself(told):
    tell(told)
