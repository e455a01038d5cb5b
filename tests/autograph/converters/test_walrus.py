"""`:=` wherever an expression may stand, with what it binds kept as Python keeps it."""

import numpy as np
import pytest

import autograph as ag
from tests.autograph.converters.samples import Sample, Samples, name, say
from tests.autograph.decorated import load

samples = Samples()


def half(x):
    return x // 2


@samples((1, 1), (1, -2), (-1, 1))
def in_an_and(x, y):
    z = 5
    if x > 0 and (z := y + 1) > 0:
        return z
    return z * 10


@samples((1, 1), (1, -2), (-1, 1))
def in_an_or(x, y):
    z = 5
    if x > 0 or (z := y + 1) > 0:
        return z
    return z * 10


@samples((1, 1), (0, 1))
def bound_on_one_path_only(x, y):
    if x > 0 and (z := y + 1) > 0:
        print("both")
    return z


@samples((3, 1), (3, 9), (-1, 1))
def later_operands_read_what_earlier_ones_bind(x, y):
    if x > 0 and (z := half(x + y)) < 5 and (w := z * 2) > 1 and w > z:
        return z, w
    return x, y


@samples((4, 1), (-4, 1))
def in_both_cases_of_a_conditional(x, y):
    z = (a := x + y) if x > 0 else (a := x - y) + (b := 3)
    b = 7
    return z, a, b


@samples((4, 1), (-4, 1))
def in_one_case_of_a_conditional(x, y):
    a = y
    z = (a := x + y) if x > 0 else y
    return z, a


@samples((0, 1), (5, 1), (5, 9), (5, 20))
def in_a_chain(x, y):
    low = high = 0
    found = x > (low := y) and 0 < (low := x) < (high := y) < 10
    return found, low, high


@samples((0, 1), (5, 1))
def nested_choices(x, y):
    a = b = c = 0
    r = (x > 1 and ((a := x) > y or (b := y) > 0)) or (c := x + 1) > 2
    return r, a, b, c


@samples((7,), (0,), (100,))
def in_the_test_of_a_while(n):
    last = steps = 0
    while n > 0 and (last := half(n)) > 1:
        n = last
        steps += 1
    return n, last, steps


@samples((7,), (0,), (12,))
def in_a_while_whose_body_reads_it(n):
    seen = 0
    while (m := n - 1) > 0 or (k := n) > 5:
        seen += m
        n = half(n)
    return n, m, seen, k


@samples((3, 1), (-3, 1))
def in_arguments_and_subscripts(x, y):
    items = [1, 2, 3]
    total = max(a := x, b := y) + items[c := 1]
    if x > 0 and items[d := 2] > half(e := x):
        total += d + e
    return total, a, b, c


@samples((3, 1), (-3, 1), (0, 1))
def with_effects_in_order(x, y):
    if say("a", (a := x) > 0) and say("b", (b := a + y) > 2):
        print(a, b)
    elif say("c", (c := a - y) < 0) or say("d", (c := a) == 0):
        print(a, c)
    return a


@samples((3, 0), (-3, 0))
def in_a_return(x, y):
    return (y := x * 2) if x > 0 else (y := -x) + y


@samples((3, 1), (-3, 1))
def of_a_lambda(x, y):
    chosen = lambda v, w=half(x): v > 0 and (k := v + w) > 0 and k > w
    return chosen(x), chosen(-x), chosen(y, w=y)


@samples((3, 1), (-3, 1))
def in_a_message(x, y):
    m = 0
    try:
        assert x != 100, (m := x + 1)  # noqa: RUF018
    finally:
        y += 1
    return m, y


@samples((3, 1), (-3, 1))
def nonlocal_and_list(x, y):
    count = 0

    def counted(v):
        nonlocal count
        return v > 0 and (count := count + 1) > 0

    first, second = counted(x), counted(y)
    return first, second, count


@samples((3, 1), (-3, 1))
def of_a_list_that_is_changed(x, y):
    items = [x, y]
    found = x > 0 and (last := items[0]) > y and (items.reverse() or last > 1)
    return found, items


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_walrus_does_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_walrus_does_what_python_does(sample):
    sample.check_staged()


def test_a_message_that_binds_a_name(tmp_path):
    # In a file of its own: pytest writes the asserts of its tests anew.
    text = """
def program(x, y):
    assert x > 0, f"{(m := x + y)} and {m}"
    return y
"""
    program = load(tmp_path / "asserting.py", text)["program"]
    Sample(program, ((3, 1), (-3, 1))).check_staged()


decorated = lambda x: x > 0 and (y := x + 1) > 3 and y > x


def test_a_decorated_lambda_may_bind_names():
    staged = ag.function(decorated)
    for x in (3, -3, 1):
        assert staged(np.int64(x)) == decorated(np.int64(x))
    assert "def <lambda>" not in ag.to_code(decorated)
