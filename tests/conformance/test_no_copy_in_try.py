"""What a `try` changes in place needs no copy, where no handler can see the old one."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 100_000
SMALL = np.arange(4.0)
ARGUMENTS = [(SMALL, np.int64(k)) for k in range(-5, 8)]
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def as_a_whole(x, n):
    try:
        x += 1
        y = x[n]
    except IndexError:
        x *= 2
        return x[0]
    return y


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def element_by_element(x, n):
    try:
        for k in range(n):
            x[k] = x[k - 1] + 1
    except IndexError:
        x[0] = 7
    x[1] += 2


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_try_in_each_round(x, n):
    for k in range(n):
        try:
            x[k] += 1
            x[k + 1] -= 1
        except IndexError:
            x[0] = 9


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_finally_that_changes_it(x, n):
    try:
        x += 1
        y = x[n]
    finally:
        x *= 2
    return y


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_finally_that_does_not(x, n):
    try:
        x += 1
        x[n] = 3
    finally:
        print("left")


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_handler_that_raises(x, n):
    try:
        for k in range(n):
            x[k] = x[k - 1] + x[n]
    except IndexError:
        x[0] = 7
        raise ValueError(x[1]) from None


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def a_branch_that_raises(x, n):
    x += 1
    if n > 3:
        x[1] = 4
        raise ValueError("large")
    x *= 2


@IN_PLACE(2)  # as in NumPy: y, and y + z
@CASES(*ARGUMENTS)
def an_array_of_its_own(x, n):
    y = x * 2
    try:
        y += 1
        z = y[n]
        y *= z
        z += y[n + 1]
    except IndexError:
        return y
    return y + z


ZEROS = np.array([1.0, 0.0, 0.0, 3.0])


@IN_PLACE(0)
@CASES((SMALL, np.int64(2)), (ZEROS, np.int64(2)), (SMALL + 1, np.int64(9)))
def where_numpy_raises(x, n):
    with np.errstate(all="raise"):
        try:
            x /= x[0]
            x[n] = 4
        except FloatingPointError:
            x[1] = 100
        except IndexError:
            x[2] = 50


@IN_PLACE(0)
@CASES((SMALL, np.int64(2)), (ZEROS, np.int64(2)), (SMALL + 1, np.int64(9)))
def where_numpy_raises_inside(x, n):
    try:
        with np.errstate(invalid="raise"):
            x[1:] /= x[0]
            x[n] = 4
    except FloatingPointError:
        x[1] += 100


@IN_PLACE(2)  # as in NumPy: a and b
@CASES(*ARGUMENTS)
def two_of_its_own_exchanged(x, n):
    a, b = x * 2, x * 3
    try:
        for k in range(n):
            a, b = b, a
            a[k] = b[k]
            b[k + 1] += 1
    except IndexError:
        a[0] = 50
    b[1] = 60
    return a, b


@IN_PLACE(3)  # and what is stored
@CASES(*ARGUMENTS)
def a_stencil_between_two(x, n):
    a, b = x * 2, x * 3
    try:
        for k in range(n):
            b[1:-1] = (a[2:] + a[:-2]) * 0.5
            a, b = b, a
            np.multiply(a, 0.5, out=b)
            b[k] = a[k]
    except IndexError:
        b[0] = 1
    return b


@IN_PLACE(0.5)  # what is stored
@CASES(*ARGUMENTS)
def parts_exchanged(x, n):
    a, b = x[: len(x) // 2], x[len(x) // 2 :]
    try:
        for k in range(n):
            b[1:-1] = (a[2:] + a[:-2]) * 0.5
            a, b = b, a
            a[k] += 1
    except IndexError:
        a[0] = 50
        a, b = b, a
    a[0] = 60


# Here a handler may see what was there before, or by another name.


@CASES(*ARGUMENTS)
def one_of_two(x, n):
    y = x * 3
    z = x if n > 2 else y
    w = z[1:]
    try:
        w += z[n]
        v = z[:2]
        v += w[n]
        w[n + 1] = 2
        z += x
    except IndexError:
        w *= 2
        return x, y, z, w
    return z, w


@CASES(*ARGUMENTS)
def what_is_stored_is_read_again(x, n):
    y = x * 3
    z = x if n > 2 else y
    try:
        t = z[n:] + x[n]
        z[n:] = t
        t *= 2
        z[n + 1] = t[n]
    except (IndexError, ValueError):
        return t, z
    return t


@CASES(*ARGUMENTS)
def three_in_turn(x, n):
    a, b, c, t = x * 2, x * 3, x + 1, x
    try:
        for k in range(n):
            a += b
            c[k] = a[k]
            t = c[1:]
            t += a[:-1]
            a, b, c = c, a, b
            b[k + 1] = t.sum()
    except IndexError:
        c[0] = 5
    return a, b, c


@CASES(*ARGUMENTS)
def flat_of_its_own_part(x, n):
    try:
        x.flat = x[n:][::-1]
        x[n] = 1
    except IndexError:
        x[0] = 1


@CASES((SMALL, np.int64(2)))
def flat_of_its_own_bytes(x, n):
    x.flat = x.view(np.int64)[::-1]
    return x


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def one_in_another(x, n):
    try:
        x[n] += 1
        try:
            x += 1
            x[n + 1] += 1
            x[n + 2] += 1
        except IndexError:
            x[0] = 8
            x[n + 3] = 1
    except IndexError:
        x[1] = 9


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def one_in_each_round_of_another(x, n):
    try:
        for k in range(n):
            try:
                x += 1
                x[k + 1] = x[k + 2]
            except IndexError:
                x[0] = x[k - 3]
    except IndexError:
        x[1] = 9


@CASES(*ARGUMENTS)
def an_older_array_where_the_inner_one_fails(x, n):
    y = x * 1
    try:
        try:
            y[0] = x[n]
            y = y + x[n + 1]
            y[1] = x[n + 2]
        except IndexError:
            x[n] = 2
        y[2] = x[n + 3]
    except IndexError:
        return y
    return y * 2


@CASES(*ARGUMENTS)
def two_names(x, n):
    y = x * 1
    try:
        y[0] = 5
        t = y
        y = y + x[n]
        y[0] = 6
        t[1] = x[n + 1]
    except IndexError:
        return y, t
    return t


@CASES(*ARGUMENTS)
def made_anew_by_each_round(x, n):
    y = x * 1
    try:
        while n > 0:
            y = y + 1
            y[n] = 3
            n = n - 1
            if y[n] > 1:
                y[n + 1] = 4
    finally:
        y[0] = 100
    return y


@CASES(*ARGUMENTS)
def on_one_path(x, n):
    try:
        y = x + x[n]
        if y[0] > 1:
            x[n - 1] = 4
            y = x * 2
        x[n + 1] = y[n + 2]
        y += x[n + 3]
    except IndexError:
        x[0] -= 5
        return x, y
    return y


@CASES(*ARGUMENTS)
def a_helper_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += one_of(x, k)
        except IndexError:
            x += total
            total = x[0]
    return total


def one_of(x, k):
    x[k] *= 2
    try:
        x[k + 1] -= 1
    finally:
        x[0] += 1
    return x[k + 2]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), IN_PLACE)
def test_a_try_needs_no_memory_that_numpy_would_not_need(program, arrays, backend):
    staged = ag.function(program)
    x, n = np.ones(SIZE), np.int64(3)
    _, most = most_memory(staged, (x, n), backend)
    assert most < x.nbytes * (arrays[0] + 0.25)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_handlers_see_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        for way in ("default", "error"):
            warnings.simplefilter(way)
            check(function, arguments)
