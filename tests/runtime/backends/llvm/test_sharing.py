"""What threads may share is told by what an element takes, about."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import sharing

Z = np.full(60_000, 3.0 + 4.0j)
X = np.linspace(0.1, 1.0, 60_000)


def sizes(z):
    return np.abs(z) * 0.5


def waves(x):
    return np.sin(x) * 0.5


def rests(x):
    return np.fmod(x, 0.3) * 0.5


def bounded(x):
    return np.arctan(x) * 0.5


@pytest.mark.parametrize(
    ("function", "x", "is_wide", "least", "most"),
    [
        *((sizes, Z, True, 8, 30), (waves, X, True, 40, 120)),
        *((rests, X, True, 60, 80), (bounded, X, True, 30, 50)),
        *((rests, X, False, 60, 80), (bounded, X, False, 150, 180)),
        (waves, X, False, 90, 160),
    ],
)
def test_an_element_costs_what_its_loop_takes(
    function, x, is_wide, least, most, monkeypatch
):
    monkeypatch.setattr(sharing, "features", lambda: {"AVX512F": is_wide})
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
