"""`x.flat = y` and `x.flat[k] = y` where x or y is one of several arrays, or views."""

import numpy as np
import pytest

from tests.conformance.trying import check

x, y, two = np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(3, 4) * 10, 2
YES, NO = np.True_, np.False_


def content_is_one_of_two(x, y, c):
    z = x if c else y
    x.flat = z[::-1]
    return z


def target_is_one_of_two(x, y, c):
    z = x if c else y
    z.flat = x.T
    return z


def both_are_exchanged(x, y, c):
    if c:
        x, y = y, x
    x.flat = y[0]
    return x, y


def parts_of_one_that_depends_on_data(x, y, c):
    z = x if c else y
    z[1:].flat[1:7] = z[:-1]
    return z


def part_that_a_branch_takes(x, y, c):
    z = x[0]
    if c:
        z = x[:, 1:][1]
    x.flat = z
    return z


def part_that_a_loop_takes(x, y, c):
    z = x[0]
    for k in range(int(x[0, 2])):
        z = x[k]
    x.T.flat = z
    return z


def own_on_one_path(x, y, c):
    z = x if c else x + 1
    z.flat = z[::-1]
    x.flat[2:] = z
    return z


@pytest.mark.parametrize("c", [YES, NO])
@pytest.mark.parametrize(
    "f",
    [
        content_is_one_of_two,
        target_is_one_of_two,
        both_are_exchanged,
        parts_of_one_that_depends_on_data,
        part_that_a_branch_takes,
        part_that_a_loop_takes,
        own_on_one_path,
    ],
)
def test_a_store_by_flat_reads_what_it_writes_as_numpy_does(f, c):
    check(f, ((x, y, c),))
