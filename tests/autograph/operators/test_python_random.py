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


def as_many_as_drawn(n):
    count = random.choice([1, 2])
    return random.sample(range(n, 9), count), random.choices("ab", k=count)


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_as_many_as_a_draw_says_are_drawn_as_python_does():
    staged = ag.function(as_many_as_drawn)
    for seed in range(4):
        found = []
        for call in as_many_as_drawn, staged:
            random.seed(seed)
            found.append((call(3), random.random()))
        assert found[0] == found[1]
