"""Random recursive programs mean as graphs what they mean as plain Python."""

import numpy as np
import pytest

import autograph as ag
from runtime import verify
from tests.conformance.harness import disagreement, load, observe
from tests.conformance.random_recursions import program

FIRST = (np.int64(3), 1.5, np.array([1.0, 2.0, 0.5]), np.array([0.0, 1.0, 2.0]))
SECOND = (np.int64(4), -0.5, np.array([1.0, -2.0, 0.5]), np.array([3.0, 1.0, 2.0]))
# What docs/limits.md says of two names for one array, and where it is said.
REFUSED = (
    "this array may have been changed in place through another name",
    "this changes an array that may be",
    "`f` changes an array that it also has under another name",
    "`g` changes an array that it also has under another name",
    "`f` may change an array through another name",
    "`g` may change an array through another name",
)
SEEDS = range(12)


@pytest.fixture(autouse=True)
def _verified(monkeypatch):
    monkeypatch.setattr(verify, "enabled", True)


def compared(seed, folder):
    """True where the graph was compared and agreed, False where it was refused."""
    plain = load(program(seed), folder)
    staged = ag.function(plain)
    for n, x, a, b in (FIRST, SECOND):
        arguments = (n, np.float64(x), a, b)
        python, graph = observe(plain, arguments), observe(staged, arguments)
        if graph.raised and graph.raised[1].startswith(REFUSED):
            return False
        assert disagreement(python, graph) is None, program(seed)
    return True


def test_random_recursions_mean_what_they_mean_in_python(tmp_path):
    agreed = [compared(seed, tmp_path) for seed in SEEDS]
    assert sum(agreed) >= len(SEEDS) // 2
