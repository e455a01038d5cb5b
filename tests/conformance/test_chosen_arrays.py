"""Names that are one of several arrays, depending on data, and changes in place."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

A, B = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])
EITHER = (A, B, np.True_), (A, B, np.False_)
PROGRAMS = Programs()


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y


@PROGRAMS(*EITHER)
def changed_and_returned(x, y, c):
    z = x if c else y
    z[0] = 7
    z += 1
    return z, x + 0, y + 0


@PROGRAMS(*EITHER)
def read_after_each_change(x, y, c):
    z = x if c else y
    x += 1
    first = z + 0
    y *= 2
    second = z + 0
    z -= 3
    return first, second, x.sum(), y.sum()


@PROGRAMS(*EITHER)
def new_on_one_side(x, y, c):
    z = x
    if c:
        z = z * 2
    z += 1
    x[1] = 9
    return z


@PROGRAMS(*EITHER)
def one_of_three(x, y, c):
    w = np.zeros(3)
    if c:
        z = w
    elif x[0] > 0:
        z = y
    else:
        z = x
    z += 5
    x += 1
    y += 1
    return z, w


@PROGRAMS(*EITHER)
def choices_of_choices(x, y, c):
    z = x if c else y
    u = z if x[0] > 0 else x
    u += 1
    z *= 2
    return u


@PROGRAMS(*EITHER)
def parts(x, y, c):
    z = x[1:] if c else y[:2]
    z += 1
    x[2] = 50
    return z + 0


@PROGRAMS(*EITHER)
def part_of_the_chosen(x, y, c):
    z = x if c else y
    v = z[1:]
    v += 1
    z[0] = -1
    x += 1
    return v + 0, z + 0


@PROGRAMS(*EITHER)
def changed_in_a_branch_and_a_loop(x, y, c):
    z = x if c else y
    if x[0] > 0:
        z += 1
        x += 10
    else:
        z -= 1
    while x[0] < 1000:
        z += 1
        x *= 2
    return z + 0


@PROGRAMS((A, B, np.int64(3)), (A, B, np.int64(0)))
def chosen_by_each_round(x, y, n):
    for k in range(n):
        z = x if k % 2 == 0 else y
        z += k
    return x + y


@PROGRAMS(*EITHER)
def exchanged(x, y, c):
    if c:
        x, y = y, x
    x += 1
    y *= 3
    return x - y


@PROGRAMS(*EITHER)
def returned_by_a_function(x, y, c):
    def pick():
        if c:
            return x
        return y

    z = pick()
    z += 1
    return x + y * 2


@PROGRAMS(*EITHER)
def attributes_exchanged(x, y, c):
    p = Pair(x, y)
    if c:
        p.x, p.y = p.y, p.x
    p.x += 1
    p.y[0] = 99
    return p.x + 0


@PROGRAMS(*EITHER)
def attribute_of_a_chosen_object(x, y, c):
    p, q = Pair(x, 0), Pair(y, 1)
    for _ in range(3):
        if c:
            p, q = q, p
        q.x[1:] = p.x[:-1] + 1
    return p.x + 0, q.y


@PROGRAMS(*EITHER)
def in_a_list(x, y, c):
    z = x if c else y
    items = [z, x]
    items[0] += 1
    items[1] *= 2
    return z + 0


@PROGRAMS(*EITHER)
def new_under_two_names(x, y, c):
    if c:
        a = x * 2
        b = a
    else:
        a, b = x, y
    a += 1
    b *= 2
    return a + 0, b + 0


@PROGRAMS(*EITHER)
def result_of_a_ufunc(x, y, c):
    z = x if c else y
    np.add(x, 1, out=z)
    z.sort()
    return x + y


@PROGRAMS(*EITHER)
def returned_itself(x, y, c):
    return x if c else [y if x[0] > 5 else y * 2, x]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_name_that_is_one_of_two_arrays_is_that_one(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)
