"""Random programs mean the same wherever a trace is undone; by hand: random_undone."""

import pytest

from tests.tracer.random_undone import KINDS, Undoing, difference


@pytest.mark.parametrize("kind", KINDS)
def test_programs_mean_the_same_wherever_a_trace_is_undone(kind, tmp_path):
    before = Undoing.undone
    for seed in range(500, 515):
        found = difference(kind, seed, tmp_path)
        assert found is None, f"seed {seed}: {found}"
    assert Undoing.undone > before
