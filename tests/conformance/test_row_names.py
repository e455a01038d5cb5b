"""Lists in lists whose length depends on data, and their other names."""

import copy

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


def groups(xs, n):
    rows = [[] for _ in range(n)]
    for x in xs:
        rows[x % n].append(x)
    return rows


@PROGRAMS((ints, i(3)), (ints, i(1)))
def star_tuple(xs, n):
    rows = groups(xs, n)
    t = (*rows[0], 7)
    u = tuple(rows[0])
    v = [*rows[0]]
    w = rows[0] * 1
    z = [] + rows[0]
    y = rows[0][:]
    c = copy.copy(rows[0])
    d = rows[0].copy()
    e = list(rows[0])
    rows[0].append(1)
    for q in (v, w, z, y, c, d, e):
        q.append(5)
    return t, u, v, w, z, y, c, d, e, rows


@PROGRAMS((ints, i(3)), (ints, i(2)))
def unpack(xs, n):
    rows = groups(xs, n)
    first, *rest = rows
    a, *b = rows[1]
    first.append(9)
    rest[0].append(8)
    b.append(7)
    return rows, first, rest, a, b


@PROGRAMS((ints, i(3)), (ints, i(2)))
def swap(xs, n):
    rows = groups(xs, n)
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][0], rows[1][0] = rows[1][0], rows[0][0]
    rows[:] = rows[::-1]
    rows[0:1] = [[1], [2]]
    del rows[-1]
    rows[-1].append(3)
    return rows


@PROGRAMS((ints, i(3)), (ints, i(2)))
def maps(xs, n):
    rows = groups(xs, n)
    a = list(map(len, rows))
    b = list(map(list, rows))
    c = list(filter(None, rows))
    d = [max(r, default=-1) for r in rows]
    b[0].append(3)
    c[0].append(4)
    return a, b, c, d, rows, list(zip(rows, a)), [x for x in reversed(rows)]


@PROGRAMS((ints, i(3)), (ints, i(2)))
def ternary(xs, n):
    rows = groups(xs, n)
    other = [0]
    r = rows[0] if xs[0] > n else other
    r.append(5)
    q = rows[1] or other
    q.append(6)
    return rows, other, r


@PROGRAMS((ints, i(3)), (ints, i(2)))
def reading(xs, n):
    rows = groups(xs, n)
    t = 0
    for r in rows:
        if not r:
            continue
        for a, b in zip(r, r[1:]):  # noqa: RUF007 - a copy of a part
            t += a * b
        t += r[0] + r[-1] + r.index(r[-1]) + r.count(1)
        if 3 in r:
            t += 100
    m = np.array(rows[0])
    return (
        t,
        m,
        np.mean(rows[0]),
        rows[0] == rows[1],
        rows[0] < rows[1],
        str(rows[0]),
        f"{rows[1]}",
        repr(rows),
    )


@PROGRAMS((ints, i(3)), (ints, i(2)))
def matching(xs, n):
    rows = groups(xs, n)
    out = []
    for r in rows:
        match r:
            case []:
                out.append(0)
            case [a]:
                out.append(a)
            case [a, *rest]:
                out.append(a + len(rest))
    return out


@PROGRAMS((ints, i(3)), (ints, i(1)))
def summed(xs, n):
    rows = groups(xs, n)
    found = sum(rows, [])  # noqa: RUF017 - what is tested
    rows[0].append(1)
    found.append(9)
    return found, rows


@PROGRAMS((ints, i(3)), (ints, i(0)))
def one_of_two_in_a_dict(xs, n):
    rows = [[0]]
    box = {"r": [2]}
    k = 0
    while k < n:
        if xs[k] < 2:
            box["r"] = rows[-1]
        k += 1
    rows[0].append(99)
    return rows, box


@PROGRAMS((ints, i(3)), (ints, i(0)), (np.array([0, 2]), i(3)))
def returned_from_a_loop(xs, n):
    rows = [[0]]
    row = []
    box = {"r": row}
    t = k = 0
    while k < n:
        x = xs[k % len(xs)]
        k += 1
        if k % 2 == 0:
            row = rows[0] + [n]
            rows.append(list(rows[x % len(rows)]))
        elif row:
            rows[x % len(rows)].append(len(row))
            t += sum(v for v in list(row))
        if t > 20:
            return rows, t
        t += int(box["r"] is row)
    return rows, row, box, t


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
