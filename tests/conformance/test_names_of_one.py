"""Two names of one list, which holds one of several contents, or is one of several."""

import warnings
from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


# --- two names of one list, which holds one of several contents -----------------------
def one_of_two(x, i):
    if i > 1:
        x.append("a")
    else:
        x.extend(["b", "c"])
    return x, x


def added_in_a_loop(i):
    x, y = one_of_two([], i)
    for _ in range(i):
        x += [i]
        y.append(3)
    return x, y, x is y


def added_in_a_branch(i):
    x, y = one_of_two([], i)
    if i > 0:
        x += ["z"]
    return x, y, x is y


def repeated_in_a_loop(i):
    x, y = one_of_two([], i)
    seen = []
    for _ in range(i):
        x *= 2
        seen.append(len(y))
    return x, y, seen


def another_one_in_a_branch(i):
    x, y = one_of_two([], i)
    if i > 2:
        x = [1]
    x += ["e"]
    return x, y, x is y


def added_to_a_deque(i):
    x, y = one_of_two(deque(), i)
    for _ in range(i):
        x += ["z"]
    return list(x), list(y), x is y


def joined_to_a_dict(i):
    x = {}
    y = x
    if i > 1:
        x["a"] = 1
    else:
        x.update(b=2, c=3)
    for _ in range(i):
        x |= {"z": i}
    return x, y, x is y


def a_set_that_a_loop_names(i):
    x = set()
    if i > 1:
        x.add(2.5)
    y = x
    for _ in range(i):
        y = x
    return x, y, x is y


def added_to_a_row(i):
    rows = [[], []]
    x, _ = one_of_two(rows[0], i)
    k = 0
    while k < i:
        rows[0] += ["z"]
        x += ["y"]
        k += 1
    return rows, x, x is rows[0]


def exchanged(i):
    x, y = one_of_two([], i)[0], ["q"]
    for _ in range(i):
        x, y = y, x
        x += ["s"]
    return x, y


def held_by_a_function(i):
    x, _ = one_of_two([], i)
    for _ in range(i):
        x += ["n"]
        if len(x) > 3:
            break
    return x, (lambda: x)() is x


def held_by_a_tuple(i):
    x, _ = one_of_two([], i)
    pair = x, 1
    for k in range(i):
        x += ["n"]
        pair = x, k
    return pair, x, pair[0] is x


def added_by_a_helper(i):
    def grown(v):
        for _ in range(i):
            v += ["g"]
        return v

    x, _ = one_of_two([], i)
    y = grown(x)
    return x, y, x is y


@pytest.mark.parametrize(
    "function",
    [
        *(added_in_a_loop, added_in_a_branch, repeated_in_a_loop),
        *(another_one_in_a_branch, added_to_a_deque, joined_to_a_dict),
        a_set_that_a_loop_names,
        *(added_to_a_row, exchanged, held_by_a_function, held_by_a_tuple),
        added_by_a_helper,
    ],
)
def test_two_names_of_one_list_stay_two_names_of_it(function):
    check(function, tuple((np.int64(i),) for i in (2, 1, 3, 0)))


# --- what an operator changes, outside of the branch that chose it --------------------
def grown(held, more):
    held += more


def by_a_helper_in_a_branch(i):
    x = []
    if i > 1:
        grown(x, ["g"])
    return x


def by_a_helper_that_is_given_one_of_two(i):
    x, y = [1], [2]
    z = y if i > 1 else x
    grown(z, ["g"])
    return x, y, z is x


def one_of_two_lists(i):
    x, y = [1], [2]
    z = x
    if i > 1:
        z = y
    z *= 2
    z += (5,)
    z += "ab"
    return x, y, z


def one_of_two_sets(i):
    x, y = {1}, {2}
    z = x
    if i > 1:
        z = y
    z |= {7}
    z -= {1}
    return x, y, z


def one_of_two_dicts(i):
    x, y = {1: 2}, {2: 3}
    z = x
    if i > 1:
        z = y
    z |= {7: 8}
    return x, y, z


def a_list_or_another_thing(i):
    x, y = [1], 2.5
    z, w = (y, "t") if i > 1 else (x, x)
    z *= 2
    w += "cd"
    return x, y, z, w


def a_list_or_a_text(i):
    x, y = [1], "ab"
    z = x
    if i > 1:
        z = y
    z += "cd"
    return x, y, z


def by_one_of_two(i):
    x, s, d, q = [i], {1}, {1: i}, deque([1])
    x2, s2, d2, q2 = x, s, d, q
    if i > 1:
        x2, s2, d2, q2 = [5], {5}, {5: 2}, deque([5])
    x += x2
    s |= s2
    d |= d2
    q += q2
    s ^= s2
    return x, s, d, q, x2, s2, d2, q2


@pytest.mark.parametrize(
    "function",
    [
        *(by_a_helper_in_a_branch, by_a_helper_that_is_given_one_of_two),
        *(one_of_two_lists, one_of_two_sets, one_of_two_dicts),
        *(a_list_or_another_thing, a_list_or_a_text, by_one_of_two),
    ],
)
def test_an_operator_changes_what_the_name_holds_alone(function):
    check(function, tuple((np.int64(i),) for i in (2, 1, 3, 0)))


def told_in_a_handler(i):
    x, y = one_of_two([], i)
    try:
        for k in range(i):
            x += ["n"]
            if k == 1:
                raise ValueError(len(y))
    except ValueError as error:
        y += [str(error)]
    return x, y, x is y


def test_one_that_no_graph_tells_from_the_other_is_pythons():
    for i in (2, 1, 3, 0):
        with ag.config(strict=False), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ag.function(told_in_a_handler)(np.int64(i))
        assert found == told_in_a_handler(np.int64(i))
