"""Loops that give names other arrays at each round, and change them in place."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

i = np.int64
A, B = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])
TIMES = (A, B, i(3)), (A, B, i(0)), (A, B, i(4))
PROGRAMS = Programs()


@PROGRAMS(*TIMES)
def double_buffer(a, b, n):
    for _ in range(n):
        b[1:] = a[:-1] * 0.5
        b[0] = a[0] + 1
        a, b = b, a
    return a


@PROGRAMS(*TIMES)
def double_buffer_while(a, b, n):
    k = 0
    while k < n and np.sum(a) < 1000:
        b[:] = a * 1.5
        a, b = b, a
        k += 1
    a[0] = -1
    return a, b, k


@PROGRAMS(*TIMES)
def three(a, b, n):
    c = np.zeros(3)
    for _ in range(n):
        np.add(a, b, out=c)
        a, b, c = b, c, a
    return a + 0, b + 0, c + 0


@PROGRAMS(*TIMES)
def selfbuf(a, b, n):
    class S:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def step(self):
            self.b[1:] = self.a[:-1] + 1
            self.a, self.b = self.b, self.a

    s = S(a, b)
    for _ in range(n):
        s.step()
    return s.a + 0


@PROGRAMS(*TIMES)
def cond_swap(a, b, n):
    for k in range(n):
        if a[0] < b[0]:
            a, b = b, a
        a += k
        b *= 2
    return a - b


@PROGRAMS(*TIMES)
def rebind_sometimes(a, b, n):
    x = a
    for k in range(n):
        x += 1
        if k == 1:
            x = x * 2
        if k == 2:
            x = b
    x[0] = 5
    return x


@PROGRAMS(*TIMES)
def nested(a, b, n):
    for k in range(n):
        for j in range(n):
            a[j % 3] += b[k % 3]
            a, b = b, a
        a, b = b, a
    return a + 0


@PROGRAMS(*TIMES)
def fresh_then_write(a, b, n):
    x = a
    for k in range(n):
        x = x + b
        x[0] = 0
        a[1] += 1
    return x, a + 0


@PROGRAMS(*TIMES)
def best_so_far(a, b, n):
    best = a
    for k in range(n):
        a = a * 0.9
        a[0] = k
        if a.sum() < best.sum():
            best = a.copy()
    best[0] = 100
    return best


@PROGRAMS(*TIMES)
def stencil(a, b, n):
    u = np.arange(9.0).reshape(3, 3)
    v = u.copy()
    for _ in range(n):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


@PROGRAMS(*TIMES)
def early(a, b, n):
    for k in range(n):
        b[0] += a[0]
        a, b = b, a
        if a[0] > 12:
            return a
    return b


@PROGRAMS(*TIMES)
def attempts(a, b, n):
    for k in range(n):
        try:
            b[k] = a[0]
            a, b = b, a
        except IndexError:
            return a
    return b


@PROGRAMS((np.arange(3), np.eye(2), i(3)), (np.arange(3), np.eye(2), i(2)))
def of_two_dtypes(a, b, n):
    for _ in range(n):
        a, b = b, a
    np.subtract.at(a, [1, 0], 1)
    return a, b


@PROGRAMS(*TIMES)
def with_a_part_of_it(a, b, n):
    whole = a + b
    part = whole[1:]
    for _ in range(n):
        part, whole = whole, part
        part[0] += 10
    return whole, part


@PROGRAMS(*TIMES)
def sometimes_with_a_part_of_it(a, b, n):
    whole = a + b
    part = whole[n - 2 :]
    for k in range(n):
        if a[0] + k > 1:
            part, whole = whole, part
            part[0] += whole[0]
    return whole, part, part[part > 2]


@PROGRAMS(*TIMES)
def two_parts_and_another(a, b, n):
    first = a + b
    other, third = first[1:], a * 2
    for _ in range(n):
        first[1] += 10
        first, other, third = third, first, other
    return first, other, third


@PROGRAMS(*TIMES)
def with_a_part_of_it_written_afterwards(a, b, n):
    whole = a + b
    part = whole[1:]
    for _ in range(n):
        part, whole = whole, part
    part -= 1
    return whole, part


@PROGRAMS(*TIMES)
def with_a_part_of_it_written_by_a_later_loop(a, b, n):
    whole = np.concatenate([a, b]).reshape(2, 3)
    part = whole[:, n % 3]
    for _ in range(n):
        part, whole = whole, part
    for _ in range(n):
        np.subtract.at(whole, [0, 1], 1)
    return whole, part


@PROGRAMS(*TIMES, (A, B, i(1)))
def two_names_of_one_that_a_round_may_tell_apart(a, b, n):
    first = a + b
    other = first
    for k in range(n):
        if k > 1:
            first, other = other, b * 7
    other -= 1
    return first, other


@PROGRAMS(*TIMES)
def with_a_part_of_it_and_by_a_branch(a, b, n):
    whole = a + b
    part = whole[1:]
    for _ in range(n):
        part, whole = whole, part
    part, whole = (whole, part) if n > 1 else (part, whole)
    for _ in range(n):
        part, whole = whole, part
    whole -= 1
    return whole, part


@PROGRAMS(*TIMES)
def with_a_part_of_it_and_gone_through(a, b, n):
    whole = a + b
    part = whole[1:]
    turns = iter(range(n))
    for _ in turns:
        part, whole = whole, part
        next(turns, 0)
    for row in part:
        whole += row
    return whole, part


@PROGRAMS(*TIMES, (A, B, i(1)))
def three_names_and_one_made_by_a_round(a, b, n):
    first = a + b
    other, third = first[1:], first[:1]
    for k in range(n):
        first, other, third = other, third, first
        first = first + 1 if k > 1 else first
    other -= 1
    return first, other, third


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_each_name_is_the_array_that_it_is_in_python(program, calls):
    for arguments in calls:
        assert_same_as_python(program, *arguments)


@ag.function
def a_part_of_what_a_round_makes(a, n):
    whole, part = a, a[1:]
    while n > 0:
        whole = a * n
        part, whole = whole[1:], whole
        if n % 2:
            part, whole = whole, part
        n -= 1
    part -= 1
    return whole, part


@ag.function
def a_part_that_a_function_exchanges(a, n):
    def exchange():
        nonlocal whole, part
        part, whole = whole, part

    whole, part = a * 2, a[1:]
    part = whole[1:]
    for _ in range(n):
        exchange()
    part += 5
    return whole, part


@pytest.mark.parametrize(
    "function", [a_part_of_what_a_round_makes, a_part_that_a_function_exchanges]
)
def test_a_change_of_what_a_round_leaves_twice_is_no_graphs(function):
    # It was made as if the two were two arrays.
    with pytest.raises(ValueError, match="may be what another name got"):
        function.get_concrete_function(A, i(3))
    assert_same_as_python(function, A, i(3))


def exchanged_by_a_recursion(whole, part, n):
    if n > 0:
        return exchanged_by_a_recursion(part, whole, n - 1)
    return whole, part


def given_back_with_a_part(whole, n):
    if n > 0:
        first, other = given_back_with_a_part(whole, n - 1)
        return other, first
    return whole[1:], whole


@ag.function
def of_a_recursion_of_parts(a, n):
    whole, part = exchanged_by_a_recursion(a * 2, a * 3, n)
    whole -= 1
    whole = a * 2
    whole, part = exchanged_by_a_recursion(whole, whole[1:], n)
    whole -= 1
    return whole, part


@ag.function
def of_a_recursion_that_takes_parts(a, n):
    whole, part = given_back_with_a_part(a * 2, n)
    whole -= 1
    return whole, part


@pytest.mark.parametrize(
    "function", [of_a_recursion_of_parts, of_a_recursion_that_takes_parts]
)
def test_a_change_of_what_a_recursion_gives_twice_is_no_graphs(function):
    with pytest.raises(ValueError, match="changed in place through another name"):
        function.get_concrete_function(A, i(3))
    assert_same_as_python(function, A, i(3))
