"""Calls that change an array warn at the user's line, whatever makes them."""

import warnings

import numpy as np
import pytest

import autograph as ag


def by_a_ufunc(x, n):
    np.sqrt.at(x, [0, 1])
    np.log.at(x, np.array([0, n]))


def in_a_loop(x, n):
    for k in range(n):
        x[k] = 0
        np.reciprocal.at(x, [k])


def into_another_dtype(x, n):
    y = np.zeros(4, int)
    np.copyto(y, x * np.nan, casting="unsafe")
    z = np.zeros(4)
    np.copyto(z, x + 1j, casting="unsafe")
    return y, z


def into_an_out(x, n):
    y = x * 1e300
    np.multiply.reduceat(y, [0, 2], out=x[:2])
    np.nancumprod(y, out=x)


def where_others_read(x, n):
    y = x + 1
    z = y
    np.log.at(z, [n, n])
    v = y[1:] * 2
    np.sqrt.at(v, [0])
    return v, y, z


def found(function, backend):
    with ag.config(backend=backend), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        function(np.arange(4.0) - 1, np.int64(2))
    return [(str(one.message), one.filename, one.lineno) for one in said]


PROGRAMS = [
    *(by_a_ufunc, in_a_loop, into_another_dtype, into_an_out, where_others_read)
]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_change_warns_at_the_users_line(program, backend):
    wanted, staged = found(program, "numpy"), ag.function(program)
    for _ in range(2):
        assert found(staged, backend) == wanted
