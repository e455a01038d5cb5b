"""A view that cannot be taken fails where it is taken, also if it is read again later.

What is taken is read once more when its array has been changed; nobody uses what was
read first then, and that would be left out.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

X = np.arange(12.0).reshape(4, 3)
i = np.int64
PLACES = [(X, i(k)) for k in (0, 3, 4, -5)]
CASES = Programs()


@CASES(*PLACES)
def a_row(x, k):
    row = x[k]
    x[0, 0] += 5
    return row[0]


@CASES(*[(X, np.array(places)) for places in ([1, 0, 3], [2, 4, 0], [0, 1, -9])])
def rows_in_a_loop(x, places):
    for n in range(60):
        row = x[places[n % 3]]
        x[0, 0] += 1
        x[1, 1] += row[0]


@CASES(*PLACES)
def before_a_loop(x, k):
    row = x[k]
    for n in range(3):
        x[n] += 1
        x[n, 0] += row[1]


@CASES(*PLACES)
def in_a_branch(x, k):
    if x[0, 1] > 0:
        row = x[k]
        x *= 2
        x[0] = row
    x += 1


@CASES(*[(np.arange(12.0), np.zeros(3), i(k)) for k in (2, 6, 7, 11)])
def of_sizes_that_the_run_knows(x, y, k):
    b = np.array_split(x[:k], 2)[0] if k > 6 else x[:k]
    wide = np.broadcast_to(b, (2, k))
    y += 1
    x[0] = 8
    return wide[1, 0]


@CASES(*[(X, np.arange(12), i(k)) for k in (2, 4)])
def before_what_always_fails(x, y, k):
    if k > 3:
        y = y[:6]
    wide = np.broadcast_to(y, (2, 6))
    x[...] = np.ones(77)
    return wide


@CASES(*[(np.arange(12), np.arange(4), i(k)) for k in (1, 2, 3)])
def of_one_of_two(x, y, k):
    part = np.atleast_2d(x)
    if k > 2:
        part, x = x, part
    turned = x[::2, ::-1]
    np.cumsum(y, out=y)
    again = turned[1:]
    for _ in range(k):
        again = again[::-1]
    part[1:] = 4
    return again


@pytest.mark.parametrize("backend", ["auto", "numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_view_fails_where_it_is_taken(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
