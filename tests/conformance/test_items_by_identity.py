"""`is` of numbers and texts that are items of lists: whether they are one object."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
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
