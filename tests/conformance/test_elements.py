"""Every op on every dtype and layout does as a graph what NumPy does.

Thousands more by hand: `python -m tests.conformance.elements.trials SEED COUNT`.
"""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conformance.elements.calls import all_ops, calls_of, without_row
from tests.conformance.elements.trials import difference, is_known, trial

WITH_ROWS = sorted(name for name in all_ops() if calls_of(name))


def test_every_op_has_a_row():
    assert without_row() == []


@pytest.mark.filterwarnings("ignore")
@settings(
    max_examples=200,
    deadline=None,
    database=None,
    derandomize=True,
    # To explain, Hypothesis traces lines, for which generated code keeps its own.
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(st.randoms(use_true_random=False), st.sampled_from(WITH_ROWS))
def test_random_calls_do_what_numpy_does(chance, op):
    one = trial(chance, op)
    found = one and difference(one)
    assert not found or is_known(found), f"{one}\n{found}"
