"""Sets of another order, and objects that are given another class."""

import functools

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


def sets_of_other_order():
    """Two sets that are equal, and gone through in another order."""
    a, b = {8, 0}, {0, 8}
    assert a == b
    assert list(a) != list(b)
    return a, b


@story
def a_set_outside(deco):
    a, b = sets_of_other_order()
    s = a

    @deco
    def f(x):
        r = x
        for k in s:
            r = r * 10 + k
        return r

    yield f(one)
    s = b
    yield f(one)
    s = a
    yield f(one)


@story
def a_set_that_is_passed(deco):
    a, b = sets_of_other_order()

    @deco
    def f(s, x):
        r = x
        for k in s:
            r = r * 10 + k
        return r

    yield f(a, one), f(b, one), f(a, one), f(b, one)


@story
def a_frozenset(deco):
    a, b = map(frozenset, sets_of_other_order())
    s = a

    @deco
    def f(x):
        r = x
        for k in s:
            r = r * 10 + k
        return r

    yield f(one)
    s = b
    yield f(one)
    s = a
    yield f(one)


@story
def a_key_that_is_a_frozenset(deco):
    a, b = map(frozenset, sets_of_other_order())
    s = {a: 1}

    @deco
    def f(x):
        r = x
        for q in s:
            for k in q:
                r = r * 10 + k
        return r

    yield f(one)
    s = {b: 1}
    yield f(one)
    s = {a: 1}
    yield f(one)


@story
def a_key_of_what_is_passed(deco):
    a, b = map(frozenset, sets_of_other_order())

    @deco
    def f(s, x):
        r = x
        for q in s:
            for k in q:
                r = r * 10 + k
        return r

    yield f({a: 1}, one), f({b: 1}, one), f({a: 1}, one)


@story
def a_frozenset_in_a_set(deco):
    a, b = map(frozenset, sets_of_other_order())
    s = {a}

    @deco
    def f(x):
        r = x
        for q in s:
            for k in q:
                r = r * 10 + k
        return r

    yield f(one)
    s = {b}
    yield f(one)
    s = {a}
    yield f(one)


@story
def a_set_changed_in_place(deco):
    a, _b = sets_of_other_order()
    s = a

    @deco
    def f(x):
        r = x
        for k in s:
            r = r * 10 + k
        return r

    yield f(one)
    s.clear()
    s.add(0)
    s.add(8)
    yield list(s), f(one)


@story
def a_set_that_the_function_changes(deco):
    a, b = sets_of_other_order()
    s = a

    @deco
    def f(x):
        return x * s.pop()

    yield f(one)
    s = b
    yield f(one), list(a), list(b)


@story
def a_set_of_an_object(deco):
    a, b = sets_of_other_order()

    class Box:
        pass

    o = Box()
    o.s = a

    @deco
    def f(x):
        return x, list(o.s), str(o.s)

    yield f(one)
    o.s = b
    yield f(one)
    o.s = a
    yield f(one)


@story
def the_type_of_an_object(deco):
    class A:
        k = 1

    class B:
        k = 2

    o = A()

    @deco
    def f(x):
        return x * (1 if type(o) is A else 5)

    yield f(one), f(one)
    o.__class__ = B
    yield f(one)
    o.__class__ = A
    yield f(one)


@story
def what_an_object_is_an_instance_of(deco):
    class A:
        pass

    class B:
        pass

    o = A()

    @deco
    def f(x):
        return x * (1 if isinstance(o, A) else 5)

    yield f(one), f(one)
    o.__class__ = B
    yield f(one)
    o.__class__ = A
    yield f(one)


@story
def the_class_of_an_argument(deco):
    class A:
        pass

    class B:
        pass

    o = A()

    @deco
    def f(o, x):
        return x * (1 if type(o) is A else 5)

    yield f(o, one), f(o, one)
    o.__class__ = B
    yield f(o, one)
    o.__class__ = A
    yield f(o, one)


@story
def the_name_of_its_class(deco):
    class A:
        pass

    class B:
        pass

    o = A()

    @deco
    def f(o, x):
        print(o.__class__.__name__)
        return x

    yield f(o, one), f(o, one)
    o.__class__ = B
    yield f(o, one)
    o.__class__ = A
    yield f(o, one)


@story
def the_class_of_an_item(deco):
    class A:
        pass

    class B:
        pass

    o = [A()]

    @deco
    def f(x):
        return [type(p).__name__ for p in o], x

    yield f(one), f(one)
    o[0].__class__ = B
    yield f(one)
    o[0].__class__ = A
    yield f(one)


@story
def the_class_that_is_matched(deco):
    class A:
        pass

    class B:
        pass

    o = A()

    @deco
    def f(x):
        match o:
            case A():
                return x
            case B():
                return x * 5

    yield f(one), f(one)
    o.__class__ = B
    yield f(one)
    o.__class__ = A
    yield f(one)


@story
def the_class_that_is_dispatched_on(deco):
    class A:
        pass

    class B:
        pass

    @functools.singledispatch
    def g(o, x):
        return x

    g.register(B, lambda o, x: x * 5)
    o = A()

    @deco
    def f(x):
        return g(o, x)

    yield f(one), f(one)
    o.__class__ = B
    yield f(one)
    o.__class__ = A
    yield f(one)


@story
def the_class_that_is_a_key(deco):
    class A:
        pass

    class B:
        pass

    t = {A: 1, B: 5}
    o = A()

    @deco
    def f(x):
        return x * t[type(o)]

    yield f(one), f(one)
    o.__class__ = B
    yield f(one)
    o.__class__ = A
    yield f(one)


@pytest.mark.parametrize("told", story)
def test_a_later_change_is_seen(told):
    tell(told)
