"""A part that each turn takes by an index of its own, and that is read behind the loop.

The loop hands on the index, and the part is taken behind it of what the loop has left.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

i = np.int64
X = np.linspace(1.0, 3.0, 9)
Z = np.linspace(1.0, 3.0, 20).reshape(5, 4)
ROWS = [(x, i(n)) for x in (X, X[::2], X[::-1], X[:0]) for n in (0, 1, 3, 6)]
TABLES = [
    (z, i(n)) for z in (Z, Z[:4].T, Z[::2, 1:], Z[:0], Z[:, :0]) for n in (0, 1, 3, 7)
]
ONCE, CASES = Programs(), Programs()


@ONCE(X)
@CASES(*ROWS)
def from_an_index_on(x, n):
    for k in range(n):
        r = x[k % 3 :]
        r[k] += 1
    return r


@ONCE(Z)
@CASES(*TABLES)
def a_row(x, n):
    for k in range(1, n):
        r = x[k]
        r += x[k - 1]
    r[0] = 5
    return r


@ONCE(Z)
@CASES(*TABLES)
def elements_of_a_row(x, n):
    for k in range(1, n):
        r = x[k]
        for j in range(x.shape[1]):
            r[j] += x[k - 1, j] * 0.01
    return r


@ONCE(Z)
@CASES(*TABLES)
def a_row_and_a_column(x, n):
    for k in range(n):
        r, c = x[k, 1:], x[k:, 2]
        r[0] += 1
        c[0] -= 1
    return r if k % 2 else c


@CASES(*ROWS)
def another_before(x, n):
    r = x * 2
    for k in range(n):
        r = x[k % 3 :]
        r[0] += 1
    r[-1] = 5
    return r


@CASES(*ROWS)
def a_part_of_the_same_before(x, n):
    r = x[1:]
    for k in range(n):
        r = x[k:]
        x[k] += 1
    r += 1
    return r, x


@CASES(*ROWS)
def until_a_break(x, n):
    for k in range(n):
        if x[k] > 2:
            break
        r = x[k : k + 2]
        r *= 1.5
    x[0] = 9
    return r


@CASES(*TABLES)
def of_loops_in_loops(x, n):
    for k in range(n):
        for j in range(k):
            r = x[j]
            r[0] += k
            c = x[:, j % 2]
            c[k] += 1
    x += 1
    return r, c


@CASES(*TABLES)
def an_index_that_goes_on(x, n):
    y, k = x + 1, 0
    while k < n:
        r = y[-k]
        y[k] += r
        k += 1
    return r.copy(), y, k


@CASES(*TABLES)
def beyond_the_last(x, n):
    try:
        for k in range(n):
            r = x[k + 2]
            r[0] = k
    except IndexError as error:
        return str(error), x
    return r


@CASES((Z, i(5)), (Z, i(6)), (Z[:4].T, i(5)), (Z[:0], i(1)))
def beyond_the_last_and_read_behind_alone(x, n):
    r = x[-1:]
    for k in range(n):
        r = x[k]
    r += 1
    return x


@CASES((Z, i(4)), (Z, i(5)), (Z[:, :0], i(1)))
def a_column_beyond_the_last(x, n):
    for k in range(n):
        r = x[1:, k]
    r[0] += 1
    return x


@CASES(*((Z, i(n), i(k)) for n in (0, 1) for k in (1, 5, -6)))
def a_row_that_one_branch_alone_has(x, n, k):
    r = x[k].T if n else x[0].T
    r += 1
    return x


@CASES(*TABLES)
def of_an_array_that_is_another_then(x, n):
    y = x
    for k in range(n):
        r = y[k]
        y = y * 2
        y[0] += 1
    return r, y


@CASES(*TABLES)
def an_index_of_numpys(x, n):
    for k in np.arange(n):
        r = x[k]
        r[0] = k
    return r, type(k)


@CASES(*((Z, y, i(n)) for y in (Z + 1, Z[:2], Z[:0]) for n in (0, 2, 3)))
def of_an_array_with_fewer_rows(x, y, n):
    for k in range(n):
        q = x[k]
        q[0] += 1
        r = y[k]
    return r, q


@CASES(*TABLES)
def of_loops_that_change_it(x, n):
    for k in range(n):
        r = x[k]
        for j in range(k):
            if j % 2:
                x[j] += r
            else:
                r[0] -= 1
    return r


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_the_part_is_that_of_the_last_turn(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), ONCE)
def test_nothing_is_copied_for_it(function, arguments, backend):
    large = np.resize(arguments[0], (30_000, *arguments[0].shape[1:]))
    part, most = most_memory(ag.function(function), (large, i(3)), backend)
    assert np.shares_memory(part, large)
    assert most < large.nbytes / 4


def sized(array, count):
    """As the array, of other sizes in each axis."""
    return np.resize(array, [count * (1 + axis) for axis in range(array.ndim)])


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), ONCE)
def test_nothing_is_copied_where_the_run_knows_the_sizes(function, arguments, backend):
    staged, x = ag.function(function), arguments[0]
    with ag.config(backend=backend):
        for count in (8, 9, 12):
            staged(sized(x, count), i(3))
    large = sized(x, 300 if x.ndim > 1 else 100_000)
    part, most = most_memory(staged, (large, i(3)), backend)
    assert np.shares_memory(part, large)
    assert most < large.nbytes / 4


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_the_part_is_that_of_the_last_turn_of_any_sizes(function, arguments, backend):
    others = [(turned(x), *rest) for x, *rest in arguments]
    with ag.config(backend=backend):
        check(function, (*others, *arguments))


def turned(array):
    """As the array, of other sizes in each axis, which may be none."""
    return np.resize(
        array, [size + 3 * (axis + 1) for axis, size in enumerate(array.shape)]
    )
