"""Names that a loop or branch gives a part of an array, which is changed then."""

import numpy as np
import pytest

from tests.conformance.trying import check

x4, y4, two = np.arange(4.0), np.arange(4.0) + 10, np.int64(2)


def taken_then_changed(o, b, n):
    for _ in range(n):
        b = o[::-1]
    o[1:] = o[:-1]
    b += 1
    return o, b


def taken_in_a_branch(o, b, n):
    b = b + 1
    for _ in range(n):
        if b.sum() > 9:
            b = o[::-1]
    b += 1
    return o, b


def one_of_two_parts(o, b, n):
    w = b
    for _ in range(n):
        w = o[1:3] if w.sum() > 9 else b[1:3]
        o += 1
    w[0] = 77
    return o, b, w


def in_two_loops(o, b, n):
    w = b
    for k in range(n):
        w = o[:2]
        w += k
        for _ in range(n):
            w = o[2:]
            w *= 2
    w[0] = 77
    return o, b, w


def taken_anew_before_each_change(o, b, n):
    for t in range(n + 1):
        if t >= 0:
            y = o[1:3]
            o[1] = 9
            z = o[t:]
            r = o, y
    return r, z.copy()


def taken_by_data_in_a_branch(o, b, n):
    y = b
    if n > 1:
        y = o[n:]
    o[2] = 9
    y[0] = 5
    return y.copy(), y


def taken_by_data_on_both_sides(o, b, n):
    y = o[n:] if n > 1 else o[: n + 1]
    y += 1
    o[2] = 7
    z = y[1:]
    z *= 2
    return y, z


def a_part_of_a_part(o, b, n):
    y = o
    if n > 0:
        y = o[n:] if n > 1 else o[::2]
        y = y[1:]
        y[0] = 3
    y += 1
    return y


def in_another_order(o, b, n):
    m = o.reshape(2, 2)
    w = m
    if n > 1:
        w = m.T[:2].T
    for k in range(n):
        m = m.T
        m[0] += k
    w[0] = 3
    o += 1
    return w, m


def ever_less(o, b, n):
    p = o
    while len(p) > 1:
        p = p[n:] if p[0] > 2 and n > 0 else p[1:]
        p += 1
    o[0] = 99
    return p


def a_window(o, b, n):
    for k in range(n):
        b = o[k : k + 4]
        b[1] = -1
    o[1] = 50
    return b, o


def rows_and_the_whole(o, b, n):
    m = o.reshape(2, 2)
    row, q = m[0], o
    for k in range(n):
        row = m[k % 2]
        row, q = q[:2], row
        row[0] += 1
        q *= 2
    o += 1
    return row, q


def made_in_two_branches(o, b, n):
    a, w = o, b
    if n > 0:
        if n > 1:
            a = o * 2
            w = a[1:]
        w = a[1:]
    w += 1
    return a, w


def two_names_for_what_a_branch_made(o, b, n):
    a = w = o
    if n > 0:
        for _ in range(n - 1):
            a = o * 2
        w = a
        a[0] = 7
    w += 1
    a[1] = 50
    return a, w


def changed_after_a_loop_in_a_branch(o, b, n):
    a = o
    if n > 0:
        for _ in range(n - 1):
            a = o * 2
        a[0] = 7
    return a


def split_at_data(o, b, n):
    low, high = o, o[3:]
    for k in range(n):
        if k % 2 == 0:
            low, high = high, low
        low = np.split(low, [n])[0]
        low += k
    high[:] = 3
    return low, high


def given_another_name_by_a_loop_in_a_branch(o, b, n):
    square = o * o
    if b.sum() > 9:
        for _ in range(n):
            b = square
    square *= 2
    return b


def another_name_for_one_of_two(o, b, n):
    if b.sum() > 9:
        o = o + 1
    for _ in range(n):
        b = o
    o *= 2
    b[0] = 7
    return o, b


def of_fewer_dims(o, b, n):
    o = o.reshape(2, 2)
    for _ in range(n):
        o, b = b, o
    o[0], o[1] = o[1], o[0]
    return o, b


def of_other_numbers(o, b, n):
    o = o.astype(int)
    w = o[1:]
    for _ in range(n):
        if b.sum() > 9:
            w, b = b, w
    o += 1
    return w, b


PROGRAMS = [
    *(of_fewer_dims, of_other_numbers),
    another_name_for_one_of_two,
    given_another_name_by_a_loop_in_a_branch,
    *(taken_then_changed, taken_in_a_branch, one_of_two_parts, in_two_loops),
    *(taken_anew_before_each_change, taken_by_data_in_a_branch, ever_less, a_window),
    *(taken_by_data_on_both_sides, a_part_of_a_part, in_another_order, split_at_data),
    *(rows_and_the_whole, made_in_two_branches, two_names_for_what_a_branch_made),
    changed_after_a_loop_in_a_branch,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_part_that_a_loop_takes_is_a_part(program):
    calls = (
        *((x4, y4, two), (x4, y4 - 30, two), (x4, y4, np.int64(0))),
        (x4, y4, np.int64(1)),
    )
    check(program, calls)


def test_a_write_to_a_read_only_view_fails_in_runs_that_take_it():
    def swapped(o, n):
        w, d = np.zeros(2), o.reshape(2, 2).diagonal()
        if n > 2:
            w, d = d, w
        d += 1
        return w, d

    check(swapped, ((x4, np.int64(1)), (x4, np.int64(3))))


def view_of_one_of_two_turned_round(a, k):
    v = a[1:] if k else a
    w = v[0]
    for _ in range(k + 1):
        w = w[::-1]
    w[0] += 100
    return a


def test_a_view_of_one_of_two_views_is_written_through():
    check(
        view_of_one_of_two_turned_round,
        tuple((np.arange(12.0).reshape(3, 4), np.int64(k)) for k in (1, 0, 2)),
    )
