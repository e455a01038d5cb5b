"""Functions, partials and bound methods whose code, defaults or content is changed."""

import functools

import numpy as np
import pytest

import autograph as ag
from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


@story
def a_keyword_default_changed_in_place(deco):
    def raw(x, *, k=1):
        return x * k

    f = deco(raw)
    yield f(one), f(one)
    raw.__kwdefaults__["k"] = 5
    yield f(one), f(one)
    raw.__kwdefaults__["k"] = 1
    yield f(one)


@story
def a_keyword_default_of_what_is_decorated(deco):
    def raw(x, *, k=1):
        return x * k

    f = deco(raw)
    yield f(one), f(one)
    f.__kwdefaults__["k"] = 5
    yield f(one), f(one)


@story
def the_code_of_what_is_decorated(deco):
    def raw(x):
        return x * 1

    def other(x):
        return x * 5

    f = deco(raw)
    yield f(one), f(one)
    raw.__code__ = other.__code__
    yield f(one), f(one)


@story
def the_code_and_its_parameters(deco):
    def raw(x):
        return x * 1

    def other(x, y=2):
        return x * 5 * y

    f = deco(raw)
    yield f(one), f(one)
    raw.__code__ = other.__code__
    raw.__defaults__ = (2,)
    yield f(one), f(one, 3)


@story
def the_code_of_a_function_in_a_list(deco):
    def raw(x):
        return x * 1

    def other(x):
        return x * 5

    held = [raw]

    @deco
    def f(x):
        return held[0](x)

    yield f(one), f(one)
    raw.__code__ = other.__code__
    yield f(one), f(one)


@story
def the_code_of_a_function_that_is_passed(deco):
    def raw(x):
        return x * 1

    def other(x):
        return x * 5

    @deco
    def f(g, x):
        return g(x)

    yield f(raw, one), f(raw, one)
    raw.__code__ = other.__code__
    yield f(raw, one), f(raw, one)


@story
def the_code_of_a_method(deco):
    class A:
        def m(self, x):
            return x

    def other(self, x):
        return x * 5

    a = A()

    @deco
    def f(x):
        return a.m(x)

    yield f(one), f(one)
    A.m.__code__ = other.__code__
    yield f(one), f(one)


@story
def the_keywords_of_a_partial(deco):
    def raw(x, k=1):
        return x * k

    p = functools.partial(raw, k=2)

    @deco
    def f(x):
        return p(x)

    yield f(one), f(one)
    p.keywords["k"] = 5
    yield f(one), f(one)


@story
def the_keywords_of_a_partial_that_is_passed(deco):
    def raw(x, k=1):
        return x * k

    p = functools.partial(raw, k=2)

    @deco
    def f(p, x):
        return p(x)

    yield f(p, one), f(p, one)
    p.keywords["k"] = 5
    yield f(p, one), f(p, one)


@story
def the_keywords_of_a_decorated_partial(deco):
    def raw(x, k=1):
        return x * k

    p = functools.partial(raw, k=2)
    f = deco(p)
    yield f(one), f(one)
    p.keywords["k"] = 5
    yield f(one), f(one)


@story
def a_list_in_a_partial(deco):
    def raw(k, x):
        return x * k[0]

    held = [2]
    p = functools.partial(raw, held)

    @deco
    def f(x):
        return p(x)

    yield f(one), f(one)
    held[0] = 5
    yield f(one), f(one)


@story
def a_partial_in_a_list(deco):
    def raw(x, k=1):
        return x * k

    p = [functools.partial(raw, k=2)]

    @deco
    def f(x):
        return p[0](x)

    yield f(one), f(one)
    p[0].keywords["k"] = 5
    yield f(one), f(one)


@story
def the_keywords_of_a_partial_method(deco):
    class A:
        def m(self, x, k):
            return x * k

        n = functools.partialmethod(m, k=2)

    a = A()

    @deco
    def f(x):
        return a.n(x)

    yield f(one), f(one)
    A.__dict__["n"].keywords["k"] = 5
    yield f(one)


@pytest.mark.parametrize("told", story)
def test_a_later_change_is_seen(told):
    tell(told)


def test_a_concrete_function_refuses_other_code():
    def raw(x):
        return x

    def other(x):
        return -x

    made = ag.function(raw).get_concrete_function(one)
    assert [made(one), made(one), made(one)] == [1.0] * 3
    raw.__code__ = other.__code__
    with pytest.raises(TypeError) as caught:
        made(one)
    assert str(caught.value) == "raw: the code of the function is another one now"


def test_code_that_is_put_back_is_traced_again():
    def raw(x):
        return x + 1

    f = ag.function(raw)
    code = raw.__code__
    for body in ((lambda x: x * 3).__code__, code, code):
        f.__code__ = body
        assert f(one) == raw(one)
    assert raw.__code__ is code
