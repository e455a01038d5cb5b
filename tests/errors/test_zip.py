"""What is said where `zip(..., strict=True)` cannot be staged."""

import numpy as np
import pytest

import autograph as ag


@ag.function(input_signature=[ag.TensorSpec([None], float)] * 2)
def dot(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total


def test_strict_needs_lengths_that_are_known_while_tracing():
    with pytest.raises(TypeError) as caught:
        dot(np.ones(2), np.ones(3))
    assert str(caught.value) == (
        "zip(strict=True) of tensors whose lengths are not known to be the same"
    )
    assert caught.value.__notes__[1:] == [
        "  Compare the lengths first, and leave `strict` out."
    ]
