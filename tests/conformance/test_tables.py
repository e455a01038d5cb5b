"""Long lists of numbers that data ask for an item of, and what changes them."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

SQUARES = [i * i for i in range(100)]
ROOTS = [i**0.5 for i in range(100)]
EVEN = [i % 2 == 0 for i in range(100)]
HUGE = [2**70 + i for i in range(40)]
MIXED = [*range(50), 0.5]


def digits(n):
    total = 0
    while n > 0:
        total += SQUARES[n % 100] if EVEN[n % 100] else 1
        n //= 100
    return total, ROOTS[total % 100], type(EVEN[total % 7]).__name__


def from_the_end(n):
    return SQUARES[-n], SQUARES[n : n + 3], ROOTS[:-n]


def outside(n):
    return SQUARES[n]


def huge(n):
    return HUGE[n]


def mixed(n):
    return MIXED[n], MIXED[-1]


def made(n):
    costs = [3 * i for i in range(40)]
    before = costs[n % 40]
    costs[n % 40] = 7
    costs.append(n)
    return before, costs[n % 40], costs[-1], costs


def changed_before_it_is_read(n):
    costs = [0.5] * 40
    costs[3] = 1.5
    first = costs[n % 40]
    costs[3] = 2.5
    return first, costs[n % 40]


def in_a_loop(x):
    total = 0
    for i in range(len(x)):
        if x[i] > 0:
            total += SQUARES[int(x[i])]
        costs = [1.0 * k for k in range(33)]
        costs[i] = x[i]
        total += costs[int(x[i]) % 33]
    return total


def in_a_try(n):
    try:
        found = SQUARES[n]
        with np.errstate(all="raise"):
            found += ROOTS[n - 50]
    except IndexError as error:
        found = str(error)
    return found


@pytest.mark.parametrize("n", [np.int64(3), np.int64(99), np.int64(100)])
def test_a_try_around_is_told_what_is_outside(n):
    assert_same_as_python(in_a_try, n)


@pytest.mark.parametrize(
    "program",
    [
        *(digits, from_the_end, huge, mixed, made),
        changed_before_it_is_read,
    ],
)
@pytest.mark.parametrize("n", [np.int64(3), 12])
def test_an_item_is_pythons(program, n):
    assert_same_as_python(program, n)


@pytest.mark.parametrize("n", [100, -101])
def test_there_is_no_item_outside(n):
    with pytest.raises(IndexError, match="list index out of range"):
        ag.function(outside)(np.int64(n))


def test_items_in_a_loop_are_pythons():
    assert_same_as_python(in_a_loop, np.arange(-2.0, 9.0))


def test_one_that_is_changed_is_read_anew():
    costs = [*range(50)]

    @ag.function
    def cost(n):
        return costs[n]

    found = [cost(np.int64(k)) for k in (1, 2)]
    costs[2] = -5
    found.append(cost(np.int64(2)))
    costs[2] = 0.5
    found.append(cost(np.int64(2)))
    assert repr(found) == "[1, 2, -5, 0.5]"


def test_a_long_one_is_one_step_of_the_graph():
    costs = [*range(5_000)]

    @ag.function
    def cost(n):
        return costs[n]

    graph = cost.get_concrete_function(np.int64(1)).graph
    assert len(graph.nodes) < 5
