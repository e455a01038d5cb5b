"""Containers that operators make, changed by the function that has made them."""

from itertools import repeat

import numpy as np
import pytest

from tests.conformance.trying import check


def bytes_of_a_product(n):
    made = bytearray(b"\x01") * 9
    made[1::2] = repeat(0, 4)
    more = made + b"abc"
    more[0] = 7
    return made, more


def union_of_dicts(n):
    one = {"a": 1}
    both = one | {"b": 2}
    both["c"] = n
    return one, both


def sets(n):
    union, rest = {1} | {2}, {1, 2, 3} - {2}
    union.add(3)
    rest.discard(1)
    if n > 2:
        union.add(7)
    return union, rest


def made_by_names(xs, n):
    ys = xs + xs
    ys[0] = n
    zs = ys * 2
    zs.append(n)
    return xs, ys, zs


@pytest.mark.parametrize("function", [bytes_of_a_product, union_of_dicts, sets])
def test_what_an_operator_makes_may_be_changed(function):
    check(function, ((1,), (2,), (3,), (4,)))
    check(function, ((np.int64(1),), (np.int64(3),)))


def test_what_an_operator_makes_of_an_argument_may_be_changed():
    check(made_by_names, (([1, 2], np.int64(1)), ([1.5, 2.5], 3)))
