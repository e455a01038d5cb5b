"""Parts that branches and rounds take by what they compute lie in the array itself."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import check_in_place
from tests.conformance.trying import Programs, check

SIZE = 100_000
ROW = np.arange(8.0)
TABLE = np.arange(24.0).reshape(4, 6)
ROWS = [(ROW, np.int64(k)) for k in (0, 1, 2, 3)]
TURNED = [np.asfortranarray(TABLE), TABLE[::-1], TABLE[:, ::2], TABLE.T[1:], ROW[::-2]]
TABLES = [(x, np.int64(k)) for x in (TABLE, *TURNED) for k in (0, 1, 3)]
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(0)
@CASES(*ROWS)
def of_the_part_before(x, n):
    v = x
    for _ in range(n):
        v = v[1:]
        v += 1


@IN_PLACE(0)
@CASES(*ROWS)
def of_the_part_before_by_data(x, n):
    v = x
    for k in range(n):
        v = v[k:][::-1]
        v += k
        if v[0] > 2:
            v *= 2
        v[1] = x[0]


@IN_PLACE(1)
@CASES(*ROWS)
def of_an_array_of_its_own(x, n):
    y = x * 2
    v = y
    for _ in range(n):
        v = v[1:]
        v += 1
    return y


@IN_PLACE(0)
@CASES(*ROWS)
def by_a_branch(x, n):
    v = x[n:] if x[n] > 2 else x[: len(x) - n]
    v += 1
    v[0] = 7


@IN_PLACE(0)
@CASES(*ROWS)
def a_part_or_the_whole(x, n):
    v = x
    if n > 1:
        v = x[n:]
    v *= 2
    v[1:] += v[0]


@IN_PLACE(1)
@CASES(*ROWS)
def of_one_of_two(x, n):
    y = x * 2
    v = x[n:] if x[n] > 2 else y[: len(y) - n]
    v += 1
    v[n] = 5
    return y


@IN_PLACE(0)
@CASES(*ROWS)
def exchanged_parts(x, n):
    half = len(x) // 2
    a, b = x[:half], x[half:]
    for k in range(n):
        a[k:] += 1
        a, b = b[1:], a
    a += 1
    b *= 2


@IN_PLACE(0)
@CASES(*ROWS)
def halves_of_halves(x, n):
    v = x
    while len(v) > 1:
        middle = len(v) // 2
        if v[middle] > n:
            v[:middle] += 1
            v = v[:middle]
        else:
            v[middle:] -= 1
            v = v[middle:]


@IN_PLACE(0)
@CASES(*ROWS)
def parts_known_beforehand(x, n):
    h = len(x) // 2
    v, w = x, x[1:]
    if v[h] > n:
        v[:h] += 1
        v = v[:h]
    else:
        w -= 1
        v = w[h:]
    h = h // 2
    if v[h] > n:
        v[:h] += 1
        v = v[:h]
    else:
        v[h:] -= 1
        v = v[h:]
    v[0] = x[-1]


@IN_PLACE(0)
@CASES(*ROWS)
def reshaped_by_a_branch(x, n):
    v = x[::-1]
    if x[n] > 1:
        v = x.reshape(2, -1)[n % 2]
    v += 1


@IN_PLACE(1)
@CASES(*ROWS)
def of_two_that_are_exchanged(x, n):
    y = x * 2
    v, w = x, y
    for k in range(n):
        v, w = w[1:], v
        v += k
        w[0] = 3
    return y


# Here the part lies otherwise, or which one it is can be told.


@CASES(*TABLES)
def turned_round(x, n):
    v = x
    for k in range(n):
        v = v.T[k % 2 :]
        v += k
        v[0] *= 2
    return v


@CASES(*TABLES[:-3])
def diagonals_and_axes(x, n):
    v = x[..., None]
    for k in range(n):
        v = np.flip(np.moveaxis(v, 0, -1), 1)[k % 2 :]
        v[..., 0] += 1
    w = np.swapaxes(v, 0, 1) if n > 1 else v
    w *= 3
    return w, v


@CASES(*TABLES)
def made_rows(x, n):
    v = x
    for k in range(n):
        v = v.reshape(-1)[k:]
        v += 1
    return v


@CASES(*TABLES)
def rows_or_columns(x, n):
    v = x[n % 2 :] if n > 0 else x.T
    w = v[:1] if n > 1 else v[::-1]
    w += 10
    v *= 2
    return v, w


@CASES(*ROWS)
def which_it_is(x, n):
    y = x * 2
    v = w = y
    for k in range(n):
        w = w[k:]
        w[0] = 9
    if n > 1:
        v = y[1:]
    return y, v, w, v is y, w is y, w is x


@CASES(*ROWS)
def which_of_two_it_is(x, n):
    y = x * 2
    v, w = x, y
    for k in range(n):
        v, w = w, v
        if k > 1:
            w = w[1:]
        v += 1
    return v, w, v is x, w is x, v is y, w is y, y


@CASES(*ROWS)
def real_parts(x, n):
    z = x + 1j
    r = z.real
    for k in range(n):
        r = z.imag[k:] if x[k] > 1 else z.real[::-1]
        r += 1
    return z, r


@CASES(*ROWS)
def read_only_parts(x, n):
    y = np.broadcast_to(x, (2, *x.shape))
    v = y
    for k in range(n):
        v = v[:, k:]
        x[k] += v[0, 0]
    return v + 0


@CASES(*ROWS)
def no_elements(x, n):
    v = x
    for _ in range(n + 1):
        v = v[n * 2 :]
        v += 1
    w = v[:0] if n < 3 else v
    w -= 1
    return v, w


@IN_PLACE(0)
@CASES(*[(np.arange(1.0, 17), np.int64(k)) for k in (0, 1, 2, 3)])
def halves_by_reshapes(x, n):
    v = x
    for k in range(n):
        v = v.reshape(2, -1)[1]
        v += 1
        v[0] = k


@IN_PLACE(0)
@CASES(*ROWS)
def rests_as_columns(x, n):
    for k in range(n):
        v = x[k:].reshape(-1, 1)
        v += 1
        v[k, 0] = k


@IN_PLACE(0)
@CASES(*ROWS)
def rows_of_a_size_of_the_run(x, n):
    v = x[: len(x) // (n + 1) * (n + 1)].reshape(n + 1, -1)
    for k in range(n):
        v[k] += v[k - 1]


@CASES(*[(x[:4], k) for x, k in TABLES if x.ndim > 1])
def rows_that_an_inner_loop_takes(x, n):
    v = np.arange(x.shape[1]) * 1.0
    w = np.arange(x.shape[1] * 9) * 1.0
    for k in range(n):
        for _ in range(n):
            v = x[k]
            w = x[k - 1]
        x[:k] = k
    v *= 2
    w += 1
    return v, w


@CASES(*ROWS)
def of_too_few_dims(x, n):
    v, w = np.atleast_2d(x), x
    if n > 1:
        v, w = w, v
    for k in range(n):
        for _ in range(n):
            v = v[::2, ::-1]
            v += k
    return v, w


@CASES(*ROWS)
def in_a_try(x, n):
    v = x
    try:
        for k in range(n):
            v = v[1:]
            v += 1
            v[k + 3] = x[k]
    except IndexError:
        v *= 2
    return v


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), IN_PLACE)
def test_no_memory_is_needed_for_what_is_taken(program, arrays, backend):
    check_in_place(program, arrays[0], backend, SIZE, np.int64(3))


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_is_taken_is_changed_as_in_python(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, arguments)
