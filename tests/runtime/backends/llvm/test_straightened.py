"""Branches of elements are asked for so that vectors stay where they are."""

import numpy as np
import pytest

import autograph as ag


def beside_a_number(x, y):
    for i in range(len(x)):
        if x[i] > 0.5:
            x[i] = x[i] * 1e300 - 1e305
        else:
            x[i] = x[i] * 0.25
    return x


def beside_another(x, y):
    for i in range(len(x)):
        if x[i] > y[i]:
            x[i] = x[i] * 1e300 - 1e305
        else:
            x[i] = x[i] * 0.25
    return x


@pytest.mark.parametrize(
    ("function", "is_compared"), [(beside_a_number, True), (beside_another, False)]
)
def test_a_branch_beside_a_number_is_asked_for_by_another_comparison(
    function, is_compared
):
    """Truths of vectors that LLVM knows nothing of are moved to and fro by AVX2."""
    x = np.linspace(-1.0, 1.0, 9000)
    staged = ag.function(function)
    concrete = staged.get_concrete_function(x, x.copy())
    loops = concrete.inspect("loops")
    assert ("hidden double(0.5)" in loops) is is_compared
    assert ("hidden i1(" in loops) is not is_compared
    with ag.config(backend="native"):
        for _ in range(2):
            given = x.copy(), np.roll(x, 5)
            expected = function(*(one.copy() for one in given))
            np.testing.assert_array_equal(ag.function(function)(*given), expected)
