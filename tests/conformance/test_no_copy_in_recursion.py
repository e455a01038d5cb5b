"""What the levels of a recursion change in place needs no copy, as in NumPy."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 100_000
SMALL = np.arange(6.0)
ARGUMENTS = [(SMALL, np.int64(k)) for k in (0, 2, 3, 5, 8)]
IN_PLACE, CASES = Programs(), Programs()


def level(x, n):
    if n > 0:
        x[n] += x[n - 1]
        level(x, n - 1)
        x[n - 1] *= 2


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def from_level_to_level(x, n):
    level(x, n)


def halves(x, low, high):
    if low < high:
        x[low] += 1
        middle = (low + high) // 2
        halves(x, low, middle)
        halves(x, middle + 1, high)
        x += 0.5


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def by_two_calls(x, n):
    halves(x, n * 0, n)


def exchange(a, b, n):
    if n > 0:
        a += 1
        b[n] = a[n]
        exchange(b, a, n - 1)


@IN_PLACE(2)
@CASES(*ARGUMENTS)
def exchanged_level_by_level(x, n):
    a, b = x * 2, x * 3
    exchange(a, b, n)
    return a + b[n] * 0


def filled(x, n):
    if n <= 0:
        return x
    x[n] = n
    return filled(x, n - 1)


@IN_PLACE(1)
@CASES(*ARGUMENTS)
def passed_on_and_returned(x, n):
    y = filled(x * 2, n)
    y += 1
    return y


def ping(x, n):
    if n > 0:
        x[n] -= 1
        pong(x, n - 1)


def pong(x, n):
    if n > 0:
        x *= 2
        ping(x, n - 1)


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def by_two_functions(x, n):
    ping(x, n)


def first_half(x, n):
    if n > 0:
        x[n] += 1
        first_half(x[: n + 1], n - 1)
        x[n - 1] += 2


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def parts_of_parts(x, n):
    first_half(x, n)


def partitioned(p):
    if len(p) < 2:
        return
    i, j, pivot = 0, len(p) - 1, p[len(p) // 2]
    while i <= j:
        while p[i] < pivot:
            i += 1
        while p[j] > pivot:
            j -= 1
        if i <= j:
            p[i], p[j] = p[j], p[i]
            i += 1
            j -= 1
    partitioned(p[: j + 1])
    partitioned(p[i:])


@CASES(*[(np.array([3.0, 1, 2, 5, 4, 1, 0, 9])[:k], np.int64(0)) for k in (0, 1, 8)])
def quicksort_by_parts(x, n):
    partitioned(x[n:])
    return x[::-1]


def scaled_parts(x, n):
    if n > 0:
        x *= 2
        x += 1
        scaled_parts(x[: len(x) // 2], n // 2)
        scaled_parts(x[len(x) // 2 :], n - 5)


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def whole_parts(x, n):
    scaled_parts(x[n:], n)


# Here somebody reads what was there before.


def made_anew(x, n):
    if n > 0:
        y = x[1:]
        y[:] = x[:-1] * 2
        made_anew(y, n - 1)
        x[0] += y.sum()


@CASES(*ARGUMENTS)
def parts_that_lie_in_one_another(x, n):
    made_anew(x, n)


def turned(x, n):
    if n > 0:
        x[:] = x[::-1]
        turned(x[1:], n - 1)
        x[0] -= 1


@CASES(*ARGUMENTS)
def parts_that_are_turned_round(x, n):
    turned(x, n)


def part_and_copy(x, n):
    if n <= 0:
        return x * 1
    y = part_and_copy(x[1:], n - 1)
    x[n] = y.sum()
    return y


@CASES(*ARGUMENTS)
def parts_beside_arrays_of_their_own(x, n):
    return part_and_copy(x, n), x


def with_its_own(x, n):
    if n > 0:
        y = x * 1
        y[n] = 7
        with_its_own(y, n - 1)
        x += y[n - 1]


@CASES(*ARGUMENTS)
def an_array_of_each_level(x, n):
    with_its_own(x, n)


def read_after(x, n):
    if n <= 0:
        return x * 1
    y = x + 1
    z = read_after(y, n - 1)
    z[n] = 50
    return z + y


@CASES(*ARGUMENTS)
def read_after_the_call(x, n):
    return read_after(x, n), read_after(x * 2, n), x


def read_by_a_handler(x, n):
    y = x + 1
    if n <= 0:
        return y
    y *= 3
    try:
        z = read_by_a_handler(y, n - 1)
        z[0] = z[n + 2]
    except IndexError:
        return y
    return z


@CASES(*ARGUMENTS)
def read_by_a_handler_of_its_own(x, n):
    return read_by_a_handler(x * 2, n)


def kept_by(out, x, n):
    if n > 0:
        y = x + 1
        out[n] = y.sum()
        y[0] = out[n - 1]
        kept_by(y, out, n - 1)
    return x[0]


@CASES(*ARGUMENTS)
def each_in_the_others_place(x, n):
    out = x * 0
    first = kept_by(out, x, n)
    return first, out, x


def constants(x, n):
    if n > 0:
        x[n] = 1
        return constants(x, n - 1)
    return x


@CASES(*ARGUMENTS)
def of_a_constant(x, n):
    a = constants(np.zeros(9), n)
    return a, constants(np.zeros(9), n + 1)


def both(a, n):
    if n > 0:
        a[n] = a[0] + 1
        both(a, n - 1)


@CASES(*ARGUMENTS)
def in_each_round_of_a_loop(x, n):
    a = x * 2
    b = a
    for k in range(3):
        both(a, n)
        if a[0] > k:
            b = a + k
        a = b
    return a, b


def guarded(x, n):
    if n > 0:
        try:
            x[n] += 1
            guarded(x, n - 1)
            x[n + 3] += 5
        except IndexError:
            x[1] += 100
            if n < 5:
                x[n + 2] += 1
    else:
        x[0] = 9


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def what_a_failing_level_leaves(x, n):
    guarded(x, n)


@CASES(*ARGUMENTS)
def in_a_try_around(x, n):
    try:
        level(x, n)
        x[n + 2] = 3
        level(x, n - 1)
    except IndexError:
        x[0] = x.sum()


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def parts_in_a_try_around(x, n):
    try:
        first_half(x[1:], n)
    except IndexError:
        x[0] = x.sum()


@CASES(*ARGUMENTS)
def exchanged_in_a_try_around(x, n):
    a, b = x * 2, x * 3
    try:
        exchange(a, b, n)
    except IndexError:
        a[0] += 100
    return a, b


@CASES(*ARGUMENTS)
def of_lists(x, n):
    out = [1.0]
    listed(out, x, n)
    return out


def listed(out, x, n):
    if n > 0:
        out.append(x[n])
        listed(out, x, n - 1)
        out[0] += 1


@CASES((SMALL, np.int64(2)), (SMALL, np.int64(7)))
def printing(x, n):
    printed(x, n)


def printed(x, n):
    if n > 0:
        print(x[0])
        x[0] += 1
        printed(x, n - 1)
        x[n] -= 1


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "arrays"), IN_PLACE)
def test_a_recursion_needs_no_memory_that_numpy_would_not_need(
    program, arrays, backend
):
    staged = ag.function(program)
    x, n = np.ones(SIZE), np.int64(20)
    kept, most = most_memory(staged, (x, n), backend)
    assert kept is None or kept.ndim < 2
    assert most < x.nbytes * (arrays[0] + 0.25)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_levels_see_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
