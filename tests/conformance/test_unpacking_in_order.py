"""Targets in targets, and targets that are places: from left to right, as Python."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
ROW = np.arange(3.0)
ONE = np.int64(1)


@PROGRAMS((ROW, ONE), (ROW, np.int64(3)))
def a_place_before_the_name_in_it(a, i):
    a[i], i = 7.0, i + 1
    return a, i


@PROGRAMS((ROW, ONE), (ROW, np.int64(2)))
def a_place_after_the_name_in_it(a, i):
    i, a[i] = i + 1, 7.0
    return a, i


@PROGRAMS((ROW, ONE))
def a_loop_whose_target_is_a_place(a, i):
    held = {"k": 0}
    for held["k"], i in zip(a, range(5), strict=False):
        if held["k"] > i:
            a[i] += 2
    return a, i, held


@PROGRAMS((ROW, ONE))
def a_pair_in_a_pair(a, i):
    pair = a[i], (a[0], i)
    x, (y, i) = pair
    return x, y, i


@PROGRAMS((ROW, ONE))
def names_before_one_that_does_not_fit(a, i):
    places = [0, 1]
    try:
        i, (places[0], places[1]), i = 5, (1, a[2], 3), 6
    except ValueError as error:
        print(error)
    return i, places


@PROGRAMS((ROW, ONE))
def stars_inside(a, i):
    [(p, *q), *(r, s)], t = ([1, 2, a[1]], i, 4), 5
    return p, q, r, s, t


@PROGRAMS((ROW, ONE), (np.arange(-3.0, 0.0), ONE))
def a_list_by_data(a, i):
    positive = [v for v in a if v > 0]
    try:
        (first, *others), i = positive, i + 1
    except ValueError as error:
        return str(error), i
    return first, others, i


@PROGRAMS((ROW, ONE))
def targets_of_a_loop(a, i):
    total = 0
    triples = [(x, x + 1, x + i) for x in a if x > 0]
    for k, (u, (v, *w)) in enumerate(zip(a, triples, strict=False)):
        total += k * u * v + sum(w)
    return total


@PROGRAMS((ROW, ONE))
def parts_of_arrays(a, i):
    (p, q), r = a[:2], i
    (p, q), a[i] = (q, p), p
    return p, q, r, a


@PROGRAMS((ROW, ONE))
def more_than_there_is(a, i):
    (p, q), r = a, i
    return p, q, r


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_targets_get_their_values_from_left_to_right(function, arguments):
    check(function, arguments)
