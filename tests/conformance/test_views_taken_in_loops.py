"""Names that a loop or branch gives a part of an array, which is changed then."""

import numpy as np
import pytest

import autograph as ag
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


PROGRAMS = [
    *(taken_then_changed, taken_in_a_branch, one_of_two_parts, in_two_loops),
    taken_anew_before_each_change,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_part_that_a_loop_takes_is_a_part(program):
    check(program, ((x4, y4, two), (x4, y4 - 30, two), (x4, y4, np.int64(0))))


def test_a_write_to_a_read_only_view_fails_in_runs_that_take_it():
    def swapped(o, n):
        w, d = np.zeros(2), o.reshape(2, 2).diagonal()
        if n > 2:
            w, d = d, w
        d += 1
        return w, d

    check(swapped, ((x4, np.int64(1)), (x4, np.int64(3))))


def test_a_loop_in_a_branch_that_may_give_an_array_another_name_is_seen():
    def named(o, b, n):
        square = o * o
        if b.sum() > 9:
            for _ in range(n):
                b = square
        square *= 2
        return b

    with pytest.raises(ValueError, match="may have been changed in place through ano"):
        ag.function(named)(x4, y4, two)


def test_a_part_that_one_side_of_a_branch_takes_by_data_is_remembered():
    def taken(o, n):
        y = np.zeros(2)
        if n > 1:
            y = o[n:]
        o[2] = 9
        return y.copy()

    with pytest.raises(ValueError, match="may have been changed in place through ano"):
        ag.function(taken)(x4, two)
