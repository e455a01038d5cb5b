"""`is` of numbers and texts that are items of lists: whether they are one object."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i, X = np.int64, np.array([1.5, 2.5])
LISTS = [([float(k) for k in range(n)], i(3)) for n in (20, 21, 22)]
PROGRAMS = Programs()


@PROGRAMS(*LISTS)
def of_one_list(xs, n):
    same = xs[0] is xs[0], xs[-1] is xs[len(xs) - 1], xs[n] is xs[3]
    return same, xs[0] is xs[1], xs[n] is not xs[n]


@PROGRAMS(*LISTS)
def of_a_copy_and_after_a_change(xs, n):
    y, first, ys = xs[n], xs[0], list(xs)
    xs[0] = 5.5
    return y is xs[n], ys[0] is first, xs[0] is first, ys[n] is xs[n], y is None


@PROGRAMS(*[(["ab", "cd" + "e" * k] * 10, i(k)) for k in range(3)])
def of_texts(xs, n):
    return xs[0] is xs[0], xs[0] is xs[2], xs[0] is xs[1]


@PROGRAMS((np.arange(4.0), i(3)))
def of_what_a_loop_has_made(x, n):
    ys = []
    for v in x:
        ys.append(v * 2)
    first = ys[0]
    return ys[0] is first, ys[1] is first, ys[n] is ys[-1]


@PROGRAMS((np.arange(4.0), i(3)))
def elements_of_arrays_are_made_anew(x, n):
    return x[0] is x[0], x[n] is x[n], n is n


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_items_of_lists_are_the_objects_that_they_are(program, calls):
    check(program, calls)


def test_one_item_of_one_list_is_known_to_be_itself():
    # Machine code would make two objects of it.
    def asked(x):
        ys = []
        for v in x:
            ys.append(v * 2.0)
        return ys[0] is ys[0]

    graph = ag.function(asked).get_concrete_function(np.arange(4.0)).graph
    assert "python_call" not in str(graph)


def of_a_short_list(xs, a):
    k = int(a[0])
    return xs[k] is xs[0], xs[k] is xs[1], xs[k] is not xs[0]


def of_names_that_a_branch_sets(x, a):
    first, second = float(x[0]), float(x[0])
    best = first
    if a[0] > 0:
        best = second
    return best is first, best is second


def of_bools(x, a):
    return (a[0] > 0) is (x[0] > 0), bool(a[0]) is bool(x[0]), (a[0] > 0) is True


def of_other_types(x, a):
    return int(a[0]) is float(x[0]), int(a[0]) is a[0], a[0] is x[0], a[0] is None


def of_small_ints(x, a):
    n, one, many = int(a[0]), 1, 301
    return n is one, n + 300 is many


def of_tuples(x, a):
    rows = []
    for v in a:
        rows.append((int(v), 2.0))
    first = rows[0]
    return rows[0] is rows[0], first is rows[0], rows[0] is rows[-1], rows[0] is None


@pytest.mark.parametrize(
    "program",
    [
        of_a_short_list,
        *(of_names_that_a_branch_sets, of_bools, of_other_types),
        *(of_small_ints, of_tuples),
    ],
)
def test_which_numbers_are_one_object_is_pythons_to_say(program):
    check(program, tuple(([1.5, 2.5], np.array([k, 1])) for k in (0, 1, 0)))


def test_bools_and_numbers_of_two_types_are_told_apart_by_the_graph():
    for program in (of_bools, of_other_types):
        assert ag.function(program).get_concrete_function(X, np.array([1, 1])).graph


def test_a_number_that_machine_code_carries_is_the_item():
    def best_is_the_item(xs):
        best, at = xs[0], 0
        for k in range(len(xs)):
            if xs[k] > best:
                best, at = xs[k], k
        return best is xs[at]

    numbers = [float(k * 7 % 101) for k in range(101)]
    with ag.config(backend="native"):
        staged = ag.function(best_is_the_item)
        assert [staged(numbers) for _ in range(3)] == [True] * 3
