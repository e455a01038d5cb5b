"""Lists in lists whose length depends on data, and their other names."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
ints = np.array([3, 1, 2, 3, 3, 1, 5])
PROGRAMS = Programs()


@PROGRAMS((i(3),), (i(0),))
def named_before(n):
    rows = [[0]]
    first = {"r": rows[0]}
    while n > 0:
        rows.append([n])
        first["r"].append(-n)
        n -= 1
    return rows, first


@PROGRAMS((ints, i(3)), (ints, i(0)))
def asked_for_being_one(xs, n):
    rows = [[0], [1]]
    other = [[2]]
    t = 0
    for x in xs:
        t += int(rows[x % 2] is rows[-1]) + 10 * int(other[x % 1] is rows[0])
    return t


@PROGRAMS((ints, i(3)), (ints, i(0)))
def filled_by_slices(xs, n):
    rows = [[] for _ in range(n)]
    copy = []
    for x in xs:
        if x < n:
            rows[x].append(x)
            copy[:] = rows[x]
            copy.append(9)
    return rows, copy


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_change_is_seen_by_every_name(program, calls):
    check(program, calls)


def repeated(n):
    rows = [[0]]
    last = rows[0]
    while n > 0:
        rows.append(rows[0])
        last = [n]
        rows.append(last)
        n -= 1
    return rows, last


def repeated_in_a_try(n):
    rows = [[0]]
    try:
        while n > 0:
            rows.append(rows[0])
            n -= 1
        rows[0].append(rows[n + 9][0])
    except IndexError:
        rows[0].append(7)
    return rows, rows[0]


@pytest.mark.parametrize("program", [repeated, repeated_in_a_try])
def test_one_list_is_one_in_the_result(program):
    rows, last = ag.function(program)(i(2))
    python, python_last = program(i(2))
    assert (rows, last) == (python, python_last)
    numbers = [[a is b for b in rows] for a in (*rows, last)]
    assert numbers == [[a is b for b in python] for a in (*python, python_last)]


def test_a_dict_that_such_a_list_holds_is_not_changed_by_another_name():
    def changed(n):
        first = {"n": 0}
        rows = [first]
        while n > 0:
            rows.append({"n": n})
            first["n"] += 1
            n -= 1
        return rows

    with pytest.raises(TypeError, match="this changes an item of a list"):
        ag.function(changed)(i(2))
