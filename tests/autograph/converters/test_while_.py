"""while and else: tests, bodies, and every way out of them."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples(3, 0, -1)
def counts_down(n):
    total = n * 0
    while n > 0:
        total = total + n
        n = n - 1
    return total, n


@samples(3, 0)
def the_test_is_evaluated_once_more_than_the_body(n):
    while say("test", n > 0):
        print("body", n)
        n = n - 1
    return n


@samples(3, 0)
def else_runs_when_the_test_fails(n):
    while n > 0:
        n = n - 1
    else:
        print("else")
        n = n + 100
    return n


@samples((9, 3), (2, 3), (9, 9), (0, 0))
def else_does_not_run_after_a_break(n, stop):
    while n > 0:
        if n == stop:
            print("break")
            break
        n = n - 1
    else:
        print("else")
        n = n - 50
    return n


@samples(7, 0)
def continues(n):
    total = n * 0
    while n > 0:
        n = n - 1
        if n % 2 == 0:
            continue
        print("odd", n)
        total = total + n
    return total


@samples((9, 3), (2, 3))
def returns_from_inside(n, stop):
    while n > 0:
        if n == stop:
            return n * 100
        n = n - 1
    return n


@samples((9, 3), (2, 3), (0, 0))
def returns_from_the_else(n, stop):
    while n > 0:
        if n == stop:
            break
        n = n - 1
    else:
        return n - 7
    return n + 7


@samples(10, 3, 1)
def an_endless_loop_with_a_break(n):
    steps = 0
    while True:
        if n <= 1:
            break
        n = n // 2
        steps += 1
    return n, steps


@samples((6, 4), (0, 1), (3, 9))
def nested_loops_with_break_and_continue(n, m):
    total = n * 0
    i = n
    while i > 0:
        i = i - 1
        if i == 3:
            continue
        j = m
        while j > 0:
            j = j - 1
            if j == i:
                break
            if j % 2 == 0:
                continue
            total = total + i * j
        else:
            total = total + 1000
        if total > 5000:
            break
    else:
        total = total + 7
    return total, i


@samples(5)
def a_walrus_in_the_test(n):
    while (n := n - 1) > 0:
        print(n)
    return n


@samples(5, 0, staged=False)
def a_walrus_and_more_in_the_test(n):
    last = n
    while n > 0 and (last := n * 2) > 4:
        n = n - 1
    return n, last


@samples(3, 0)
def a_name_set_in_the_body_only(n):
    while n > 0:
        seen = n
        n = n - 1
    return seen


@samples(3)
def a_name_of_the_body_alone(n):
    total = n * 0
    while n > 0:
        square = n * n
        total = total + square
        n = n - 1
    return total


@samples(3)
def an_int_becomes_a_float(n):
    total = 0
    while n > 0:
        total = total + n / 2
        n = n - 1
    return total


@samples(4, 0)
def an_exception_in_the_body(n):
    while n >= 0:
        print(10 // n)
        if n == 0:
            raise ValueError("zero")
        n = n - 1
    return n


@samples([3.0, 2.0, 1.0])
def stores_in_the_body(x):
    i = 0
    while i < 3:
        x[i] = x[i] * 2
        i += 1
    return x


@samples(3, staged=False)
def a_list_is_emptied(n):
    items = list(range(n))
    out = []
    while items:
        out.append(items.pop())
    return out, items


@samples(3)
def a_plain_counter_with_staged_work(n):
    i = 0
    while i < 4:
        n = n + i
        i += 1
    return n, i


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_while_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_while_does_what_python_does(sample) -> None:
    sample.check_staged()
