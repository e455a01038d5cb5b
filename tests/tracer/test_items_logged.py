"""What a trace remembers of a list whose items plain code sets, to go back on that."""

import tracemalloc

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe


def many_of_constants(x):
    flags = [True] * 100_000
    i = 0
    while i < 3000:
        flags[i] = False
        i += 1
    return x + sum(flags)


def test_a_long_list_is_not_copied_for_each_item_that_is_set():
    tracemalloc.start()
    assert ag.function(many_of_constants)(np.float64(1.0)) == 97_001.0
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100e6  # 3000 copies are 2.4e9


def set_on_one_way(x):
    xs = [0, 0, 0]
    xs[0] = 1
    if x > 0:
        xs[0] = 2
        xs[1] = xs[0] + 1
        xs[-1] = 5
    else:
        xs[1] = 7
        xs.append(8)
        xs[3] = 9
    xs[2] += 10
    return xs


def set_before_the_loop_is_one_of_the_graph(x):
    """The plain turns are gone back on where the test depends on data."""
    xs, i = [0, 0, 0, 0], 0
    while i < 2 or x > i:
        xs[i % 4] = xs[i % 4] + i
        xs[-1] = i
        i += 1
    return xs


def set_and_grown(x):
    xs = [1, 2]
    if x > 0:
        xs[0] = 5
        xs += [6]
        xs[2] = 7
        del xs[0]
        xs[0] = 9
    return xs


def set_where_it_fails(x):
    xs = [1, 2]
    try:
        xs[0] = 3
        if x > 0:
            xs[1] = 4
            raise ValueError("no")
        xs[1] = 5
    except ValueError:
        xs[0] = xs[0] + 10
    return xs


ALL = [
    set_on_one_way,
    set_before_the_loop_is_one_of_the_graph,
    set_and_grown,
    set_where_it_fails,
]


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("x", [3.0, -1.0])
def test_each_way_finds_the_list_as_it_was(function, x):
    given = [np.float64(x)]
    found = disagreement(
        observe(function, given), observe(ag.function(function), given)
    )
    assert found is None, found.sentence


OUTER = [1, 2, 3]


def set_outside(x):
    OUTER[0] = OUTER[0] + 1
    if x > 0:
        OUTER[1] = 7
    return OUTER[0] + OUTER[1]


def test_a_list_outside_is_set_once_a_call():
    staged = ag.function(set_outside)
    for turn in range(1, 4):
        x = np.float64(turn - 2)
        before = OUTER[:]
        want = set_outside(x)
        after, OUTER[:] = OUTER[:], before
        assert staged(x) == want
        assert after == OUTER
