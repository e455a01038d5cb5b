"""What may be an array from outside, or one of its own, is changed where it lies."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 90_000
NUMBERS = [np.int64(k) for k in (0, 1, 2, 3, 7)]
X, TABLE = np.arange(1.0, 13.0) % 5 - 1, np.arange(12.0).reshape(3, 4) % 5 - 1
VECTORS = [(x, n) for x in (X, X[::-1], np.repeat(X, 2)[::2]) for n in NUMBERS]
TURNED = [TABLE, TABLE.T, np.asfortranarray(TABLE), np.repeat(TABLE, 2, 1)[:, ::2]]
TABLES = [(x, n) for x in TURNED for n in NUMBERS]
LARGE = np.arange(1.0, SIZE + 1)
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(0, LARGE)
@CASES(*VECTORS)
def a_part_or_twice(x, n):
    v = x[1:] if n > 2 else x * 2
    v += 1
    v[0] = 5


@IN_PLACE(0, LARGE)
@CASES(*VECTORS)
def a_part_or_a_part_of_its_own(x, n):
    v = x[1:] if n > 2 else (x * 2)[1:]
    v += 1
    v[0] = n


@IN_PLACE(1, LARGE)
@CASES(*VECTORS)
def a_part_of_one_of_two_of_its_own(x, n):
    z = x * 2
    v = z[1:] if n > 2 else (x + 1)[n:-1][::-1]
    v += 1
    w = v
    w[n] = 7
    return z, v


@CASES(*VECTORS)
def a_part_of_its_own_under_two_names(x, n):
    w = x[:-1]
    if n > 1:
        v = x[1:]
    else:
        z = x + 0
        v, w = z[1:], z[:-1]
    v += 1
    w *= 2
    return v, w


@CASES(*TABLES)
def a_row_or_a_column_of_its_own(x, n):
    v = x[0] if n > 1 else (x.T * 2)[:, 0][: x.shape[1]]
    v += 1
    if n % 2:
        v = v[1:]
    v[0] = n
    return v, x.sum()


@CASES(*VECTORS)
def a_part_of_its_own_in_rounds(x, n):
    v = x
    for k in range(n):
        v = v[1:] if k % 2 else (v * 2)[:-1]
        v[0] += k
    return v


@IN_PLACE(0, LARGE)
@CASES(*VECTORS)
def a_part_or_twice_in_rounds(x, n):
    v = x
    for k in range(n):
        v = v[1:] if x[k] > 0 else v * 2
        v += 1


@IN_PLACE(2, LARGE)
@CASES(*VECTORS)
def now_a_part_now_its_own(x, n):
    v = x
    for k in range(n):
        v = v[1:] if k % 2 else v * 2
        v[0] += k
    v[0] = 3
    return v


@IN_PLACE(0, LARGE)
@CASES(*VECTORS)
def reshaped_in_rounds(x, n):
    v = x
    for k in range(n):
        v = v.reshape(3, -1)
        v += 1
        v[k % 3] *= 2
        v = v.reshape(-1)
    v[0] = 9


@IN_PLACE(1, LARGE)
@CASES(*VECTORS)
def halves_or_parts_of_its_own(x, n):
    v = x
    for k in range(n):
        half = len(v) // 2
        v = v[:half] if v[k % 2 :].sum() > k else v[half:] * 1.5
        v -= 0.25
    v[:1] = 3
    return v


@IN_PLACE(2, LARGE)
@CASES(*VECTORS)
def the_best_of_some(x, n):
    best = x
    for k in range(n):
        other = best + 0.5
        if other[0] < best[0] + k:
            best = other
        best[0] += 1
    return best


@IN_PLACE(0.1, LARGE.reshape(300, 300))
@CASES(*TABLES)
def taken_in_some_turns(x, n):
    for k in range(n):
        if k % 2 == 0:
            r = x[:, 1:]
        x[k % 3] += 1
    if n > 0:
        r[0] = 9
        return r.sum()
    return None


@CASES(*TABLES)
def raveled_in_rounds(x, n):
    v = x
    for k in range(n):
        v = v.ravel()
        v[k] += 10
        v = v.reshape(4, 3)
        v[0] *= 2
    return v


@CASES(*TABLES)
def reshaped_in_a_branch(x, n):
    v = x.T if n else x + 1
    v = v.reshape(-1)
    v[0] = 7
    w = x.ravel() if n > 1 else x[1]
    w += 1
    return v, w


@CASES(*VECTORS)
def of_its_own_then_all_of_it(x, n):
    v = np.zeros(len(x))
    for k in range(n):
        v = x if x[k] > 0 else v[::-1]
        v[k] = k
        if k == 1:
            v = v + 0
    return v, x


@CASES(*VECTORS)
def in_a_try(x, n):
    v = x
    try:
        for k in range(n):
            v = v[2:] if x[k] > 0 else v * 2
            v[k] += 1
    except IndexError as error:
        v[:1] = 9
        return str(error), v
    return v


@CASES(*VECTORS)
def in_inner_loops(x, n):
    v, y = x, np.zeros(3)
    for k in range(n):
        v = v * 2 if k == 2 else v
        for j in range(3):
            v[j] += k
            if j == 1:
                v = v[1:]
        y[:2] += v[:2]
    v[0] = 1
    return v, y


@CASES(*VECTORS)
def two_names_of_one_of_its_own(x, n):
    v = w = x
    for k in range(n):
        if x[k] > 0:
            v = x * k
            w = v
        v[0] = k + 5
    return v, w, v is w


@CASES(*VECTORS)
def a_copy_where_nobody_asks_for_the_view(x, n):
    v = x
    x[0] = 3
    for _ in range(n):
        v = v.reshape(-1, 1).ravel()
        v[:2] = 1
    v = v[None][0] if n % 2 else v[:4].reshape(2, -1).T.reshape(-1)
    return v


@CASES(*VECTORS)
def a_copy_or_a_part(x, n):
    v, w = x * 2, x
    if n > 2:
        v = w[:4].reshape(2, -1).T.reshape(-1) if n > 5 else x.ravel()
    w -= 0.25
    return v


@CASES(*VECTORS)
def raises_half_way(x, n):
    v = x[2:] if n else x * 3
    v += 1
    v[n + 5] = 4
    return v


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "given"), IN_PLACE)
def test_no_memory_is_needed_that_numpy_would_not_need(program, given, backend):
    arrays, large = given
    staged, n = ag.function(program), np.int64(3)
    x, y = large.copy(), large.copy()
    _, most = most_memory(staged, (x, n), backend)
    assert most < x.nbytes * (arrays + 0.1)
    for _ in range(4):
        program(y, n)
    assert np.array_equal(x, y)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_each_holds_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, arguments)
