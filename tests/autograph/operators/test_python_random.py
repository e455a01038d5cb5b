"""Draws of Python's `random` from what may be an int or a float."""

import random

import numpy as np
import pytest

import autograph as ag


def last_above(row, least):
    last = 0
    for number in row:
        if number > least:
            last = number
    return last


def uniform(row, least):
    return random.uniform(0, last_above(row, least))


def by_name(row, least):
    return random.gauss(mu=last_above(row, least), sigma=1.0)


@pytest.mark.parametrize("function", [uniform, by_name])
def test_bounds_of_several_kinds_are_drawn_from_as_python_does(function):
    staged = ag.function(function)
    for least in (1.0, 5.0, 0.0):
        found = []
        for call in function, staged:
            random.seed(1)
            found.append((repr(call([1.0, 2.0], np.float64(least))), random.random()))
        assert found[0] == found[1]
