"""What is evaluated, bound and stored in which order, where one changes the other."""

from contextlib import contextmanager

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
X = np.arange(4.0)
ONE = np.int64(1)


def said(word, value):
    print(word)
    return value


@PROGRAMS((X, ONE))
def the_value_before_the_place(x, i):
    x[said("place", i)] = said("value", 5.0)
    x[said("place", i)] += said("value", 5.0)
    return x


@PROGRAMS((X, ONE))
def targets_from_left_to_right(x, i):
    i = x[i] = 3
    x[i - 1] = i = 2
    return x, i


@PROGRAMS((X, ONE))
def targets_of_loops(x, i):
    for i, x[i] in enumerate(x * 2):
        if x[i] > 3:
            break
    for x[i] in range(3):
        if x[i] > 0:
            i = i - 1
    return x, i


@PROGRAMS((X, ONE))
def names_of_an_outer_function(x, i):
    n = 0

    def step():
        nonlocal n, i
        n, i = i, n + 1
        i, x[i] = i + 1, 9.0

    step()
    if x[1] > 0:
        step()
    return x, i, n


@PROGRAMS((X, ONE))
def a_name_that_a_later_place_needs(x, i):
    a, b = 0, 1
    while b < x.sum() * 4:
        a, b = b, a + b
        i, x[i % 4] = i + 1, b
    return a, b, x, i


@PROGRAMS((X, ONE))
def a_star_in_a_place(x, i):
    *x[:2], i = x[2], i, x[0]
    return x, i


@PROGRAMS((X, ONE))
def a_place_after_which_one_fails(x, i):
    try:
        x[i], i, x[i] = 5.0, 9, 1.0
    except IndexError as error:
        print(error)
    return x, i


@PROGRAMS((X, ONE))
def lists_and_their_names(x, i):
    xs = [0, 1, 2]
    xs[0], xs = 5, xs
    xs[i], ys = xs[0], xs
    i, xs[i], xs = i - 1, 7, [x[i]]
    return xs, ys, i


@PROGRAMS((X, ONE))
def targets_of_with(x, i):
    @contextmanager
    def pair(v):
        yield v, v + 1

    with pair(i) as (j, x[i]):
        if x[j] > 1:
            i = i + 1
    return x, i, j


@PROGRAMS((X, ONE))
def targets_of_comprehensions(x, i):
    pairs = [(1, 2.0), (3, x[i])]
    return [(k, v) for k, x[0] in pairs for v in [x[0] * k]], x


@PROGRAMS((X, ONE))
def walruses_in_an_augmented_store(x, i):
    x[(i := i - 1)] += (i := i + 2)
    x[i] -= (k := 3)
    x[(m := i)] *= (n := i + 1) if x[i] > 0 else (n := 0)
    while i < 3:
        x[i] += (i := i + 1)
    return x, i, k, m, n


@PROGRAMS((X, ONE))
def walruses_in_an_augmented_attribute(x, i):
    class Held:
        value = 1.0

    held = Held()
    held.value += (k := i + 1) * x[k]
    if x[i] > 0:
        held.value -= (k := x[i - 1] + 1)
    return held.value, k


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_order_is_pythons(function, arguments):
    check(function, arguments)
