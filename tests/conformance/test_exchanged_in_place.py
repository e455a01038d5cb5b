"""Names that get other arrays round by round: a change is one of the array itself."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
A, B, C = np.arange(5.0), np.full(5, 10.0), np.full(5, 0.5)
TIMES = (A, B, i(3)), (A, B, i(4)), (A, B, i(0))
PROGRAMS = Programs()


@PROGRAMS(*TIMES)
def given_to_the_other(a, b, n):
    for _ in range(n):
        np.multiply(a, 0.5, out=b)
        np.add(b[1:], 1, out=b[:-1])
        a, b = b, a
    return a - b


@PROGRAMS((np.ones((4, 6)), np.arange(4), i(3)))
def of_other_dims_taken_apart(a, b, n):
    for _ in range(n):
        a, b = b, a
    row = np.unstack(b)[1]
    np.add.at(row, [0, 0], 2)
    return a, b


@PROGRAMS(*TIMES)
def changed_twice_and_read(a, b, n):
    total = 0.0
    for k in range(n):
        a += k
        total += b[0] + a.sum()
        b[1:] -= a[:-1]
        b *= 2
        total += b.max()
        a, b = b, a
        a[k] = total
    return total


@PROGRAMS((A, B, C, i(2)), (A, B, C, i(5)), (A, A, C, i(3)), (A, B, A, i(3)))
def three_in_turn(a, b, c, n):
    for _ in range(n):
        c[1:] = a[:-1] + b[1:]
        b += c
        a, b, c = c, a, b
    return b


@PROGRAMS(*TIMES)
def sometimes(a, b, n):
    for k in range(n):
        b[:-1] += a[1:]
        if b[0] > 4:
            a, b = b, a
        else:
            a[k] = -1
    a[0] = 100
    return a


@PROGRAMS(*TIMES)
def by_parts_of_them(a, b, n):
    x, y = a[1:], b[:-1]
    for _ in range(n):
        x += y
        y[::2] = x[::2] + 1
        x, y = y, x
    x[0] = -1


@PROGRAMS(*TIMES)
def in_two_loops(a, b, n):
    for _ in range(n):
        for k in range(n):
            a[k] = b[k] + 1
            a, b = b, a
        b *= 0.5
    return a


@PROGRAMS((A, B, i(3)), (A, B, i(7)))
def fails_in_the_midst(a, b, n):
    for k in range(n):
        a += 1
        b[k] = a[0]
        a, b = b, a


@PROGRAMS((A, B, i(3)), (A, B, i(7)))
def fails_and_goes_on(a, b, n):
    for k in range(n):
        a += 1
        try:
            b[k] = a[0]
        except IndexError:
            b[0] = -1
        a, b = b, a


@PROGRAMS(*TIMES)
def with_one_of_its_own(a, b, n):
    c = a * 2
    for _ in range(n):
        c += b
        b, c = c, b
        b[0] += 1
    return b, c


@PROGRAMS(*TIMES, (A, A, i(3)), (A, B, i(7)))
def in_a_try(a, b, n):
    try:
        for k in range(n):
            b[k] = a[k] + 1
            a, b = b, a
            b[1:] -= a[0]
    except IndexError:
        a[0] = 50
        a, b = b, a
        b += 1
    a[1] = 60
    return a, b


@PROGRAMS(*TIMES, (A, B, i(7)), (B, A, i(4)), (B, A, 0))
def by_a_branch_in_a_try(a, b, n):
    try:
        if a[0] > b[0]:
            a, b = b, a
        a[n] = 1
        a[n + 1] = 2
    except IndexError:
        a[0] = -7
    return a, b


@PROGRAMS(*TIMES, (A, B, i(7)))
def in_a_try_that_leaves_it_to_the_end(a, b, n):
    c = a
    try:
        for k in range(n):
            a, b = b, a
            c[k] += 1
        c = b
    finally:
        print(a, b)
    c *= 2
    return c, a


@PROGRAMS(*TIMES, (A, A[::-1], i(4)))
def parts_that_overlap(x, y, n):
    a, b = x[:4], x[1:]
    for k in range(n):
        a[1:] += b[:-1]
        b -= a
        a, b = b, a
        x[k] += 100
    a[0] = 7
    return a, b, x.sum()


@PROGRAMS(*TIMES)
def parts_of_two(x, y, n):
    a, b = x[n:][::-1], y[: 5 - n]
    for k in range(n):
        a += b
        a, b = b, a
        np.multiply(a, k, out=b)
        b[::-1] -= a
    return a, b


@PROGRAMS((np.arange(9.0).reshape(3, 3), np.ones((3, 3)), i(3)))
def one_that_is_turned(x, y, n):
    a, b = x.T, y
    for k in range(n):
        a[k] = b[k] * 2
        b += a
        a, b = b, a
        a.T[0] = -1
    return a, b


@PROGRAMS(*TIMES)
def parts_that_an_if_has_taken(x, y, n):
    a, b = (x[:3] if n > 3 else y[2:]), y[1:4]
    for k in range(n):
        a += b
        a[k % 3] = 1
        b[0] -= a.sum()
        a, b = b, a
    return a, b


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_what_is_exchanged_is_changed_as_in_python(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        for way in ("default", "error"):
            warnings.simplefilter(way)
            check(function, arguments)
