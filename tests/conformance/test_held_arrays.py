"""Arrays that objects, lists and dicts hold, changed in place by rounds of a loop."""

import copy

import numpy as np
import pytest

import autograph as ag


class Model:
    """Holds its arrays in attributes, a list and a dict."""

    def __init__(self):
        self.w = np.ones(2)
        self.history = [np.zeros(2)]
        self.slots = {"v": np.zeros(2)}


def descent(model, n):
    for _ in range(n):
        gradient = model.w * 2
        model.slots["v"] *= 0.5
        model.slots["v"] += gradient
        model.w -= 0.1 * model.slots["v"]
        model.history[0] += model.w
    return model.w.sum()


def in_a_branch(model, n):
    if n > 2:
        model.w *= 3
        model.history[0] -= 1
    else:
        model.slots["v"] += 1
    return model.w + model.slots["v"]


def of_a_tuple(model, n):
    pair = (model.w, 1)
    if n > 0:
        pair[0][0] = 5
    return pair[0]


@pytest.mark.parametrize("program", [descent, in_a_branch, of_a_tuple])
@pytest.mark.parametrize("n", [0, 2, 3])
def test_what_holds_an_array_sees_its_change(program, n):
    first = Model()
    plain, staged = first, copy.deepcopy(first)
    held = staged.w, staged.history[0], staged.slots["v"]
    graph = ag.function(program)
    for _ in range(2):
        np.testing.assert_array_equal(
            program(plain, np.int64(n)), graph(staged, np.int64(n))
        )
    now = staged.w, staged.history[0], staged.slots["v"]
    assert all(a is b for a, b in zip(held, now, strict=True))
    wanted = plain.w, plain.history[0], plain.slots["v"]
    for a, b in zip(wanted, now, strict=True):
        np.testing.assert_array_equal(a, b)
