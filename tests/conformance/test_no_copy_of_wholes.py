"""Arrays changed as a whole, and values on the way, need no more memory than NumPy."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 100_000
PROGRAMS = Programs()


@PROGRAMS(0)
def by_a_number(x, y, n):
    x += 1
    return x


@PROGRAMS(0)
def by_another(x, y, n):
    x += y
    x *= x
    np.sqrt(x, out=x)
    np.subtract(y, x, out=x)


@PROGRAMS(0)
def a_part(x, y, n):
    v = x[1:]
    v += 1
    x[:-1] *= y[1:]
    x[n : n + 5] -= 2


@PROGRAMS(0)
def powers(x, y, n):
    x **= 2
    y **= 0.5
    for _ in range(n):
        x **= -1
    v = y[1:]
    v **= 2
    return x


@PROGRAMS(1)
def powers_that_others_read(x, y, n):
    z = x**2
    y **= x[0]
    return z


@PROGRAMS(0)
def running(x, y, n):
    np.maximum.accumulate(x, out=x)
    np.add.accumulate(y[1:], out=y[1:])


@PROGRAMS(0)
def in_a_loop(x, y, n):
    for _ in range(n):
        x *= 0.5
        x += y


@PROGRAMS(1)
def values_on_the_way(x, y, n):
    z = (x * 2 + y) / 3 - 1
    return np.exp(-z)


@PROGRAMS(1)
def of_its_own(x, y, n):
    z = x * y
    for _ in range(n):
        z += y
        z *= 0.5
    return z


@PROGRAMS(0)
def given_to_another(x, y, n):
    np.multiply(x, 2, out=y)
    np.cumsum(y, out=x)
    return np.subtract(x, y, out=y)


@PROGRAMS(0)
def given_to_itself(x, y, n):
    np.clip(x, 0, 1, out=x)
    np.round(y, 2, out=y)
    x.clip(0, n, out=x)


@PROGRAMS(0)
def given_to_a_part(x, y, n):
    np.multiply(x[1:], 2, out=y[1:])
    np.add(x[n:], x[:-n], out=y[n:])


@PROGRAMS(0)
def given_to_each_other_in_a_loop(x, y, n):
    for _ in range(n):
        np.multiply(x, 0.5, out=y)
        np.add(y, 1, out=x)


@PROGRAMS(1)
def given_to_one_of_its_own(x, y, n):
    z = np.empty_like(x)
    np.multiply(x, y, out=z)
    z[n] = 1
    return z


@PROGRAMS(0)
def through_a_reshaped_view(x, y, n):
    rows = x.reshape(-1, 2)
    rows += 1
    np.multiply(rows, 2, out=rows)
    table = y.reshape(2, -1).T
    table -= 1
    rows[n] = 5


@PROGRAMS(0)
def given_to_a_reshaped_part(x, y, n):
    half = len(x) // 2
    part = x[half:].reshape(2, -1)
    part += 1
    np.multiply(y[:half].reshape(2, -1), 2, out=part)


@PROGRAMS(1)
def a_table_of_its_own_as_a_row(x, y, n):
    table = x.reshape(2, -1) * 2
    row = table.ravel()
    row += 1
    row *= row
    return row


@PROGRAMS(0)
def by_what_data_say(x, y, n):
    if x[0] > n:
        x += 1
    else:
        np.add(x, y, out=x)
    y[n] = 0


@PROGRAMS(0)
def exchanged_round_by_round(x, y, n):
    for _ in range(n):
        np.multiply(x, 0.5, out=y)
        x -= 1
        x, y = y, x


@PROGRAMS(0)
def parts_of_two_that_are_exchanged(x, y, n):
    for k in range(n):
        x[k : k + SIZE // 8] += y[: SIZE // 8]
        x, y = y, x
        y[k : k + 5] = 2


@PROGRAMS(0)
def parts_of_one_that_are_exchanged(x, y, n):
    a, b = x[: SIZE // 2], x[SIZE // 2 :]
    for k in range(n):
        a[k] = b[k] + 1
        a, b = b, a


@PROGRAMS(0.5)
def a_stencil_between_rows(x, y, n):
    rows = x.reshape(2, -1)
    a, b = rows[0], rows[1]
    for _ in range(n):
        b[1:-1] = (a[2:] + a[:-2]) * 0.5
        a, b = b, a


@PROGRAMS(1)
def a_stencil_between_two(x, y, n):
    while n > 0:
        y[1:-1] = (x[2:] + x[:-2]) * 0.5
        x, y = y, x
        n = n - 1
    return x


@PROGRAMS(2)
def let_go_after_a_loop(x, y, n):
    z = x * 2
    for k in range(n * 8_000):
        z[k] += z[k - 1]
    w = z[::-1] + y
    return w[::-1] - y


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), PROGRAMS)
def test_no_memory_is_needed_that_numpy_would_not_need(program, arrays, backend):
    staged = ag.function(program)
    x, y, n = np.ones(SIZE), np.ones(SIZE), np.int64(3)
    kept, most = most_memory(staged, (x, y, n), backend)
    assert kept is None or kept.shape == (SIZE,)
    assert most < x.nbytes * (arrays[0] + 0.25)


CASES = Programs()
A, B = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])


@CASES((A, B, np.int64(2)), (A, B, np.int64(7)))
def given_before_what_fails(x, y, n):
    np.multiply(x, 2, out=y)
    x -= 1
    np.clip(y, 2, 5, out=x[:])
    y[n] = 7
    np.cumsum(y, out=y)


@CASES((A, B, np.int64(2)), (A, A, np.int64(2)), (A, B, np.int64(7)))
def reshaped_and_changed_before_what_fails(x, y, n):
    rows = x.reshape(1, -1)
    rows += y
    part = y[1:].reshape(-1, 1)
    np.multiply(part, 2, out=part)
    y[n] = 1
    np.subtract(x, rows[0], out=y)
    rows -= y
    return rows, part.ravel() + 1


@CASES((A, B, np.int64(2)), (A, A, np.int64(2)), (A, B, np.int64(7)))
def given_where_it_is_read(x, y, n):
    z = y[1:]
    np.add(x[1:], z, out=y[:-1])
    np.multiply(y[::-1], x, out=y)
    x[n] = 5
    np.cumsum(y[:-1], out=y[1:])
    return z * 2


@CASES((A, B, np.int64(2)))
def given_to_an_array_that_two_names_have(x, y, n):
    z = np.empty_like(x)
    w = z
    np.multiply(x, y, out=z)
    v = w[:n]
    np.add(v, 1, out=v)
    np.matmul(np.outer(x, y), z, out=z)
    return z, w, v


@CASES((A, B, np.int64(2)), (A, B, np.int64(5)))
def changed_before_an_operation_fails(x, y, n):
    x *= 2
    y += x
    x += np.ones(n + 1)
    y *= 3


@CASES((A, B, np.int64(2)), (A, B, np.int64(3)), (A, A, np.int64(3)))
def parts_of_what_is_exchanged(x, y, n):
    for k in range(n):
        x[k:] += y[: len(y) - k]
        x[1:] -= x[:-1]
        x, y = y, x
        y[k:][:1] = x[k]
        y[::-1] *= y
    x[0] += 5
    return x - y


@CASES((A, B, np.int64(2)))
def is_read_again(x, y, n):
    z = x + y
    w = z + 1
    z *= w
    return z, w, z[1:]


@CASES((A, B, np.int64(2)))
def a_value_equal_to_the_new_content(x, y, n):
    s = x + 1
    x += 1
    return s, s[1:], x[1:]


@CASES((A, B, np.int64(2)))
def content_that_another_array_gets(x, y, n):
    t = x * 2
    x[:] = y + 1
    y[:] = t
    return t


@CASES((A, B, np.int64(2)), (A, B, np.int64(7)))
def what_fails_after_a_value_on_the_way(x, y, n):
    t = x * 2
    t += y[n]
    x[:] = t


@CASES((A, B, np.int64(2)), (A, B, np.int64(7)))
def what_fails_after_a_change(x, y, n):
    x += 1
    y *= x
    x -= y[n]


@CASES((A, B, np.int64(1)), (A, B, np.int64(0)))
def one_of_two_is_changed(x, y, n):
    z = x if n > 0 else y
    z += 5
    x += 1
    y += 1
    return z


@CASES((np.arange(6.0), B, np.int64(2)), (np.arange(9.0)[::2], B, np.int64(2)))
def a_part_that_overlaps(x, y, n):
    x[1:] += x[:-1]
    x[::-1] -= x
    return x


@CASES((A, B, np.int64(2)), (np.arange(5.0), B[:1], np.int64(2)))
def of_sizes_that_differ(x, y, n):
    x += y
    t = y * 2
    return t - x, t * 2


@CASES((A, B, np.int64(2)))
def copied_before_a_loop_that_may_fail(x, y, n):
    v, z = x, x
    if n > 2:
        z = x.flat[:2]
    if y.sum() > 9:
        for _ in range(n):
            v[:-1] += v[1:]
    w = z * 2
    y[90] = 1
    return w


@CASES((A, B, np.int64(50_000)), (A, B, np.int64(200_000)))
def fails_after_many_rounds(x, y, n):
    for k in range(n):
        x += 1
        y *= 0.5
        if k == 100_000:
            x[k] = 0


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_value_that_is_read_later_is_kept(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        for way in ("default", "error"):
            warnings.simplefilter(way)
            check(function, arguments)
