"""What `np.where` does not take is computed, and warned of, in machine code, too."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import chosen
from runtime.backends.llvm.orders import ASKS
from tests.runtime.backends.llvm.compiling import loops_of

# LLVM's passes are what would leave something out.
pytestmark = pytest.mark.with_passes

X = np.linspace(-2.0, 4.0, 201)


def roots(x, turns):
    total = x[0]
    for _ in range(turns):
        total = total + np.where(x > 0, np.sqrt(x), 3.0).sum()
    return total


def quotients(x, turns):
    y = x * 1
    for _ in range(turns):
        y = np.where(x != 0, 1 / x, 0.0) + y
    return y


def far(x, turns):
    y = x * 1
    for _ in range(turns):
        y = np.where(x < 10, y, x * 3e38)
        y = np.where(x < 10, y * 0.5, y)
    return y


def with_zero(x):
    x = x.copy()
    x[50] = 0
    return x


CASES = [
    (roots, X, "invalid value encountered in sqrt"),
    (quotients, with_zero(abs(X) + 0.5), "divide by zero encountered in divide"),
    (far, X.astype("f4"), "overflow encountered in multiply"),
]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(("function", "x", "text"), CASES)
def test_what_a_choice_leaves_out_is_warned_of(function, x, text, dtype):
    x = x.astype(dtype)
    if function is far:
        x = x.astype("f4")
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                expected = function(x, 40)
            said = {str(one.message) for one in found}
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                given = staged(x, 40)
            assert {str(one.message) for one in found} == said == {text}
            np.testing.assert_array_equal(given, expected)
        assert all(loop.function for loop in loops_of(staged, (x, 40)))


TEXT = """\
  %1 = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %0)
  %2 = select <4 x i1> %m, <4 x double> %1, <4 x double> splat (double 3.0)
  %3 = fdiv float 1.0, %x
  %q = fmul float %3, %x
  %t4 = select i1 %c, float %3, float %q, !prof !0
  %5 = select i1 %c, i64 1, i64 2
  %6 = fneg double %y
  %7 = select i1 %c, double %6, double 0.0
"""
FENCED = """\
  %1 = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %0)
  %fence0.2 = call <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double> %1)
  %2 = select <4 x i1> %m, <4 x double> %fence0.2, <4 x double> splat (double 3.0)
  %3 = fdiv float 1.0, %x
  %q = fmul float %3, %x
  %fence0.t4 = call float @llvm.arithmetic.fence.f32(float %3)
  %fence1.t4 = call float @llvm.arithmetic.fence.f32(float %q)
  %t4 = select i1 %c, float %fence0.t4, float %fence1.t4
  %5 = select i1 %c, i64 1, i64 2
  %6 = fneg double %y
  %7 = select i1 %c, double %6, double 0.0

declare <4 x double> @llvm.arithmetic.fence.v4f64(<4 x double>)
declare float @llvm.arithmetic.fence.f32(float)
"""


def test_a_fence_is_put_up_behind_what_may_be_noted():
    assert chosen.fenced(TEXT) == FENCED
    assert chosen.may_leave_out(ASKS + TEXT)
    assert not chosen.may_leave_out(TEXT)
    assert not chosen.may_leave_out(ASKS + "%5 = select i1 %c, i64 1, i64 2")
