"""Floats of which nothing is noted: what comes of ints, by sums and products."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.bounded import bounded, to_watch
from runtime.backends.llvm.loops import Instruction, Local

# LLVM's passes are what would move them.
pytestmark = pytest.mark.with_passes

I, X = Local("i64", "i"), Local("double", "x")
A, B, C = (Local("double", name) for name in "abc")
OF_INT = Instruction("sitofp", (A,), (I,), type="i64")


def known(*steps):
    return bounded([OF_INT, *steps])


def step(op, *args, out=B, **more):
    return Instruction(op, (out,), args, type="double", **more)


@pytest.mark.parametrize(
    ("made", "size"),
    [
        (step("fdiv", A, 3.0), 2.0**63 / 3),
        (step("fmul", A, -2.5), 2.0**63 * 2.5),
        (step("fadd", A, A), 2.0**64),
        (step("fsub", 1.0, A), 2.0**63 + 1),
        (step("fneg", A), 2.0**63),
        (step("fabs", A), 2.0**63),
    ],
    ids=lambda one: one.op if isinstance(one, Instruction) else "",
)
def test_what_comes_of_ints_is_bounded(made, size):
    assert known(made)[B] == size


@pytest.mark.parametrize(
    "made",
    [
        step("fdiv", A, X),
        step("fdiv", A, 0.0),
        step("fdiv", A, 1e-305),
        step("fdiv", A, math.nan),
        step("fmul", A, 1e290),
        step("fadd", A, X),
        step("fadd", A, math.inf),
        step("fmul", A, math.nan),
        step("sqrt", A),
    ],
    ids=lambda one: f"{one.op} {one.args[1:]}",
)
def test_what_may_be_noted_is_not(made):
    assert B not in known(made)


def test_what_is_written_twice_may_be_anything():
    assert B not in known(step("fdiv", A, 3.0), step("same", X))
    grows = [step("fmul", A, 1e200), step("fmul", B, 1e200, out=C)]
    assert known(*grows).keys() == {A, B}


def test_what_a_loop_that_is_there_twice_writes_is_bounded():
    twice = [step("fdiv", A, 3.0), step("fsub", B, 1.0, out=C)] * 2
    assert known(*twice).keys() == {A, B, C}


def test_what_is_bounded_is_not_watched():
    silent = {A: ((A,), True), X: ((X,), True), C: ((A, X), True)}
    assert to_watch(silent, known()).keys() == {X, C}


def far(x, n, power):
    kept = 0.0
    for i in range(n):
        t = i / 3 + 0.5
        if x[i] > t:
            kept = x[i] * power
        y = i * 2.0 * power
        if y > 5.0:
            kept = kept - t
    return kept


@pytest.mark.parametrize("power", [1.0, 1e300, np.float64(1e300), math.inf])
def test_warnings_are_as_without(power):
    """Python's floats overflow in silence, NumPy's do not, and others say nothing."""
    x = np.linspace(0.0, 1e10, 200)
    said = []
    with ag.config(backend="native"):
        for function in (far, ag.function(far)):
            for _ in range(3):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    found = function(x, 200, power)
                words = {str(one.message) for one in caught}
                said.append((np.isnan(found), found > 0, words))
    assert said[3:] == said[:3]


def test_divisions_by_numbers_leave_loops():
    def near(x, y, grid):
        for i in range(grid.shape[0]):
            best = np.inf
            for k in range(len(x)):
                here = (x[k] - i / 3) * (y[k] - i / 7)
                if here < best:
                    best = here
                    grid[i] = k
        return grid

    x = np.linspace(0.0, 9.0, 50)
    with ag.config(backend="native"):
        staged = ag.function(near)
        grid = np.zeros(40)
        assert (
            staged(x, x[::-1].copy(), grid).tolist()
            == near(x, x[::-1], grid * 0).tolist()
        )
        text = staged.get_concrete_function(x, x, grid).inspect("llvm")
    calls = [line for line in text.splitlines() if " call " in line]
    assert not any("constrained.fdiv" in line for line in calls)
    assert any("constrained.fsub" in line for line in calls)
