"""What the counter of a loop with a break is, is known in each of its turns."""

import re

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases(asks=False)
n = np.int64
ROW = np.arange(80.0) * 7 % 80


@case((ROW, ROW - 1), (ROW, ROW[:0]), (ROW[:0], ROW), (ROW, np.array([79.0])))
def the_first_above(x, limits):
    total = 0
    for i in range(len(limits)):
        for k in range(len(x)):
            if x[k] > limits[i]:
                total += k
                break
    return total


@case((ROW, n(90)), (ROW, n(3)))
def from_the_last(x, count):
    found = np.zeros(len(x))
    for i in range(count):
        for k in range(len(x) - 1, -1, -1):
            if x[k] < i:
                break
            found[k] += i
    return found


@case((ROW, n(80)), (ROW, n(0)), (ROW, n(-3)), (ROW, n(81)), asks=True)
def as_far_as_is_said(x, far):
    total = 0.0
    for i in range(9):
        for k in range(far):
            if x[k] > 70 + i:
                break
            total += x[k]
    return total


@case((ROW, n(5)), (ROW, n(79)), (ROW, n(80)), (ROW, n(-1)), (ROW, n(-81)), asks=True)
def that_begins_as_is_said(x, first):
    total = 0.0
    for i in range(9):
        k, goes_on = first, True
        while goes_on:
            total += x[k]
            k += 1
            goes_on = k < len(x) and x[k] > i
    return total, k


@case((ROW, n(4)), (ROW, n(9)), asks=True)
def a_flag_of_another_counter(x, far):
    total = 0.0
    for i in range(9):
        k, j, goes_on = 0, 0, True
        while goes_on:
            total += x[k]
            k += 30 if i == far else 1
            j += 1
            goes_on = j < 6
    return total


@pytest.mark.parametrize(("function", "arguments", "asks"), CASES)
def test_an_index_is_compared_where_it_may_lie_outside(function, arguments, asks):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments)
        made = [one.lowered()[1] for one in loops_of(staged, arguments[0])[:1]]
    assert any("leave_if" in str(one) for one in made) is asks


def test_what_a_break_has_set_is_not_asked_behind_the_loop():
    """Each way out of the loop leads to where it is wanted."""

    def free_places(place, last):
        found, row = 0, 0
        while row <= last:
            place[row] += 1
            is_free = True
            for k in range(row):
                d = place[k] - place[row]
                if d == 0 or d == row - k or d == k - row:
                    is_free = False
                    break
            if is_free:
                found += 1
                row += 2
            else:
                row += 1
        return found

    given = np.arange(30) * 11 % 30, n(29)
    with ag.config(backend="native"):
        staged = agreeing(free_places, [given, (given[0], n(30))])
        made = staged.inspect("llvm")
    # Nothing takes from turn to turn that it is free still.
    assert not re.search("phi i1 .*true", made)
