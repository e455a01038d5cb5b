"""Loops that change an array through a view of it are machine code, in its memory."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64
x46 = np.random.default_rng(1).random((4, 6))


@case((x46, n(6)), (x46.T, n(4)))
def turned(x, count):
    v = x.T
    for i in range(count):
        for j in range(len(x)):
            v[i, j] = v[i, j] * 2 + j
    return x


@case((x46, n(24)))
def in_a_row(x, count):
    v = x.ravel()
    for i in range(count):
        if v[i] > 0.5:
            v[i] = v[i - 1] + 1
        else:
            x.flat[i] -= x[0, 1]
    return x, v


@case((x46, n(12)))
def in_pairs(x, count):
    v = x.reshape(-1, 2)
    k = 0
    while k < count:
        v[k, 0], v[k, 1] = v[k, 1], v[k, 0]
        k += 1
    return x


@case((x46, n(4)))
def of_its_own(x, count):
    made = np.zeros(x.size)
    v = made.reshape(x.shape)
    for i in range(count):
        for j in range(x.shape[1]):
            v[i, j] = x[i, j] - j
    return made


@case((x46, n(4)))
def rows_that_are_read_again(x, count):
    for i in range(count):
        row = x[i]
        x[i, 0] += 1
        x[0, 1] += row[0] + row[5]
    return x


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_view_is_changed_in_place_by_machine_code(function, arguments):
    staged = agreeing(function, arguments)
    for given in arguments:
        loops = loops_of(staged, given)
        assert loops
        assert [loop.refused for loop in loops if loop.refused] == []
        for loop in loops:
            # It is compiled where the one around it is not.
            written = loop.lowered()[1].body.walk()
            assert not {"copy", "python"} & {one.op for one in written}


@pytest.mark.parametrize("rows", [6, 100])
def test_a_view_of_many_elements_is_taken_once_too(rows):
    """No shape tells of more elements that a view might fail."""
    x = np.arange(rows * 200.0).reshape(rows, 200) % 7
    for view in (np.ravel, np.transpose, np.flip, lambda x: x.reshape(-1, 4)[:, 1:]):

        def changed(x, count, view=view):
            v = view(x)
            for i in range(count):
                if v[i].sum() > 3:
                    v[i] = v[i - 1] + 1
                else:
                    v[i] *= 2
            return x

        given = x.copy(), n(50)
        graph = ag.function(changed).get_concrete_function(*given).graph
        (loop,) = (one for one in graph.nodes if one.op.name == "while")
        names = [one.op.name for inner in loop.graphs for one in inner.nodes]
        assert not {"ravel", "transpose", "flip", "reshape"} & {*names}, names
