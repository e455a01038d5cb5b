"""Lists, dicts and tuples that are asked which of them are one."""

import copy
import operator

import numpy as np
import pytest

from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


@story
def a_list_that_is_asked_whether_it_is_the_one_outside(deco):
    held = [one, one]

    @deco
    def f(p):
        return p is held, p == held

    yield f(held), f(held), f([one, one]), f(held), held


@story
def two_lists_that_are_asked_whether_they_are_one(deco):
    @deco
    def f(a, b):
        return a is b

    p = []
    q = []
    yield f(p, q), f(p, p), f(p, p), f(p, q), p, q


@story
def items_that_are_asked_whether_they_are_one(deco):
    @deco
    def f(a, x):
        return [p is q for p in a for q in a], x

    p = [1]
    q = [1]
    yield f([p, q], one), f([p, p], one), f([p, q], one), f((p, q), one)
    yield f((p, p), one)


@story
def two_tuples_that_are_one(deco):
    @deco
    def f(a, b):
        return a is b

    p = (one,)
    q = (one,)
    yield f(p, q), f(p, p), f(p, p), f(p, q)


@story
def ids_of_lists(deco):
    held = [one]

    @deco
    def f(p, q):
        return id(p) == id(q), id(p) == id(held)

    a, b = [one], [one]
    yield f(a, b), f(a, a), f(held, b), f(a, b)


@story
def operators_that_ask_which_is_which(deco):
    held = [one]

    @deco
    def f(p, q):
        return operator.is_(p, q), operator.is_not(p, held)

    a, b = [one], [one]
    yield f(a, b), f(a, a), f(held, b), f(a, b)


@story
def a_deep_copy_of_two_that_are_one(deco):
    @deco
    def f(p):
        q = copy.deepcopy(p)
        q[0].append(one)
        return q

    a, b = [one], [one]
    yield f([a, b]), f([a, a]), f([a, a]), f([a, b])


@story
def two_outer_names_of_one_list(deco):
    A = [1]
    B = A

    @deco
    def f(x):
        return x if A is B else -x

    yield f(one)
    B = [1]
    yield f(one)
    A = B
    yield f(one)


@story
def an_outer_list_and_an_argument(deco):
    A = [1]

    @deco
    def f(p):
        return p is A

    yield f(A), f([1]), f(A)


@story
def lists_that_are_equal_by_being_one(deco):
    held = [np.nan]

    @deco
    def f(p, x):
        return p == held, p != held, p in [held], [p].index(held) if p in [held] else -1

    yield f([np.nan], one), f(held, one), f(held, one), f([np.nan], one)


@story
def a_default_that_is_told_by_being_itself(deco):
    NO = []

    @deco
    def f(x, p=NO):
        return x if p is NO else x + p[0]

    yield f(one), f(one), f(one, [one]), f(one, NO)


@pytest.mark.parametrize("told", story)
def test_what_is_one_is_found_to_be_one(told):
    tell(told)
