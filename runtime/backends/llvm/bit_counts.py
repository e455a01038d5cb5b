"""bit_counts: loops that take the lowest bit of an int until none is left.

A pass over loop IR. `while k: k &= k - 1; n += 1` counts the bits of `k`, for which
machines have an instruction. Where the sum outgrows the machine it is left in the first
turn, at the step that counts: from there on Python does them all. Of an int that may be
negative, of which no turn is the last one, the loop is there as it was, too.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.ahead import last_move
from runtime.backends.llvm.few_turns import FEW_TURNS
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# The word for the number of bits of an int.
BITS = "ctpop"


def with_bit_counts(lowering: Lowering, function: Function) -> Function:
    """The function, whose loops that count bits are none."""
    function.body.rewrite(partial(_loop, lowering))
    return function


def _loop(lowering: Lowering, loop: Instruction) -> list[Instruction]:
    if loop.op != "while" or loop.type != FEW_TURNS:
        return [loop]
    head, turn = loop.blocks
    ends = last_move(turn)
    steps = [one for one in turn.instructions[:-1] if one.op not in ("poll", "same")]
    sums = [one for one in steps if one.op in ("add", "sadd")]
    if len(steps) != 3 or len(sums) != 1 or len(ends) != 2:
        return [loop]
    (counts,) = sums
    less, taken = (one for one in steps if one is not counts)
    if not taken.outs:
        return [loop]
    number, count = _carried(turn.instructions, ends, taken, counts)
    tests = [one.op for one in head.instructions if one.op not in ("move", "same")]
    if number is None or count is None or tests not in (["icmp ne"], ["icmp sgt"]):
        return [loop]
    is_less = less.op in ("sub", "ssub") and less.args == (number, 1)
    is_bit = is_less and taken.op == "and" and {*taken.args} == {number, *less.outs}
    if not is_bit or counts.args != (count, 1):
        return [loop]
    made = _counted(lowering, loop, number, count, counts)
    # It is positive wherever nothing looks whether one less is an int of the machine.
    return made if less.op == "sub" else _if_positive(lowering, loop, number, made)


def _if_positive(
    lowering: Lowering, loop: Instruction, number: Local, made: list[Instruction]
) -> list[Instruction]:
    """The steps that count, where the number is none below 0; else the loop."""

    def write() -> None:
        test = lowering.compute("icmp sge", BIT, number, 0, type=INT)
        lowering.emit("if", test, blocks=(Block(made), Block([loop])))

    return lowering.within(write).instructions


def _carried(
    steps: list[Instruction],
    ends: dict[Local, Operand],
    taken: Instruction,
    counts: Instruction,
) -> tuple[Local | None, Local | None]:
    """What is handed on as these results."""
    same: dict[Operand, Operand] = {
        one.outs[0]: one.args[0] for one in steps if one.op == "same"
    }
    found = {same.get(end, end): out for out, end in ends.items()}
    return found.get(taken.outs[0]), found.get(counts.outs[0])


def _counted(
    lowering: Lowering,
    loop: Instruction,
    number: Local,
    count: Local,
    counts: Instruction,
) -> list[Instruction]:
    """The steps that count the bits of a number, if the loop is run at all."""
    head, turn = loop.blocks

    def write() -> None:
        block, (test,) = lowering.block.instructions, loop.args
        block.extend(map(replace, head.instructions))
        # What the way out hands over is that of the first turn.
        block.extend(one for one in turn.instructions[:-1] if one.op != "poll")
        block.remove(counts)
        for at, one in enumerate(block):
            if one.op == "ssub":
                block[at] = replace(one, op="sub", type=INT, exit=None)
        bits = lowering.compute(BITS, INT, number)
        some = lowering.compute("select", INT, test, bits, 0)
        block.append(replace(counts, args=(count, some)))
        left = lowering.compute("select", INT, test, 0, number)
        lowering.assign([number, count], [left, counts.outs[0]])

    return lowering.within(write).instructions
