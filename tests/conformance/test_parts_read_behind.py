"""A part that each turn takes of an array, and that is read behind the loop.

The loop hands on the array alone, and the part is taken of what it has left; where that
is another part, or one of another array, it is handed on as before.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

i = np.int64
Z = np.arange(6.0) + 2j
X = np.arange(12.0).reshape(3, 4)
P = np.zeros(6, [("x", float), ("y", float)])
COUNTS = [i(k) for k in (0, 1, 2, 5)]
ONCE, CASES = Programs(), Programs()


def of(array):
    return [(array, n) for n in COUNTS]


@ONCE(Z)
@CASES(*of(Z))
def the_real_part(z, n):
    for k in range(n):
        r = z.real
        r[k] += k
    return r


@ONCE(Z)
@CASES(*of(Z))
def both_parts(z, n):
    r = z.real
    for k in range(n):
        r, s = z.real, z.imag
        r[k] += k
        s[k] -= r[k]
    return r


@ONCE(X)
@CASES(*of(X))
def the_turned_array(x, n):
    for k in range(n):
        r = x.T
        r[0, k % 3] += k
    return r


@CASES(*of(X))
def a_row_beside_the_array(x, n):
    for k in range(n):
        r = x.reshape(-1)
        r[k] += k
        x[0, 0] += 1
    return r


@ONCE(P)
@CASES(*of(P))
def a_field(p, n):
    for k in range(n):
        r = p["x"]
        r[k] += k
    p["y"][0] = 5
    return r


@ONCE(Z)
@CASES(*of(Z))
def by_a_break(z, n):
    k = 0
    while True:
        r = z.real
        r[k] += k
        k += 1
        if k > n:
            break
    return r


@CASES(*of(Z))
def that_is_changed_behind(z, n):
    for k in range(n):
        r = z.real
        r[k] += k
    r[0] = 9
    z[1] += r[0]
    return r


# What is taken behind the loop would be something else here.


@CASES(*[(Z, Z * 2, n) for n in COUNTS])
def of_another_array_in_the_end(z, y, n):
    for k in range(n):
        r = z.real
        r[k] += 1
        z, y = y, z
    z[0] = 7
    return r, z


@CASES(*of(Z))
def of_a_new_array_in_the_end(z, n):
    for k in range(n):
        r = z.real
        r[k] += 1
        z = z + 1
    z[0] = 7
    return r, z


@CASES(*of(X))
def by_an_index_that_goes_on(x, n):
    k = 0
    for _ in range(n):
        r = x[k:]
        r[:1] += 1
        k = (k + 1) % 3
    x[0] = 7
    return r


@CASES(*of(X))
def by_an_index_that_stays(x, n):
    k = 0
    for _ in range(n):
        k = (k + 1) % 3
        r = x[k:].T
        r[:1] += 1
    x[0] = 7
    return r


@CASES(*of(Z))
def another_part_without_a_turn(z, n):
    r = z.imag
    for k in range(n):
        r = z.real
        r[k] += k
    z[0] = 3 - 4j
    return r


@CASES(*of(Z))
def a_copy_without_a_turn(z, n):
    r = z.real.copy()
    for k in range(n):
        r = z.real
        r[k] += k
    z[0] = 3
    return r


@CASES(*of(Z))
def an_array_of_its_own_without_a_turn(z, n):
    r = np.ones(6)
    for k in range(n):
        r = z.real
        r[k] += k
    return r + 1


@CASES(*of(Z))
def read_in_the_next_turn(z, n):
    s = 0.0
    for k in range(n):
        if k > 0:
            s += r[k]  # noqa: F821 - of the turn before
        r = z.real
        z[k] += 2
    return r + s


@CASES(*of(Z))
def in_some_turns(z, n):
    r = z.imag
    for k in range(n):
        if k % 2:
            r = z.real
        r[k] += k
    z[0] = 3
    return r


@CASES(*of(Z))
def of_the_turn_before(z, n):
    r = z.imag
    for k in range(n):
        r[k] += 1
        r = z.real
        z[0] += r[k]
    return r


@CASES(*of(Z))
def a_copy_of_it(z, n):
    for k in range(n):
        r = z.real.copy()
        z[k] += r[0] + 1
    z[0] = 3
    return r


@CASES(*of(X))
def several_names(x, n):
    a = b = c = x
    for k in range(n):
        a = x.T
        b = a
        c = b.T
        a[0, 0] += k
        c[1, 1] -= 1
    return a, b, c


@CASES(*of(Z))
def before_a_break(z, n):
    for k in range(n + 4):
        if k > n:
            break
        r = z.real
        r[k] += k
        if r[k] > 3:
            z = z * 2
            break
    z[0] = 4
    return r


@CASES(*of(Z))
def where_a_turn_fails(z, n):
    try:
        for k in range(n + 5):
            r = z.real
            r[k] += k
            z[0] += n
    except IndexError:
        z[1] = 4
    return r


@CASES(*of(Z))
def in_two_loops(z, n):
    for j in range(n):
        for k in range(j):
            r = z.real
            r[k] += k
        z[j] += 1
    z[0] = 4
    return r


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_is_read_behind_is_the_part_of_the_last_turn(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), ONCE)
def test_nothing_is_copied_for_a_part_that_is_read_behind(function, arguments, backend):
    large = np.resize(arguments[0], (30_000, *arguments[0].shape[1:]))
    staged = ag.function(function)
    part, most = most_memory(staged, (large, i(3)), backend)
    assert np.shares_memory(part, large)
    assert most < large.nbytes / 4


def another_before(z, w, n):
    r = w.real
    for k in range(n):
        r = z.real
        r[k] += k
    return r


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_loop_without_a_turn_leaves_the_part_of_another_array(backend):
    with ag.config(backend=backend):
        staged = ag.function(another_before)
        for n in (3, 0, 1, 0):
            z, w = np.arange(4.0) + 1j, np.arange(4.0) * 3 + 2j
            wanted = another_before(z.copy(), w, n).tolist()
            assert staged(z, w, np.int64(n)).tolist() == wanted
