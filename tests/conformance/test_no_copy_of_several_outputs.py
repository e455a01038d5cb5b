"""A ufunc with several results writes each of them where its array lies."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import check_in_place, most_memory
from tests.conformance.trying import Programs, check

SIZE = 40_000
X, Y = (np.linspace(first, 3.0, 8) for first in (-3.0, -2.0))
PAIR = (X, Y, np.int64(2))
PROGRAMS = Programs()


def of_rows(x, n):
    q = x.reshape(4, -1)
    np.divmod(q[0], 1.5, out=(q[1], q[2]))
    np.modf(q[n], out=(q[0], q[n]))


def of_parts(x, n):
    np.divmod(x[:100], 1.5, out=(x[:100], x[200:300]))
    np.modf(x[n : n + 100], out=(x[n : n + 100], np.zeros(100)))


def in_rounds(x, n):
    q = x.reshape(2, -1)
    for _ in range(n):
        np.modf(q[0], out=(q[0], q[1]))
        q[0] += q[1]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", [of_rows, of_parts, in_rounds])
def test_no_memory_is_needed_for_the_results(program, backend):
    check_in_place(program, 0, backend, SIZE, np.int64(3))


def whole(x, y):
    np.modf(x, out=(x, y))
    np.divmod(x, y, x, y)
    np.modf(x.T, out=(y.T, x.T))


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_whole_arrays_are_written_where_they_are(backend):
    x, y = (np.linspace(1.0, 9.0, SIZE) for _ in range(2))
    with np.errstate(invalid="ignore"):  # the second call divides by 0
        _, most = most_memory(ag.function(whole), (x, y), backend)
    assert most < x.nbytes * 0.1


def one_is_new(x):
    return np.frexp(x, out=(x, None))


def test_only_what_has_no_array_is_made():
    x = np.linspace(0.0, 9.0, SIZE)
    _, most = most_memory(ag.function(one_is_new), (x,), "numpy")
    assert most < x.nbytes * 0.6


@PROGRAMS(PAIR)
def given_for_each_other(x, y, n):
    r = np.modf(x, out=(y, x))
    r[0][0] = 9
    return r[0]


@PROGRAMS(PAIR)
def read_from_what_is_written(x, y, n):
    np.modf(x[1:], out=(x[:-1], y[1:]))
    z = x[::-1]
    np.divmod(x, 1.5, out=(z, y))
    return z


@PROGRAMS(PAIR)
def given_for_both(x, y, n):
    np.modf(x, out=(x, x))
    np.modf(y[1:], out=(y[1:], y[:-1]))
    return x + y


@PROGRAMS(PAIR)
def known_by_another_name(x, y, n):
    q = np.zeros((3, 8))
    v, old = q[2], q[0]
    np.modf(x, out=(q[0], q[1]))
    v += 1
    np.divmod(q[0], v, out=(q[1], q[2]))
    return old, v, q


@PROGRAMS(PAIR)
def kept_before(x, y, n):
    old = x * 1
    kept = old
    a, b = np.modf(old, out=(old, None))
    return kept, a, b, old


@PROGRAMS(PAIR)
def one_of_two(x, y, n):
    v = x if n > 1 else y
    np.divmod(x, 1.5, out=(v, y))
    return v


@PROGRAMS(PAIR)
def in_a_recursion(x, y, n):
    def halve(p, q, k):
        if k < 0:
            return p
        np.divmod(p, 1.3, out=(p, q))
        p += q
        return halve(q, p, k - 1)

    return halve(x, y, n)


@PROGRAMS(PAIR)
def of_other_dtypes(x, y, n):
    f, k = np.empty(8, np.float32), np.empty(8, np.int16)
    np.divmod(x, 1.5, out=(f, y))
    np.frexp(y, out=(y, k[:]))
    return f, k


@PROGRAMS(PAIR)
def not_cast(x, y, n):
    np.modf(x, out=(y, np.empty(8, np.int32)))


@PROGRAMS(PAIR)
def without_dims(x, y, n):
    k, f = np.zeros(()), np.zeros((), np.float32)
    np.modf(x[n], out=(k, f))
    np.divmod(x[n], y[n], out=(x[n, ...], k))
    return k, f


@PROGRAMS(PAIR)
def not_cast_without_dims(x, y, n):
    k = np.zeros((), bool)
    np.modf(x[n], out=(k, None))
    return k


@PROGRAMS(PAIR)
def not_of_the_size(x, y, n):
    try:
        np.divmod(x, y, out=(x[: n + 1], y))
    except ValueError as error:
        return str(error), x


@PROGRAMS(PAIR)
def read_only(x, y, n):
    x.flags.writeable = False
    np.modf(y, out=(y, x))


@PROGRAMS(PAIR)
def only_somewhere(x, y, n):
    np.divmod(x, y, out=(x, y), where=x > 0)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_calls_with_several_outputs_do_what_numpy_does(function, arguments, backend):
    ((x, y, n),) = arguments
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, ((x, y, n), (x, x, n)))
