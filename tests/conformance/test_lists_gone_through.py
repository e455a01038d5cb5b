"""Lists that the loop changes that goes through them, with or beside something else."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check

ROW = np.array([1, 2, 3, 4])


def popped_beside_a_tensor(x, p):
    xs, n = [x, x + 1, x + 2], 0
    for _ in zip(xs, p, strict=False):
        xs.pop()
        n += 1
    return n, xs


def popped_when_counted(x, p):
    xs, n = [x, x + 1, x + 2], 0
    for _ in enumerate(xs):
        xs.pop()
        n += 1
    return n, xs


def popped_beside_a_list(x, p):
    xs, n = [x, x + 1, x + 2], 0
    for _ in zip(xs, [1, 2, 3], strict=False):
        xs.pop()
        n += 1
    return n, xs


def appended(x, p):
    xs, n = [x, x + 1, x + 2], 0
    for v, _ in zip(p, xs, strict=False):
        if n < 2:
            xs.append(v)
        n += 1
    return n, xs


def set_before_it_comes(x, p):
    xs, n = [x, x + 1, x + 2], 0
    for v, _ in zip(xs, p, strict=False):
        xs[2] = 9
        n += v
    return n, xs


def set_after_it_came(x, p):
    xs = [x, x + 1, x + 2]
    for i, (v, w) in enumerate(zip(xs, p, strict=False)):
        xs[i] = v + w if v > 1 else w
    return xs


@pytest.mark.parametrize(
    "function",
    [
        popped_beside_a_tensor,
        popped_when_counted,
        popped_beside_a_list,
        appended,
        set_before_it_comes,
        set_after_it_came,
    ],
)
def test_a_list_is_gone_through_as_it_is_then(function):
    check(function, ((np.int64(1), ROW), (np.int64(-2), ROW)))


def by_data_beside_a_tensor(x, p):
    xs = [x, x + 1, x + 2]
    for _, w in zip(xs, p, strict=False):
        if w > 0:
            xs.pop()
    return xs


def by_data_from_the_end(x, p):
    xs = [x, x + 1, x + 2]
    for v in reversed(xs):
        if v > 0:
            xs.pop()
    return xs


def by_data_in_pairs(x, p):
    xs = [x, x + 1, x + 2]
    for v, _ in zip(xs, [1, 2, 3], strict=False):
        if v > 0:
            xs.pop()
    return xs


@pytest.mark.parametrize(
    "function", [by_data_beside_a_tensor, by_data_from_the_end, by_data_in_pairs]
)
def test_what_data_change_meanwhile_is_refused(function):
    with pytest.raises(TypeError, match=r"a list is changed .*something goes through"):
        ag.function(function)(np.int64(1), ROW)


def while_a_number_and_a_list(x):
    xs = [x for _ in range(x)]
    n = 0
    while n < 3 and xs:
        n += 1
    return n


def while_a_list_and_a_number(x):
    xs = [x for _ in range(x)]
    n = 0
    while xs and n < x:
        n += 1
        xs.pop()
    text = "" if x > 1 else "a"
    while xs or (n and text):
        xs, n = [], 0
    return n, xs


@pytest.mark.parametrize(
    "function", [while_a_number_and_a_list, while_a_list_and_a_number]
)
def test_a_loop_asks_whether_a_list_is_empty(function):
    check(function, tuple((np.int64(x),) for x in (3, 1, 0, -2)))


def grown_unless_it_fails(x, p):
    xs = [x, 3]
    for _ in p:
        try:
            xs = [*xs, p[x]]
        except IndexError:
            pass
    return xs


def test_one_of_two_lists_is_returned_that_this_run_has():
    check(grown_unless_it_fails, tuple((np.int64(x), ROW) for x in (1, 7, -9)))


def made_anew_beside_a_tensor(x, p):
    xs, last = [x, p[1]], 0
    while x < 3:
        for _ in zip(xs, p, strict=False):
            *xs, last = [*xs, p[0]]
        print(last)
        x = x + 1
    return xs, last


def one_of_two_beside_a_tensor(x, p):
    xs = [x, 3, 5] if x > 1 else (p[0], 2.5)
    pairs = zip(xs, p, strict=False)
    total = 0
    for a, b in pairs:
        total += a * b
    return total, sum(a - b for a, b in zip(p, xs, strict=False))


def one_of_two_by_a_function(x, p):
    xs = [x, 3, 5] if x > 1 else (p[0], 2.5)
    total = 0
    for i, a in enumerate(map(lambda a, b: a * b, p, xs)):
        total = total * i + a
    return total


@pytest.mark.parametrize(
    "function",
    [made_anew_beside_a_tensor, one_of_two_beside_a_tensor, one_of_two_by_a_function],
)
def test_one_of_two_lists_is_gone_through_beside_a_tensor(function):
    check(function, tuple((np.int64(x), ROW) for x in (2, 0, 3, 10)))


def grown_from_the_end(x, p):
    xs, v = [one for one in [x, 3] if one], -1
    for v in reversed(xs):
        xs += [x]
    return v, xs


def grown_from_the_end_when_counted(x, p):
    xs, seen = [one for one in [x, x + 1, 3] if one], []
    for k, v in enumerate(reversed(xs)):
        xs.append(k)
        seen.append(v)
    return seen, xs


@pytest.mark.parametrize(
    "function", [grown_from_the_end, grown_from_the_end_when_counted]
)
def test_reversed_does_not_meet_what_is_appended(function):
    check(function, ((np.int64(0), ROW), (np.int64(8), ROW)))


def emptied_from_the_end(x, p):
    xs, n = [one for one in [x, 3, x + 1] if one], 0
    for v in reversed(xs):
        n += v
        if n > 3:
            xs.clear()
    return n, xs


def emptied_in_pairs_from_the_end(x, p):
    xs, n = [one for one in [x, 3, x + 1] if one], 0
    for k, (v, w) in enumerate(zip(reversed(xs), p, strict=False)):
        n += v * w + k
        xs.pop()
    return n, xs


def emptied_from_the_end_again_and_again(x, p):
    xs, k = [97, 0], 0
    while k < 3 and x:
        k += 1
        for _ in reversed(xs):
            xs.clear()
    return xs, k


@pytest.mark.parametrize(
    "function",
    [
        emptied_from_the_end,
        emptied_in_pairs_from_the_end,
        emptied_from_the_end_again_and_again,
    ],
)
def test_reversed_ends_where_items_are_gone(function):
    check(function, tuple((np.int64(x), ROW) for x in (0, 1, 8, -1)))


def one_of_two_from_the_end(x, p):
    xs, seen = [x, 3], []
    for _ in p[p > 2]:
        xs = [x + 1 for _ in range(x)]
    for v in reversed(xs):
        seen.append(v)
    return seen


def one_of_two_counted(x, p):
    xs, n = [x, 3], 0
    for _ in p[p > 2]:
        xs = [x + k for k in range(x)]
    for k, v in enumerate(reversed(xs)):
        n += k * v
    for k, v in enumerate(xs, 2):
        n += k * v
    return n


@pytest.mark.parametrize("function", [one_of_two_from_the_end, one_of_two_counted])
def test_one_of_two_lists_is_gone_through(function):
    check(function, ((np.int64(3), ROW), (np.int64(2), ROW * 0), (np.int64(0), ROW)))
