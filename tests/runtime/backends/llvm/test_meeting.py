"""Long chains of steps, each of which asks what those after it do."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import references
from runtime.backends.llvm.hot import Region
from runtime.backends.llvm.values import NotLowered
from tests.runtime.backends.llvm.compiling import parts_of

SCALES = tuple(1 + i / 64 for i in range(100))
X = np.linspace(0.0, 1.0, 8)


def chain(x, y):
    for scale in SCALES:
        x = x * scale + y
        y = y - x / scale
    return x, y


@pytest.fixture
def region():
    """A Function, which is kept alive, and the steps of its graph."""
    staged = ag.function(chain)
    staged(X, X + 1)
    (found,) = parts_of(staged, (X, X + 1), Region)
    return staged, found


def test_hundreds_of_steps_in_a_row_are_lowered(region):
    lowering, function = region[1].lowered()
    assert lowering.calls == 0
    assert function.size() > 4 * len(SCALES)


def test_a_program_that_gets_too_long_is_left_on_the_way(region, monkeypatch):
    monkeypatch.setattr(references, "MOST_LOCALS", 50)
    with pytest.raises(NotLowered, match="too long a program"):
        region[1].lowered()
