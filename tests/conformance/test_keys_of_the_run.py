"""Keys of arrays that data put together: slices and numbers, a part for each dim."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
CUBE = np.arange(24.0).reshape(2, 3, 4)
AXES = (CUBE, i(0), i(2)), (CUBE, i(1), i(1)), (CUBE, i(-1), i(1)), (CUBE, i(3), i(1))
PROGRAMS = Programs()


@PROGRAMS(*AXES)
def differences_along_an_axis(x, axis, n):
    first, second = [slice(None)] * x.ndim, [slice(None)] * x.ndim
    first[axis] = slice(1, None)
    second[axis] = slice(None, -1)
    return x[tuple(first)] - x[tuple(second)]


@PROGRAMS(*AXES)
def stores_along_an_axis(x, axis, n):
    key = [slice(None)] * x.ndim
    key[axis] = 0
    x[tuple(key)] = 9
    key[axis] = slice(0, n)
    x[tuple(key)] += 1
    return x


@PROGRAMS(*AXES)
def a_view_is_changed(x, axis, n):
    key = [slice(None)] * x.ndim
    key[axis] = slice(n, None)
    part = x[tuple(key)]
    part *= 2
    return part, x, part.shape


@PROGRAMS(*AXES)
def one_number_for_each_dim(x, axis, n):
    key = [0] * x.ndim
    key[axis] = 1
    x[tuple(key)] = 5
    x[tuple(key)] += 2
    return x[tuple(key)], x, key


@PROGRAMS(*AXES)
def set_twice(x, axis, n):
    key = [slice(None)] * x.ndim
    key[axis] = 0
    key[axis] = None
    return x[tuple(key)].shape, len(key)


@PROGRAMS(*AXES)
def set_in_a_loop(x, axis, n):
    key = [slice(None)] * x.ndim
    for at in range(n):
        key[at] = slice(0, 1)
    return x[tuple(key)]


@PROGRAMS(*AXES)
def one_of_two_parts(x, axis, n):
    key = [slice(None), Ellipsis, 0]
    if n > 1:
        key[0] = 1
    return x[tuple(key)]


@PROGRAMS((CUBE, np.array([1, 2])), (CUBE, np.array([0])), (CUBE, np.array([1, 3, 0])))
def as_many_parts_as_data_have(x, parts):
    key = []
    for part in parts:
        if part > 0:
            key.append(int(part) - 1)
    return x[tuple(key)]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_key_may_be_put_together_by_data(program, calls):
    check(program, calls)
