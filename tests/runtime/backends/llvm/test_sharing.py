"""What threads may share is told by what an element takes, about."""

import re

import numpy as np
import pytest

import autograph as ag

Z = np.full(60_000, 3.0 + 4.0j)
X = np.linspace(0.1, 1.0, 60_000)


def sizes(z):
    return np.abs(z) * 0.5


def waves(x):
    return np.sin(x) * 0.5


def rests(x):
    return np.fmod(x, 0.3) * 0.5


@pytest.mark.parametrize(
    ("function", "x", "least", "most"),
    [(sizes, Z, 8, 30), (waves, X, 40, 120), (rests, X, 60, 80)],
)
def test_an_element_costs_what_its_loop_takes(function, x, least, most):
    with ag.config(backend="native", precise=True):
        staged = ag.function(function)
        assert np.array_equal(staged(x), function(x))
        text = staged.inspect("loops")
    costs = {int(cost) for cost in re.findall(r"share\(60000, (\d+)\)", text)}
    assert costs
    assert least <= min(costs) <= max(costs) < most


def test_little_work_is_not_shared():
    with ag.config(backend="native"):
        staged = ag.function(sizes)
        staged(Z[:6_000])
        assert "share" not in staged.inspect("loops")
