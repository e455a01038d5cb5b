"""Parts of an array that are stored over themselves the other way round."""

import itertools

import numpy as np
import pytest

import autograph as ag


def turned(x, first, end, count):
    for k in range(count):
        x[first:end] = x[first:end][::-1]
        x[first + 1 : end - k] = x[first : end - k - 1]
    return x


def moved(x, keys, count):
    first, end, step, start, other, size = keys
    for _ in range(count):
        x[first:end:step] = x[start::other][:size]
    return x


def test_a_part_is_turned_round_in_machine_code():
    with ag.config(backend="native"):
        staged = ag.function(turned)
        for first, end in itertools.product(range(4), range(7, 13)):
            x = np.arange(12.0)
            found = staged(x.copy(), first, end, 3)
            np.testing.assert_array_equal(found, turned(x, first, end, 3))
        text = str(staged.inspect("loops"))
    # NumPy makes a copy, and so does the loop: it does not leave for that.
    assert "icmp sge" in text
    assert "python" not in text


STEPS = (1, 2, -1, -2)


@pytest.mark.parametrize(("step", "other"), [*itertools.product(STEPS, STEPS)])
def test_steps_of_either_sign(step, other):
    with ag.config(backend="native"):
        staged = ag.function(moved)
        for first, end, start in itertools.product((0, 2, 9), (5, 9, 12), (0, 3, 11)):
            size = len(range(12)[first:end:step])
            if size and len(range(12)[start::other]) >= size:
                keys, x = (first, end, step, start, other, size), np.arange(12)
                found = staged(x.copy(), keys, 2)
                np.testing.assert_array_equal(found, moved(x, keys, 2))
