"""Variables of inner functions that only one path binds."""

import numpy as np
import pytest

from tests.conformance.trying import check


def called_on_the_same_path(x):
    if x > 0:
        i = x * 2

        def inner():
            return i + 1

    y = 0
    if x > 0:
        y = inner()
    return y


def in_a_loop(x):
    y = 0
    for v in [x, x + 1]:
        if v > 0:
            i = v * 2

            def add(w):
                nonlocal i
                i = i + w
                return i

            y = add(v)
        elif i > 0:
            y = 7
    return y, i


def changed_on_one_path(x):
    if x > 0:
        i = x * 2

        def add(w):
            nonlocal i
            i = i + w
            return i

        y = add(x)
    if x > 1:
        y = add(x)
    return y, i


def bound_by_a_call(x):
    if x > 50:
        i = 1

    def put(w):
        nonlocal i
        i = w
        return i

    def get():
        return i

    y = 0
    if x > 0:
        y = put(x)
    if x > 1:
        y = get()
    return y, get()


def after_a_return(x):
    def made(x):
        if x > 1:
            return None
        i = x * 2
        return lambda: i + 1

    found = made(x)
    return 0 if found is None else found()


def of_a_loop(x):
    n = 0
    while n < x:
        i = n * 2
        function = lambda w: w + i
        n += 1
    return function(3), max([x, n], key=lambda w: w - i)


def bound_by_try(x, p):
    try:
        i = p[int(x)]
        found = lambda: i * 2
    except IndexError:
        found = lambda: i
    return found()


def made_in_each_round(x):
    n = 0
    function = lambda w: w
    while n < x:
        i = n * 2
        function = lambda w: w + i
        n += 1
    return function(3)


def with_a_default(x):
    n = 0
    while n < x:

        def more(w, k=2):
            return w + k

        n += more(1)
    return n, more(n)


def one_or_another(x):
    n = 0
    while n < x:
        if n > 1:
            function = lambda w: w + 1
        else:
            function = lambda w: w - 1
        n += 1
    return function(x)


@pytest.mark.parametrize(
    "function",
    [
        made_in_each_round,
        with_a_default,
        one_or_another,
        called_on_the_same_path,
        in_a_loop,
        changed_on_one_path,
        bound_by_a_call,
        after_a_return,
        of_a_loop,
    ],
)
def test_a_variable_that_one_path_binds_is_read_as_in_python(function):
    check(function, tuple((np.float64(x),) for x in (2.0, 3.0, -0.5, -3.0)))


def test_one_that_a_try_binds_is_read_as_in_python():
    check(bound_by_try, tuple((np.float64(x), np.array([3.0, 4.0])) for x in (1, 2)))
