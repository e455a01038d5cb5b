"""What is stored into a reshape of an array with gaps is in the array, if NumPy's is.

Each array is made anew for each run: a copy of one with gaps would have none.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs

ROWS = {
    "gaps": lambda: np.arange(24.0)[::2],
    "backwards": lambda: np.arange(12.0)[::-1],
    "one piece": lambda: np.arange(12.0),
}
TABLES = {
    "one piece": lambda: np.arange(16.0).reshape(4, 4),
    "gaps": lambda: np.arange(32.0).reshape(4, 8)[:, ::2],
    "backwards": lambda: np.arange(16.0).reshape(4, 4)[::-1],
    "a part": lambda: np.arange(36.0).reshape(6, 6)[1:5, 1:5],
    "Fortran": lambda: np.asfortranarray(np.arange(16.0).reshape(4, 4)),
}
CASES = Programs()


@CASES(ROWS, TABLES)
def a_row_in_branches(a, n):
    v = a.reshape(-1)
    v[0] += 1
    if n > 1:
        v[1] += 1
    else:
        v[2] = 3
    raise ValueError(n)


@CASES(ROWS)
def a_table_in_loops(a, n):
    v = a.reshape(3, 4)
    for i in range(n):
        v[0] += 1
        for _ in range(2):
            v[0] = 1
            if i == 2:
                raise ValueError(v[0])


@CASES(ROWS, TABLES)
def a_row_in_loops(a, n):
    v = a.reshape(-1)
    for i in range(n):
        v[i] += 2
        for j in range(2):
            v[j] = 5
            if i == 2:
                raise ValueError(v[0])
    return v[0]


@CASES(TABLES)
def columns_in_branches(x, n):
    v = x[:, 1:].reshape(2, 2, -1)
    v[0] += 1
    if n > 1:
        v[1] += 1
    else:
        v[0, 1] = 3
    raise ValueError(n)


@CASES(TABLES)
def columns_in_loops(x, n):
    v = x[:, ::2].reshape(-1)
    for i in range(n):
        v[i] += 2
        for j in range(2):
            v[j] = 5
            if i == 2:
                raise ValueError(v[0])


@CASES(ROWS)
def a_reshape_of_a_reshape(a, n):
    v = a[::2].reshape(2, 3)
    for i in range(n):
        v[i % 2] += 1
        w = v.reshape(3, 2)
        for j in range(2):
            w[j] = i
            if i == 2:
                raise ValueError(w[0])


@CASES(TABLES)
def a_row_of_the_turned_array(a, n):
    for _ in range(n):
        a.T.reshape(-1)[0] = 2
    raise ValueError("on every path")


@CASES(ROWS)
def rows_that_an_index_ends(a, n):
    v = a.reshape(3, 4)
    for i in range(n + 1):
        v[i] += 1
        a[i - 1] = 5


@CASES(ROWS)
def columns_that_an_index_ends(a, n):
    v = a.reshape(3, -1).T
    for i in range(n + 2):
        v[i] += 1
        a[i - 1] = 5


@CASES(ROWS)
def items_that_are_read_by_flat(a, n):
    v = a.T
    for i in range(n):
        for j in range(2):
            if a.flat[0] > 4:
                a[j] += i
            v[j] = a[0]
        v += 1
    raise ValueError(a[0], n)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "kinds"), CASES)
def test_what_is_stored_before_an_error_is_in_the_array(function, kinds, backend):
    for name, make in [case for arrays in kinds for case in arrays.items()]:
        staged = ag.function(function)
        for n in (1, 3, 3):
            given = [make(), make()]
            plain = _told(function, given[0], n)
            with ag.config(backend=backend):
                assert _told(staged, given[1], n) == plain, (name, n)
            assert np.array_equal(*given), (name, n)


def _told(function, array, n):
    try:
        return function(array, np.int64(n))
    except (ValueError, IndexError) as error:
        return str(error)
