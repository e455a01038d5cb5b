"""Two names of one list, where paths meet and in loops."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


def rebound_in_a_branch(x):
    a = [x]
    keep = a
    if x > 0:
        a = [x + 1]
    a[0] = 5.0
    return keep, a


def changed_in_a_loop(x):
    a = [x, 1.0]
    b = a
    while abs(x) < 10:
        a[0] = a[0] + x
        x = x * 2
    return b, a is b


def rebound_in_a_loop(x):
    items = [x, x]
    keep = items
    n = 0
    while n < x:
        items = [items[0] + 1, items[1]]
        items[0] += 1
        n += 1
    keep[1] = 7.0
    return keep, items


def changed_before_it_is_rebound(x):
    items = [0.0]
    keep = items
    n = 0
    while n < x:
        items[0] += 1
        items = [items[0]]
        n += 1
    return keep, items


def lists_in_dicts(x):
    d = {"a": [x]}
    e = d
    if x > 0:
        d["b"] = d["a"]
    else:
        d = {"a": [x * 2]}
    d["a"].append(x)
    return d, e


def arrays_of_two_kinds(x):
    a = np.zeros(2, int)
    if x > 0:
        a = np.ones(2)
    return a, a.dtype


def tuple_that_grows(x):
    t = ()
    for i in range(4):
        if x > i:
            t += (i,)
    return t


def text_that_grows(x):
    s = ""
    for i in range(3):
        if x > i:
            s += str(i)
        else:
            s += "-"
    return s, len(s)


def one_in_two_places(x):
    row = [x]
    rows = [row, row]
    other = row if x > 0 else rows[1]
    if x > 1:
        other.append(1)
    return rows, other is row


def made_under_two_names(x):
    if x > 0:
        a = [x]
        b = a
    else:
        a = [1.0]
        b = [1.0]
    a.append(2.0)
    return a, b


def made_and_put_in_a_list(x):
    a = b = None
    if x > 0:
        a = [x]
        b = [a, a]
    if b is not None:
        b[0].append(3.0)
    return a, b


def sets_of_two_paths(x):
    if x > 0:
        a = {1}
        a.add(2)
    else:
        a = {3}
    b = a
    b.add(7)
    return a


def put_in_two_places(x):
    d = {}
    if x > 0:
        r = [x]
        d["p"] = r
        d["q"] = r
    else:
        d["p"] = [1.0]
        d["q"] = [2.0]
    d["p"].append(0.0)
    return d


PROGRAMS = [
    *(rebound_in_a_branch, changed_in_a_loop, rebound_in_a_loop),
    *(changed_before_it_is_rebound, lists_in_dicts, arrays_of_two_kinds),
    *(tuple_that_grows, text_that_grows, one_in_two_places),
    *(made_under_two_names, made_and_put_in_a_list, sets_of_two_paths),
    *(put_in_two_places,),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("number", [2.5, -3.0])
def test_two_names_of_one_list_are_two_names_of_one(program, number):
    assert_same_as_python(program, np.float64(number))
