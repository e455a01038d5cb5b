"""Short branches of ints are choices where nothing can leave, else branches."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.from_front import SELDOM
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases(chosen=True)
n = np.int64
LARGEST = 2**63 - 1
# About which `3 * k + 1` is too large, and about what is asked.
EDGES = [LARGEST // 3, 2**61, 2**60, 2**59, -(2**61), -(2**60), LARGEST]
NEAR = [n(edge + step) for edge in EDGES for step in (-1, 0, 1) if edge + step < 2**63]


@case((n(27), 200), (n(1), 3), (n(-7), 30), *((edge, 4) for edge in NEAR))
def steps_to_one(first, most):
    k, steps = int(first), 0
    while k != 1 and steps < most:
        if k % 2 == 0:
            k = k // 2
        else:
            k = 3 * k + 1
        steps += 1
    return k, steps


@case(
    (np.arange(-45, 45), n(5), n(9)),
    (np.arange(-45, 45), n(2**60), n(-(2**60))),
    (np.array([1, -1, 1, 1, 1]), n(LARGEST - 9), n(4)),
    (np.array([-1, -1, -1]), n(4), n(-LARGEST + 3)),
    (np.array([1, -1] * 45), n(2**61 - 1), n(2**61)),
    (np.zeros(0, int), n(1), n(1)),
)
def either_of_two(x, first, second):
    a, b = int(first), int(second)
    for k in range(len(x)):
        if x[k] > 0:
            a = a + b
        else:
            a = b - a
    return a, b


@case(
    *(
        (np.arange(90), n(first))
        for first in (9, 2**60, 2**61 - 5, -(2**62), -(2**61) + 1)
    )
)
def with_stores_beside(x, first):
    """What was written before a turn that leaves is there."""
    a = int(first)
    for k in range(len(x)):
        x[k] = a % 1000
        a = a * 5 - 3 if x[k] % 2 else a + k
    return a, x


@case((np.arange(90), n(3)), (np.arange(90), n(0)), (np.arange(90), n(-99)))
def raising_in_some_turn(x, far):
    a, found = 1, np.zeros(90, int)
    for k in range(90):
        a = a * 3 + 1 if a % 4 < 2 else a - 7
        found[k] = x[k + far] + a % 100
    return a, found


@case((np.arange(90), n(3)), chosen=False)
def branches_that_store(x, first):
    a = int(first)
    for k in range(len(x)):
        if x[k] > 4:
            x[0] = k
            a = a * 3 + 1
    return a, x


@case((np.arange(90), n(3)), (np.arange(90), n(2**61)), chosen=False)
def long_branches(x, first):
    a = b = int(first)
    for k in range(len(x)):
        if x[k] > 4:
            a = a * 3 + b * 5
            b = a - b * 7
        else:
            a, b = b * 3 - k, a
    return a, b


@case((np.arange(90), n(3)), (np.arange(90), n(2**15)), chosen=False)
def of_which_little_fits(x, first):
    """More bits than may be asked for."""
    a = int(first)
    for k in range(len(x)):
        a = a * a * a * a if x[k] > 4 else a - 1
        a = a % 70000 - 9
    return a


@case((np.arange(90.0), 3.0), chosen=False)
def of_floats(x, first):
    a = first
    for k in range(len(x)):
        a = a * 3 + 1 if x[k] > 4 else a - 1
    return a


@pytest.mark.parametrize(("function", "arguments", "chosen"), CASES)
def test_a_branch_does_what_python_does(function, arguments, chosen):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments)
        made = [one.lowered()[1] for one in loops_of(staged, arguments[0])[:1]]
    tests = [one for f in made for one in f.body.walk() if one.type == SELDOM]
    found = [one for test in tests for one in test.blocks[1].walk()]
    assert ("select" in {one.op for one in found}) is chosen
    assert not any(one.exit for one in found if chosen)
