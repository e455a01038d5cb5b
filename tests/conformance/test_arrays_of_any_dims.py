"""Arrays whose number of dims the run finds: their rows, their length, `flat`."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
SQUARE, ROW = np.arange(6.0).reshape(3, 2), np.arange(3.0)
CUBE = np.arange(12.0).reshape(3, 2, 2)
TIMES = (SQUARE, ROW, i(0)), (SQUARE, ROW, i(1)), (SQUARE, CUBE, i(1))
PROGRAMS = Programs()


@PROGRAMS(*TIMES)
def sums_of_rows(x, y, n):
    for _ in range(n):
        x, y = y, x
    s = 0.0
    for r in x:
        s = s + r.sum()
    return s


@PROGRAMS(*TIMES)
def rows_changed(x, y, n):
    for _ in range(n):
        x, y = y, x
    for r in x:
        r += 1
    return x, y


@PROGRAMS(*TIMES)
def elements_of_flat(x, y, n):
    for _ in range(n):
        x, y = y, x
    x.flat[1:3] = [5, 6]
    x.flat[n] = 7
    return x, y


@PROGRAMS(*TIMES)
def counted_by_their_length(x, y, n):
    for _ in range(n):
        x, y = y, x
    for k in range(len(x)):
        x[k] *= 2
    return len(x), len(y)


@PROGRAMS(*TIMES)
def rows_in_a_list(x, y, n):
    for _ in range(n):
        x, y = y, x
    t = [r * 2 for r in x]
    return t


@PROGRAMS(*TIMES)
def reshaped_and_changed(x, y, n):
    for _ in range(n):
        x, y = y, x
    v = x.reshape(-1)
    v[0] = 8
    w = x.ravel()
    w[1] = 5
    np.put(x, [2], 9)
    return x, v, w


@PROGRAMS(*TIMES)
def rows_of_what_may_be_an_element(x, y, n):
    for _ in range(n):
        x, y = y, x
    y = y[0]
    for r in y:
        x = x + r
    return x


@PROGRAMS(*TIMES)
def length_of_what_may_be_an_element(x, y, n):
    for _ in range(n):
        x, y = y, x
    y = y[0]
    return len(y)


@PROGRAMS(*TIMES)
def rows_or_elements_stored_into(x, y, n):
    for _ in range(n):
        x, y = y, x
    for k, r in enumerate(x):
        r[...] = k
    return x


@PROGRAMS(*TIMES)
def two_at_once(x, y, n):
    for _ in range(n):
        x, y = y, x
    for r, s in zip(x, y):
        r[...] = s.sum()
    return x


@PROGRAMS(*TIMES)
def left_early(x, y, n):
    for _ in range(n):
        x, y = y, x
    for r in x:
        x = x + 1
        if r.sum() > 3:
            break
    else:
        x = x * 2
    return x


@PROGRAMS(*TIMES)
def made_lists_of(x, y, n):
    for _ in range(n):
        x, y = y, x
    return list(x), tuple(y)


@PROGRAMS(*TIMES)
def unpacked(x, y, n):
    for _ in range(n):
        x, y = y, x
    a, b, c = x
    return a, b, c


@PROGRAMS(*TIMES)
def lengths_on_two_paths(x, y, n):
    for _ in range(n):
        x, y = y, x
    return len(x[0]) if n > 3 else len(y)


@PROGRAMS(*TIMES)
def backwards(x, y, n):
    for _ in range(n):
        x, y = y, x
    t = 0
    for r in reversed(x):
        t = t * 2 + r.sum()
    return t, max(len(x), 3), sum(x)


@PROGRAMS(*TIMES)
def an_item_that_may_be_an_element(x, y, n):
    x, y = x * 2, y * 2
    for _ in range(n):
        x, y = y, x
    r = x[0]
    r[...] = 3
    return x


@PROGRAMS(*TIMES)
def an_item_copied_to(x, y, n):
    for _ in range(n):
        x, y = y, x
    np.copyto(x[0], 5)
    return x


@PROGRAMS(*TIMES)
def an_item_filled(x, y, n):
    for _ in range(n):
        x, y = y, x
    x[0].fill(3)
    return x


@PROGRAMS(*TIMES)
def what_may_be_an_element_is_made_anew(x, y, n):
    for _ in range(n):
        x, y = y, x
    r = x[0]
    s = r
    r += 1
    r -= 0.5
    x[0] += 5
    return r, s, r * 2, x, y


@PROGRAMS(*TIMES)
def elements_or_rows_changed_in_turn(x, y, n):
    for _ in range(n):
        x, y = y, x
    t = 0
    for r in x:
        q = r
        r *= 2
        t = t + r.sum() + q.sum()
    return t, x, y


@PROGRAMS(*TIMES)
def an_element_changed_on_two_paths(x, y, n):
    for _ in range(n):
        x, y = y, x
    r = x[1]
    if n > 0:
        r += 1
    else:
        r -= 1
    return x, y, r


@PROGRAMS(*[(x.astype(int), y.astype(int), n) for x, y, n in TIMES])
def an_element_of_another_type(x, y, n):
    for _ in range(n):
        x, y = y, x
    r = x[1]
    r += 0.5
    return r, x, y


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_the_run_finds_how_many_rows_there_are(program, calls):
    check(program, calls)
