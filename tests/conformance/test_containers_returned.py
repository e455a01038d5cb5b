"""Lists, dicts and sets from outside that a function returns, or puts elsewhere."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.stories import Stories, tell

one = np.float64(1.0)
story = Stories()


@story
def of_an_attribute(deco):

    class Box:
        pass

    b = Box()
    b.held = [1, 2]

    @deco
    def f(x):
        return b.held

    r = f(one)
    yield r is b.held
    r = f(one)
    yield r is b.held
    b.held = [1, 2]
    r = f(one)
    yield r is b.held
    r = f(one)
    yield r is b.held


@story
def of_a_variable(deco):
    held = [1, 2]

    @deco
    def f(x):
        return held

    r = f(one)
    yield r is held
    r = f(one)
    yield r is held
    held = [1, 2]
    r = f(one)
    yield r is held
    r = f(one)
    yield r is held


@story
def inside_of_another_one(deco):
    held = [[1], 2]

    @deco
    def f(x):
        return held[0]

    r = f(one)
    yield r is held[0]
    r = f(one)
    yield r is held[0]
    held[0] = [1]
    r = f(one)
    yield r is held[0]
    r = f(one)
    yield r is held[0]


@story
def a_dict_beside_a_number(deco):
    held = {"a": 1}

    @deco
    def f(x):
        return (held, x)

    r = f(one)[0]
    yield r is held
    r = f(one)[0]
    yield r is held
    held = {"a": 1}
    r = f(one)[0]
    yield r is held
    r = f(one)[0]
    yield r is held


@story
def a_set(deco):
    held = {"a"}

    @deco
    def f(x):
        return [held, x]

    r = f(one)[0]
    yield r is held
    r = f(one)[0]
    yield r is held
    held = {"a"}
    r = f(one)[0]
    yield r is held
    r = f(one)[0]
    yield r is held


@story
def put_into_an_argument(deco):
    held = [1]

    @deco
    def f(p):
        p.append(held)

    q = []
    f(q)
    yield q[0] is held
    held = [1]
    q = []
    f(q)
    yield q[0] is held
    q = []
    f(q)
    yield q[0] is held


@story
def put_into_an_attribute(deco):
    class Box:
        pass

    o = Box()
    held = [1]

    @deco
    def f(x):
        o.k = held
        return x

    f(one)
    yield o.k is held
    held = [1]
    f(one)
    yield o.k is held
    held = [1]
    f(one)
    yield o.k is held


@story
def put_into_an_outer_list(deco):
    kept = []
    held = [1]

    @deco
    def f(x):
        kept.append(held)
        return x

    f(one)
    yield kept[-1] is held
    held = [1]
    f(one)
    yield kept[-1] is held
    held = [1]
    f(one)
    yield kept[-1] is held, kept


@story
def changed_and_returned(deco):
    held = [1.0, 2.0]

    @deco
    def f(x):
        held[0] += x
        return held

    for k in range(4):
        r = f(one)
        yield r is held, list(r)
    held = [1.0, 2.0]
    for k in range(4):
        r = f(one)
        yield r is held, list(r)


@story
def at_the_end_of_a_way(deco):
    class Box:
        pass

    o = Box()
    o.p = Box()
    o.p.q = {"a": [1]}

    @deco
    def f(x):
        return o.p.q["a"], x

    yield f(one)[0] is o.p.q["a"], f(one)[0] is o.p.q["a"]
    o.p.q = {"a": [1]}
    yield f(one)[0] is o.p.q["a"], f(one)[0] is o.p.q["a"]
    o.p.q["a"] = [1]
    yield f(one)[0] is o.p.q["a"], f(one)[0] is o.p.q["a"]


@story
def one_of_two(deco):
    A = [1]
    B = [1]

    @deco
    def f(x):
        return A if x > 0 else B

    yield f(one) is A, f(-one) is B
    A = [1]
    yield f(one) is A, f(-one) is B
    B = [1]
    yield f(one) is A, f(-one) is B


@story
def changed_by_a_branch(deco):
    d, held, names = {"a": one}, [one], {"a"}

    @deco
    def f(x):
        if x > 0:
            d["c"] = x
        else:
            d["b"] = x
        if x > 1:
            held.append("t")
        if x > 2:
            names.add("q")
        return [d, held, names]

    for x in (1, -1, 2, 3):
        result = f(one * x)
        yield result[0] is d, result[1] is held, result[2] is names
        yield d, held, sorted(names)


@story
def changed_by_a_branch_and_kept(deco):
    box, d = [None], {"a": one}

    @deco
    def f(x):
        if x > 0:
            d["c"] = x
        box[0] = d
        return box[0], len(d)

    for x in (-1, 1, 2):
        yield f(one * x)[0] is d, box[0] is d, d


@story
def put_into_a_place_by_a_branch_in_a_branch(deco):
    held = {"d": {"a": 1.0}, "s": {"a"}, "l": [1.0]}
    other = {"d": {"a": 1.0}, "s": {"a"}, "l": [1.0]}

    @deco
    def f(x):
        found = []
        if x > 1:
            if x > 0:
                held["d"] = other["d"]
                held["s"] = other["s"]
                held["l"] = other["l"]
            else:
                found.append(1)
        return x, found

    for x in (1, 2, 1):
        yield f(one * x), [held[name] is other[name] for name in held]


@pytest.mark.parametrize("told", story)
def test_what_is_returned_is_the_container_that_is_outside_now(told):
    tell(told)


def test_numbers_of_a_list_that_is_returned_still_become_inputs():
    held = [1.0, 2.0]

    @ag.function
    def f(x):
        return held, x * held[0]

    for n in range(12):
        held[0] = float(n)
        result = f(one)
        assert result[0] is held
        assert result[1] == n
    assert len(f.concrete_functions) < 5


def test_a_comparison_with_none_asks_nothing_of_the_lists_that_are_passed():
    @ag.function
    def f(p, x):
        return x if p is None else x + p[0]

    held = [one]
    assert [f(held, one), f([one], one), f(None, one)] == [2.0, 2.0, 1.0]
    assert not any(made.traced.asks_identity for made in f.concrete_functions)
