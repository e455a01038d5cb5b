"""Parts of an array that are stored over others: NumPy goes through some one by one."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
X, N = np.arange(6.0), np.int64(2)


@PROGRAMS((X, N))
def every_other_by_the_first(x, n):
    x[::2] = x[:3]
    x[1] += 1


@PROGRAMS((X, N))
def the_first_by_every_other(x, n):
    x[:3] = x[::2]
    x[n:] = x[:-n]
    x[::-1] = x


@PROGRAMS((X, N))
def of_its_own(x, n):
    y = x * 2
    y[1:] = y[:-1]
    y[::n] = y[1:4]
    return y


@PROGRAMS((X, N), (np.zeros(6), N))
def that_is_kept_too(x, n):
    y = x * 2
    z = y
    if x[1] > 0:
        z = y + 1
    y[::2] = y[:3]
    return y, z


@PROGRAMS((X.reshape(2, 3), N))
def of_other_dims(x, n):
    y = np.sort(x)
    z = y.ravel()
    z[::2] = y[::2]
    if n > 1:
        z[1::n] = y[:1]
    z.flat[1:4] = [5, 6]
    return y, z


@PROGRAMS((X, N))
def again_and_again(x, n):
    for k in range(n + 1):
        x[::2] = x[k : k + 3]
        x[k + 1 :: 2] = x[: len(x[k + 1 :: 2])]


@PROGRAMS((X.reshape(2, 3), N), (X.reshape(2, 3), N - 1), (X.reshape(3, 2), N))
def a_row_that_may_not_be_there(x, n):
    v = x[n:]
    v[0] = v[0]
    return v


@PROGRAMS((X.reshape(2, 3), N), (X.reshape(2, 3), N - 1), (X.reshape(3, 2), -N))
def a_row_that_data_tell(x, n):
    v = x[1:]
    v[:, n:] = v[:, n:]
    v[...] = v[...]
    x[n] = x[n]
    x[n] += 1
    v[n] += v[0]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_what_is_stored_over_itself_is_what_numpy_leaves(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
