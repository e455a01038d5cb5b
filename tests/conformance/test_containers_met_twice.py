"""Lists, dicts and records that a call meets by two ways: passed, and read outside."""

import collections
import dataclasses
import functools

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


@story
def a_list_that_is_passed_and_read_outside(deco):
    held = [1.0, 2.0]

    @deco
    def f(p):
        p.append(5.0)
        return len(held), p[-1]

    for _ in range(4):
        yield f(held)
    yield f([1.0, 2.0]), held


@story
def an_item_of_a_list_that_is_read_outside(deco):
    held = [one, one]

    @deco
    def f(p):
        p[0] = p[0] + 1
        return held[0]

    yield f(held), f(held), f([one]), f(held), held


@story
def a_list_that_is_changed_by_its_outer_name(deco):
    held = [one, one]

    @deco
    def f(p):
        held.append(one)
        return len(p), sum(p)

    yield f(held), f(held), f([one]), f(held), held


@story
def a_dict_that_gets_a_key(deco):
    table = {"a": one}

    @deco
    def f(p):
        p["b"] = one
        return len(table), list(table)

    yield f(table), f(table), f({"a": one}), table
    del table["b"]
    yield f(table), table


@story
def an_item_of_a_dict(deco):
    table = {"a": one}

    @deco
    def f(p):
        p["a"] = p["a"] + 1
        return table["a"]

    yield f(table), f(table), f({"a": one}), f(table), table


@story
def a_list_that_is_a_default_too(deco):
    held = [one]

    @deco
    def f(p, q=held):
        p.append(one)
        return len(q)

    yield f(held), f(held), f([one]), f(held), held


@story
def a_record_and_its_list(deco):
    @dataclasses.dataclass
    class P:
        a: object
        b: object

    q = P(one, [one])

    @deco
    def f(p, x):
        p.b.append(x)
        p.a = p.a + x
        return q.a, len(q.b)

    yield f(P(one, [one]), one), f(q, one), f(q, one), f(P(one, q.b), one)
    yield f(P(one, [one]), one), q.a, q.b


@story
def a_list_of_an_object(deco):
    class Box:
        pass

    o = Box()
    o.held = [one]

    @deco
    def f(p):
        p.append(one)
        return len(o.held)

    yield f(o.held), f(o.held), f([one]), f(o.held), o.held


@story
def a_list_inside_of_what_is_passed(deco):
    held = [one]

    @deco
    def f(d, x):
        d["k"].append(x)
        return len(held)

    yield f({"k": [one]}, one), f({"k": held}, one), f({"k": held}, one)
    yield f({"k": [one]}, one), held


@story
def lists_of_an_outer_tuple(deco):
    held = ([one], [one])

    @deco
    def f(d, x):
        d[0].append(x)
        return len(held[0]), len(held[1])

    yield f(([one], 1), one), f(held, one), f((held[1], 1), one), f(([one], 1), one)
    yield held


@story
def a_list_that_a_partial_holds(deco):
    held = [one]
    g = functools.partial(lambda l, x: x * len(l), held)

    @deco
    def f(d, x):
        d.append(x)
        return g(x)

    yield f([one], one), f(held, one), f(held, one), f([one], one), held


@story
def a_list_of_the_instance(deco):
    class A:
        def __init__(s):
            s.items = [one]

        def f(s, items, x):
            items.append(x)
            return len(s.items) * x

    A.f = deco(A.f)
    a = A()
    yield a.f([one], one), a.f(a.items, one), a.f(a.items, one), a.f([one], one)
    yield a.items


@story
def a_list_of_a_class(deco):
    class A:
        pass

    A.items = [one]

    @deco
    def f(items, x):
        items.append(x)
        return len(A.items) * x

    yield f([one], one), f(A.items, one), f(A.items, one), f([one], one), A.items


@story
def a_deque_and_an_ordered_dict(deco):
    table = collections.deque([one])
    Box = collections.OrderedDict(a=one)

    @deco
    def f(d, o, x):
        d.append(x)
        o["b"] = x
        return len(table), len(Box)

    yield f(collections.deque([one]), collections.OrderedDict(a=one), one)
    yield f(table, collections.OrderedDict(a=one), one), f(table, Box, one)
    yield f(table, Box, one)


@story
def beside_a_number_that_is_counted_outside(deco):
    held = [one]
    n = 0

    @deco
    def f(p, x):
        nonlocal n
        n += 1
        p.append(x)
        return len(held), n

    yield f([one], one), f(held, one), f(held, one), f([one], one), f([one], one), held


@story
def a_list_that_is_changed_and_put_back(deco):
    held = [one]

    @deco
    def f(p, x):
        p.append(x)
        n = len(held)
        p.pop()
        return n * x

    yield f([one], one), f(held, one), f(held, one), f([one], one)


@story
def two_that_are_one_changed_and_put_back(deco):
    @deco
    def f(p, q, x):
        p.append(x)
        n = len(q)
        p.pop()
        return n * x

    held = [one]
    yield f([one], [one], one), f(held, held, one), f(held, held, one)
    yield f([one], held, one)


@story
def a_list_that_a_branch_in_a_loop_changes(deco):
    held = [one]

    @deco
    def f(p, x):
        for k in range(3):
            if x > k:
                p.append(x)
        return len(held), sum(held)

    yield f([one], one), f(held, one), f(held, one), f([one], one), held


@story
def two_lists_that_are_one(deco):
    @deco
    def f(a, b):
        a.append(one)
        return len(b), a is b

    p = []
    q = []
    yield f(p, q), f(p, p), f(p, p), f(p, q), p, q


@story
def two_items_that_are_one(deco):
    @deco
    def f(a):
        a[0].append(one)
        return len(a[1]), a[0] is a[1]

    p = []
    q = []
    yield f([p, q]), f([p, p]), f([p, p]), f([p, q]), p, q


@story
def two_records_that_are_one(deco):
    import dataclasses

    @dataclasses.dataclass(eq=False)
    class P:
        a: object

    @deco
    def f(p, q):
        p.a = p.a + 1
        return q.a, p is q

    r, s = P(one), P(one)
    yield f(r, s), f(r, r), f(r, r), f(r, s)


@pytest.mark.parametrize("told", story)
def test_a_container_met_twice_is_one(told):
    tell(told)
