"""No more memory than NumPy has for the same lines, where NumPy makes copies, too."""

import tracemalloc

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

i = np.int64
LARGE = np.ones((300, 300))
TABLE = np.arange(20.0).reshape(4, 5) % 7
TABLES = [(x, i(n)) for x in (TABLE, TABLE.T, TABLE[:, ::2]) for n in (0, 1, 3)]
PROGRAMS = Programs()


@PROGRAMS(*TABLES)
def through_a_view_of_all(x, n):
    x.view()[...] *= 2
    v = x[...]
    v[:] += 1
    return v


@PROGRAMS(*TABLES)
def through_two_views_of_all(x, n):
    v, w = x[:], x.view()
    v[::2] *= 3
    w[0] = 7
    return w


@PROGRAMS(*TABLES)
def a_reshape_that_copies(x, n):
    v = x.T.reshape(-1)
    v += 1
    v[n] = 3
    return v


@PROGRAMS(*TABLES)
def a_row_that_copies(x, n):
    v = np.ravel(x, "F")
    v[1:] += v[:-1]
    w = x[:, 1:].ravel()
    w.sort()
    return v, w


@PROGRAMS(*TABLES)
def a_flat_copy(x, n):
    return x.T.flatten()


@PROGRAMS(*TABLES)
def a_flat_copy_of_all(x, n):
    v = x.flatten()
    v[n] = 3
    return v


@PROGRAMS(*TABLES)
def a_reshape_that_the_run_knows(x, n):
    v = x[:, n:]
    w = v.reshape(v.shape[::-1])
    v[::-1] *= 2
    return w


@PROGRAMS(*TABLES)
def an_element_of_such_a_reshape(x, n):
    v = x[:, n:]
    v.reshape(-1)[n] = 2
    x[n:].reshape(-1)[0] = 3


@PROGRAMS(*TABLES)
def clipped_where_it_lies(x, n):
    v = x[n:]
    np.clip(v, 1, 3, out=v)
    np.cumsum(v, axis=1, out=v)
    np.round(v, 1, out=v)
    return v


@PROGRAMS(*TABLES)
def elements_in_c_order(x, n):
    v = x[:, 1:]
    x.flat[1:3] = 3
    v[n % 2 :].T.flat[n] = 4
    return v


@PROGRAMS(*TABLES)
def reshaped_in_each_turn(x, n):
    s = 0.0
    for k in range(n):
        v = x.T.reshape(-1)
        v[k] += 1
        s += v[k]
    return s


def numpys(function):
    """The memory that plain Python takes at most."""
    x = LARGE.copy()
    tracemalloc.start()
    try:
        function(x, i(3))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_no_more_memory_is_taken_than_by_numpy(function, arguments, backend):
    least, staged = numpys(function), ag.function(function)
    _, most = most_memory(staged, (LARGE.copy(), i(3)), backend)
    assert most < least + 0.1 * LARGE.nbytes


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_nor_where_the_run_knows_the_sizes(function, arguments, backend):
    with ag.config(backend=backend):
        staged = ag.function(function)
        for size in (7, 8, 9):
            staged(LARGE[:size, : size + 1].copy(), i(3))
    least = numpys(function)
    _, most = most_memory(staged, (LARGE.copy(), i(3)), backend)
    assert most < least + 0.1 * LARGE.nbytes


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_what_is_written_is_what_python_has(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)


def clipped_from(x, low, n, m):
    v = x[:n]
    np.clip(v, low[:m], 3.0, out=v)
    return x


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_bounds_that_make_more_of_an_array_do_not_fit_into_it(backend):
    with ag.config(backend=backend):
        staged = ag.function(clipped_from)
        for n, m in ((3, 3), (3, 1), (2, 2), (4, 1)):
            made = staged(np.linspace(0.0, 4.0, 6), np.ones(3), n, m)
            expected = clipped_from(np.linspace(0.0, 4.0, 6), np.ones(3), n, m)
            np.testing.assert_array_equal(made, expected)
        x = np.linspace(0.0, 4.0, 6)
        with pytest.raises(ValueError, match="non-broadcastable output operand"):
            staged(x, np.ones(3), 1, 3)
    np.testing.assert_array_equal(x, np.linspace(0.0, 4.0, 6))
