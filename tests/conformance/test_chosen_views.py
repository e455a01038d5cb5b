"""Parts of an array that a branch or round takes in another way than by an index."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

A = np.arange(6.0).reshape(2, 3)
Z = A * (1 + 2j)
REAL = (A, np.True_), (A, np.False_)
COMPLEX = (Z, np.True_), (Z, np.False_)
TURNS = (A, np.int64(3)), (A, np.int64(0))
PROGRAMS = Programs()


@PROGRAMS(*REAL)
def bytes_as_other_numbers(x, c):
    y = x
    y = x.view(np.int64) if c else y
    y[0] = 1
    y += 1
    x[0, 0] += 2
    return y, y * 2


@PROGRAMS(*REAL)
def refused_by_one_of_two_dtypes(x, c):
    y = x
    y = x.view(np.int64) if c else y
    y += 1.5
    return y


@PROGRAMS(*COMPLEX)
def real_or_imaginary_parts(x, c):
    y = x.real if c else x.imag
    y += 1
    x *= 2
    y[0] = 7
    return y


@PROGRAMS(*REAL)
def turned_or_not(x, c):
    y = x.T if c else x
    x += 1
    z = y * 2
    y[0, 0] = 100
    return y, z


@PROGRAMS(*TURNS)
def chosen_and_then_taken_by_a_round(x, n):
    y, z = x, x.copy()
    if x[0, 1] > 0:
        y = x[::-1]
    for _ in range(n):
        z = y
    z[0] = 7
    return z


@PROGRAMS(*TURNS)
def one_of_two_parts_taken_by_a_round_that_changes_it(x, n):
    y, z = x[1:], x
    if x[0, 1] > 0:
        y = x[:-1]
    for k in range(n):
        y += k
        z = y
        z[0, 1] *= 2
    z += 3
    return z, y * 2


@PROGRAMS(*REAL)
def rows_of_bytes(x, c):
    if c:
        y = x.view("i8")[0]
    else:
        y = x.view("i8")[1]
    y[:2] = 3
    x[0, 0] += 1
    return y


@PROGRAMS((Z, np.int64(3)), (Z, np.int64(0)))
def by_turns_real_and_imaginary(x, n):
    y = x.real
    for _ in range(n):
        y += 1
        y = x.imag
    y *= 2
    return y


@PROGRAMS(*TURNS)
def taken_anew_by_each_round(x, n):
    y = x.view("i8")
    for _ in range(n):
        y[0] += 1
        y = x.view("i8")
    return y


@PROGRAMS(*TURNS)
def turned_by_each_round(x, n):
    y = x
    for k in range(n):
        y = x.T
        y += k
        x[0] = 5
    return y


@PROGRAMS(*REAL)
def gone_through_as_it_lies(x, c):
    y = x if c else x.copy("F")
    return y.ravel("K"), y.ravel("A"), y.flatten("K"), y.ravel()


@PROGRAMS((A,))
def constants_in_the_order_of_fortran(x):
    y, z = np.array([[1, 2], [3, 4]], order="F"), np.array([[1, 2], [3, 4]])
    return y.ravel("K"), y, z, x


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_part_that_is_taken_anew_anywhere_is_changed_in_place(program, calls):
    check(program, calls)


def test_the_result_lies_in_the_order_of_fortran():
    def made(x):
        return np.array([[1, 2], [3, 4]], order="F"), np.array([[1, 2], [3, 4]])

    first, second = ag.function(made)(A)
    assert first.flags.f_contiguous
    assert second.flags.c_contiguous
