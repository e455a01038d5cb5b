"""Parts of parts are changed where they lie; what shares memory with them does not."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import observe
from tests.conformance.peak import check_in_place
from tests.conformance.trying import Programs

SIZE = 100_000
IN_PLACE, SHARED = Programs(), Programs()


@IN_PLACE(0)
def by_levels(x, n):
    def change(v, n):
        if n > 0:
            v[1:][2:] += 1
            change(v[1:][::2], n - 1)
            v[2:][::3] *= 2

    change(x, n)


@IN_PLACE(0)
def by_two_calls(x, n):
    def change(v, n):
        if n > 0:
            a, b = v[: len(v) // 2], v[len(v) // 2 :]
            a += 1
            b *= 2
            change(a, n - 1)
            change(b[1:], n - 3)
            a[1:] -= b[: len(a) - 1]

    change(x, n)


@IN_PLACE(0)
def by_known_levels(x, n):
    def change(v):
        if len(v) > SIZE // 5:
            change(v[::2])
            change(v[1::2])
            v *= 0.5

    change(x)


@IN_PLACE(0)
def sorted_by_parts(x, n):
    def change(v):
        if len(v) > SIZE // 5:
            change(v[: len(v) // 2])
            change(v[len(v) // 2 :])
            v.sort()

    change(x)


@IN_PLACE(0)
def ever_smaller(x, n):
    v = x
    while len(v) > SIZE // 20:
        v += 1
        v = v[len(v) // 2 :]
        v[1:] *= 2


@IN_PLACE(0)
def by_helpers(x, n):
    def smooth(v):
        v[1:-1] += 0.5

    def sweep(v, k):
        smooth(v[k:])
        smooth(v[:k])
        smooth(v[::2])

    for k in range(n):
        sweep(x, k + 5)


@IN_PLACE(0)
def of_a_dict(x, n):
    halves = {"a": x[: SIZE // 2], "b": x[SIZE // 2 :]}
    for _ in range(n):
        halves["a"] += 1
        if halves["a"][0] > 4:
            halves["b"] -= halves["a"]


@IN_PLACE(0.13)  # a mask
def running_sums(x, n):
    for _ in range(n):
        np.cumsum(x, out=x)
        np.maximum(x, 1e9, out=x, where=x > 1e9)
        x /= x[-1]


@IN_PLACE(0)
def on_one_path(x, n):
    h = SIZE // 2
    for k in range(n):
        if x[k] > 2:
            x[k : k + h] += x[h + k]
        else:
            x[k : k + h] -= k


@IN_PLACE(1.13)  # a mask, and what is at its places
def by_masks(x, n):
    for k in range(n):
        x[x > k] -= 0.5


@IN_PLACE(0)
def by_bisection(x, n):
    low, high = 0, len(x)
    while high - low > SIZE // 20:
        middle = (low + high) // 2
        if x[middle] > 5:
            x[low:middle] += 1
            high = middle
        else:
            x[middle:high] -= 1
            low = middle


@IN_PLACE(0)
def of_a_part_that_may_not_be_there(x, n):
    for k in range(n):
        try:
            x[k * SIZE // 4 :] -= 1
            x[k * SIZE // 3] = 1
        except IndexError:
            x[:10] = 0


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), IN_PLACE)
def test_no_memory_is_needed_for_the_parts(program, arrays, backend):
    check_in_place(program, arrays[0], backend, SIZE, np.int64(4))


@SHARED()
def sum_and_part(x):
    v = x[1:]
    t = v + 1
    v += 1
    return t


@SHARED()
def stored_and_returned(x):
    t = x[1:] + 1
    x[1:] = t
    return t


@SHARED()
def sorted_and_returned(x):
    t = np.sort(x[1:])
    x[1:] = t
    t[0] = 50
    return t


@SHARED()
def parts_returned(x):
    v = x[1:]
    v += 1
    w = v
    w *= 2
    return v + 0, v


@SHARED()
def product_of_a_part_of_a_part(x):
    v = x[1:][1:]
    t = v * 3
    v[:] = t
    t += 1
    v += t
    return t


@SHARED()
def part_in_a_part(x):
    v = x[1:]
    w = v[1:]
    w += 1
    u = w * 2
    v *= 2
    w -= u
    return u, w, v


@SHARED()
def of_its_own(x):
    y = x * 2
    v = y[2:]
    w = v[1:]
    w += 1
    z, y = y, y + 1
    w *= 2
    return z, y, w, v


@SHARED()
def one_over_another(x):
    a, b = x[:3], x[1:]
    c = a[1:]
    c += b[:2]
    b *= 2
    a -= 1
    return c, b, a


@SHARED()
def turned_round(x):
    v = x[1:]
    w = v[::-1]
    w += v
    np.cumsum(w[1:], out=v[:-1])
    u = w[:2]
    u *= w[-2:]
    return u


@SHARED()
def smaller_by_turns(x):
    y = x * 2
    v = y[1:]
    for k in range(int(x[3])):
        v = v[1:]
        v += k
        if v[0] > 2:
            v *= 2
    return v, y


@SHARED()
def clipped_and_turned_round(x):
    v = x[2:]
    for _ in range(int(x[2])):
        np.clip(v, 1, 4, out=v)
        v[...] = v[::-1]
    v[[0, 1]] = v[[1, 0]]
    return v


@SHARED()
def products_of_older_parts(x):
    s = x * 0
    for k in range(int(x[3])):
        v = x[k:5]
        t = v * 2
        v += 1
        w = v[1:]
        u = w * 3
        w -= t[0]
        w += u
        v *= 2
        s[k:5] += t
        s[: len(u)] += u
    return s


@SHARED()
def a_part_that_fails(x):
    v = x[1:]
    w = v[1:]
    try:
        w += 1
        w[9] = 1
    except IndexError:
        w *= 3
    return v


def seen(function):
    """What a call gives, and which memory its results share with the argument."""
    x = np.arange(6.0)
    first = observe(function, (x,))
    found = function(x)
    before = repr((found, x))
    x += 100
    after = repr((found, x))
    for one in found if isinstance(found, tuple) else (found,):
        one[0] = -7
    return repr(first), before, after, repr((found, x))


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "_"), SHARED)
def test_what_shares_memory_is_what_shares_it_in_numpy(program, _, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = ag.function(program)
        for _again in range(3):
            assert seen(staged) == seen(program)
