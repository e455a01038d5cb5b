"""Views by another dtype, or by functions of NumPy's alone, are changed in place."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

ROW = np.arange(8.0)
TABLE = np.arange(16.0).reshape(4, 4)
COUNTS = [np.int64(k) for k in (0, 1, 3, 9)]
ROWS = [(x, n) for x in (ROW, ROW[2:], ROW + 0.5) for n in COUNTS]
TABLES = [
    (x, n)
    for x in (TABLE, np.asfortranarray(TABLE), TABLE[::-1], TABLE[:, :3].copy())
    for n in COUNTS
]
LARGE = np.ones((300, 300))
PROGRAMS, CASES = Programs(), Programs()


@PROGRAMS(LARGE.ravel())
@CASES(*ROWS)
def as_complex_numbers(x, n):
    z = x.view(complex)
    z *= 1j
    z[1:] += 2
    return z


@PROGRAMS(LARGE.ravel())
@CASES(*ROWS)
def real_parts_of_these(x, n):
    re = x.view(complex).real
    for _ in range(n):
        re += 1
    re[0] = 9


@PROGRAMS(LARGE.ravel())
@CASES(*ROWS)
def as_complex_numbers_in_a_loop(x, n):
    z = x.view(complex)
    for i in range(n):
        z[i] *= 1j + i
        if i:
            z[i - 1] = z[i]


@PROGRAMS(LARGE.ravel())
@CASES(*ROWS)
def as_ints_in_a_loop(x, n):
    bits = x.view(np.int64)
    for i in range(n):
        bits[i] ^= 1 << 51


@CASES(*ROWS)
def before_an_exception(x, n):
    bits = x.view(np.int64)
    for i in range(n):
        bits[i] ^= 1 << 51
    raise ValueError(bits[0])


@CASES(*ROWS)
def as_smaller_numbers_beside_the_array(x, n):
    half = x.view(np.int32)
    for i in range(n):
        half[i] += i
        x[i - 1] *= 2
    return half


@PROGRAMS(LARGE)
@CASES(*TABLES)
def a_diagonal(x, n):
    d = np.einsum("ii->i", x) if x.shape[0] == x.shape[1] else x[0]
    d += 1
    d[n] = 7


@PROGRAMS(LARGE)
@CASES(*TABLES)
def axes_turned_by_einsum(x, n):
    v = np.einsum("ij->ji", x)
    v[:2] = 4
    v[n - 1] += 1
    np.einsum("i->i", v[0])[:2] = n


@CASES(*TABLES)
def as_einsum_gives_them(x, n):
    v, w = np.einsum("ji", x), np.einsum("ij", x, optimize=True)
    v[0], w[-1] = n, 9
    y = x + 1
    u = np.einsum("ijk->kij", y[None])
    y[0] = n
    return v, w, u, u.flags.writeable, np.einsum("ijk->kij", x)


@PROGRAMS(LARGE)
@CASES(*TABLES)
def all_elements_of_a_turned_array(x, n):
    x.T.flat[:5] = 4
    x.T.flat[n] = 7
    x.T.flat[[1, 2, 1]] = [5, 6, 7]


@CASES(*TABLES)
def all_elements_in_other_orders(x, n):
    x[:, 1:].flat[::2] = x[0, 1]
    x[::-1].flat[n : n + 2] = [1, 2]
    v = x.T.flat
    v[2], v[3:5] = n, x[0, :2]
    y = x * 2
    z = y.T
    z.flat[1:3] = z.flat[:2]
    return v[:4], y, z


@CASES(*TABLES)
def an_element_beyond_the_last(x, n):
    try:
        x.T.flat[1] = 5
        x.T.flat[8 + n] = 1
    except IndexError as error:
        return str(error)
    x.flags.writeable = False
    x.T.flat[1] = 2


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "given"), PROGRAMS)
def test_views_take_no_memory(program, given, backend):
    staged, x = ag.function(program), given[0].copy()

    _, most = most_memory(staged, (x, np.int64(3)), backend)
    assert most < x.nbytes * 0.1


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_views_hold_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, arguments)
