"""What is said where `zip(..., strict=True)` cannot be staged."""

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

CASES = Cases()


@CASES.says(
    """
    TypeError: zip(strict=True) of tensors whose lengths are not known to be the same
      in lengths_that_are_known_when_it_runs, FILE line N:  for a, b in zip(x, y,
          strict=True):
      Compare the lengths first, and leave `strict` out.
    """,
    np.ones(2),
    np.ones(3),
    input_signature=[ag.TensorSpec([None], float)] * 2,
)
def lengths_that_are_known_when_it_runs(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
