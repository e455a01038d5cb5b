"""`z is x` of arrays, where a branch or loop leaves one of several by data."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check, i

CASES = Programs()
square = np.arange(4.0).reshape(2, 2)
CALLS = [(square, i(k)) for k in (1, 0, 3, 2)]


@CASES(*CALLS)
def one_of_two(x, n):
    y = x * 2
    z = x if n > 0 else y
    return z is x, z is y, z is not x, z is z


@CASES(*CALLS)
def a_part_or_the_whole(x, n):
    y = x[n:] if n > 1 else x
    w = x
    for k in range(n - 1):
        w = w[k:]
        w[-1] = 5
    return y is x, x is y, w is x


@CASES(*CALLS)
def decides(x, n):
    y = x * 2
    if n > 0:
        z = x
    else:
        z = y
    if z is x:
        return "x"
    return "y"


@CASES(*CALLS)
def one_of_two_of_which_one_is_one_of_two(x, n):
    y = x * 2
    z = x if n > 0 else y
    w = z if n > 2 else y
    return w is x, w is y, w is z, z is w


@CASES(*CALLS)
def made_by_a_branch_under_two_names(x, n):
    if n > 0:
        y = x * 2
        z = q = y
    else:
        y, z, q = x * 3, x, x + 1
    return z is y, z is x, q is y, q is z


@CASES(*CALLS)
def exchanged_by_a_loop(x, n):
    a, b = x, x * 2
    while n > 0:
        a, b = b, a
        n -= 1
    return a is x, b is x, a is b


@CASES(*CALLS)
def made_anew_by_a_loop(x, n):
    z = w = x
    while n > 0:
        z, n = z * 2, n - 1
        w *= 2
    return z is x, w is x


@CASES(*CALLS)
def views(x, n):
    v, w = x[0], x[1]
    z = v if n > 0 else w
    whole = x[:] if n > 0 else x
    return z is v, z is w, z is x, whole is x


@CASES(*CALLS)
def an_item_by_data(x, n):
    several = [x, x * 2, x * 3]
    z = several[n % 3]
    return z is x, z is several[0], z is several[1]


@CASES(*CALLS)
def from_a_helper_and_a_handler(x, n):
    def helper(k):
        return x if k > 0 else x * 2

    z, w = helper(n), helper(n - 1)
    try:
        q = x
        x[n]
    except IndexError:
        q = x * 2
    return z is x, z is w, q is x


@CASES(*[(np.ones(a), np.ones(b)) for a, b in ((3, 3), (4, 3), (3, 4), (5, 4), (1, 2))])
def by_sizes_that_are_unknown(a, b):
    z = a if len(a) > len(b) else b
    return z is a, z is b


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_identity_is_that_of_python(function, arguments):
    check(function, arguments)


def as_it_is_turned(x):
    y = x * 2
    turned = (x.T, x.T.T, np.swapaxes(x, 0, 0), np.expand_dims(x, ()), y.T, y.T)
    return turned, y, x


@pytest.mark.parametrize("backend", ["auto", "native"])
def test_a_view_that_lies_as_the_array_is_another_object(backend):
    """Also in calls that enter machine code, from the fourth on."""
    x = np.arange(3.0)
    with ag.config(backend=backend):
        staged = ag.function(as_it_is_turned)
        for _ in range(6):
            turned, y, given = staged(x)
            assert given is x
            assert len(set(map(id, [*turned, y, x]))) == len(turned) + 2
            shares = [np.shares_memory(part, x) for part in turned]
            assert shares == [True, True, True, True, False, False]
            assert [np.shares_memory(part, y) for part in turned[4:]] == [True, True]


def a_constant_in_several_results(x):
    w = np.array([1, 2, 3])
    found = [(k, w) for k in range(2)]
    return {"found": found, "whole": w, "part": w[1:]}, np.sort(w)


@pytest.mark.parametrize("backend", ["auto", "native"])
def test_a_constant_that_is_several_results_is_one_array_of_each_call(backend):
    with ag.config(backend=backend):
        staged = ag.function(a_constant_in_several_results)
        for _ in range(5):
            found, _ = staged(np.float64(2))
            whole = found["whole"]
            assert [one is whole for _, one in found["found"]] == [True, True]
            assert np.shares_memory(found["part"], whole)
            whole[0] = 9


def turned(x):
    return x.T


def with_no_axis_more(x):
    return np.expand_dims(x, ())


@pytest.mark.parametrize("function", [turned, with_no_axis_more])
def test_a_call_that_enters_machine_code_gives_a_view_and_not_its_argument(function):
    x = np.arange(3.0)
    with ag.config(backend="native"):
        staged = ag.function(function)
        found = [staged(x) for _ in range(6)]
    assert [one is x for one in found] == [False] * 6
    assert all(np.shares_memory(one, x) for one in found)


def a_constant_twice(x):
    w = np.array([1, 2, 3])
    return w, (w, x)


def test_a_constant_in_two_results_is_one_array():
    staged = ag.function(a_constant_twice)
    for _ in range(3):
        one, (other, _) = staged(np.float64(2))
        assert one is other
        one[0] = 9
