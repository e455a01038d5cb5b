"""Floats beside known numbers are chosen without a jump, where no turn waits for it."""

import math

import numpy as np
import pytest

from runtime.backends.llvm import lesser
from runtime.backends.llvm.loops import Block, Function, Instruction, Local
from runtime.backends.llvm.said_before import with_said_before
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

NAN = float("nan")
SPECIAL = [1.0, 0.0, -0.0, NAN, -1.0, np.inf, -NAN, 0.25, -0.0, 5e-324, -5e-324, 3.0]


def clipped(x):
    total = 0
    for i in range(len(x)):
        total += max(x[i], 0)
    return total


def between(x):
    total = 0.0
    for i in range(len(x)):
        v = min(max(x[i], -0.25), 0.5)
        total = 0.5 * total + math.copysign(1.0, v) + v
    return total


def turned(x):
    """Tests that hold where the other one is wanted, and their opposites."""
    total, count = 0, 0
    for i in range(len(x)):
        v = x[i] if not x[i] <= 0.0 else -0.0
        w = 1 if x[i] > 1 else x[i]
        total = total * 0.5 + v - w
        count += v == w
    return total, count


def two_tests(x):
    """What another test has said is no answer."""
    total = 0
    for i in range(len(x)):
        v = x[i] if x[i] > 0 else 0
        w = x[i] if x[i] > 0.25 else 0
        total = total + v
        total = total - w
    return total


def waited_for(x):
    here = best = 0.0
    for i in range(len(x)):
        here = max(here + x[i], 0.0)
        if here > best:
            best = here
    return best


def one_beside(x):
    """What a branch has said of one name is not what another one is."""
    total = 0
    for i in range(len(x)):
        v = x[i]
        w = v if v > 0 else 0
        v = v + 1
        total = total + (v if w > 0 else 0)
    return total


# Of float32 Python's numbers are another float, so choices ask for the kind.
CHOSEN = {(clipped, "f8"), (two_tests, "f8"), (between, "f8")}
FUNCTIONS = [clipped, two_tests, between, turned, one_beside, waited_for]


@pytest.mark.usefixtures("noted_in_machine_code")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_float_beside_a_number_is_chosen(function, dtype):
    rows = np.random.default_rng(1).random(300) - 0.4
    given = [(one.astype(dtype),) for one in (rows, np.array(SPECIAL), rows[:2])]
    staged = agreeing(function, given)
    (loop, *_) = loops_of(staged, given[0])
    inside = [*loop.lowered()[1].body.walk()]
    orders = lesser.Orders(inside)
    # The last of its loops, whose kinds are known.
    *_, last = (one for one in inside if one.op == "while")
    turns = [one for one in last.blocks[1].walk() if one.op == "if"]
    is_chosen = (function, dtype) in CHOSEN
    assert all(orders.chosen(one) for one in turns) == is_chosen


A, B, F, OUT = (Local("double", name) for name in "abfo")
T, U, N, SAME = (Local("i1", name) for name in "tuns")
KIND = Local("i64", "k")
ASKED = [
    Instruction("fcmp olt", (T,), (A, 0.0), type="double"),
    Instruction("fcmp olt", (U,), (A, 1.0), type="double"),
    Instruction("xor", (N,), (T, True), type="i1"),
    Instruction("xor", (SAME,), (T, False), type="i1"),
    Instruction(
        "if",
        (),
        (T,),
        (
            Block([Instruction("move", (KIND, F), (0, 0))]),
            Block([Instruction("move", (KIND, F), (1, A))]),
        ),
    ),
]
ANEW = Instruction("load", (A,), (B,))


@pytest.mark.parametrize(
    ("before", "args", "is_said"),
    [
        ([], (T, 0.0, A), True),
        ([], (SAME, 0.0, A), True),
        ([], (N, A, 0.0), True),
        ([], (T, F, A), True),
        ([], (N, F, F), True),
        ([], (T, A, 0.0), False),
        ([], (N, 0.0, A), False),
        ([], (T, -0.0, A), False),
        ([], (U, 0.0, A), False),
        ([], (T, 0.0, B), False),
        ([ANEW], (T, 0.0, A), False),
    ],
)
def test_a_choice_is_what_was_said_by_the_same_test(before, args, is_said):
    choice = Instruction("select", (OUT,), args, type="double")
    function = Function("f", [], Block([*ASKED, *before, choice]), [OUT])
    *_, last = with_said_before(function).body.instructions
    assert (last.op, last.args) == (("same", (F,)) if is_said else ("select", args))


@pytest.mark.parametrize(("also", "anew"), [(A, B), (T, U)])
def test_what_the_branches_have_moved_too_is_no_more_what_they_said(also, anew):
    moves = [Instruction("move", (F, also), (side, anew)) for side in (0.0, A)]
    blocks = tuple(Block([one]) for one in moves)
    asked = [*ASKED[:-1], Instruction("if", (), (T,), blocks)]
    choice = Instruction("select", (OUT,), (T, 0.0, A), type="double")
    function = Function("f", [], Block([*asked, choice]), [OUT])
    *_, last = with_said_before(function).body.instructions
    assert last.op == "select"
