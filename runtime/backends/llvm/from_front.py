"""from_front: indices that are mostly counted from the front, and seldom from the end.

A pass over loop IR, the last one. Where nothing is known of an index, it was compared,
added to and chosen before it was known where to read. One that lies within its array as
it is needs one comparison, and nothing that it is used for waits for that.
"""

from __future__ import annotations

from collections import Counter

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

# The word for an `if` whose first branch is seldom run.
SELDOM = "seldom"
_OPS = ("icmp slt", "add", "select", "icmp uge", "leave_if")


def with_front(lowering: Lowering, function: Function) -> Function:
    """The function, whose indices are asked first whether they lie within."""
    reads = Counter(arg for one in function.body.walk() for arg in one.args)
    _block(lowering, function.body, reads)
    return function


def _block(lowering: Lowering, block: Block, reads: Counter[Operand]) -> None:
    made: list[Instruction] = []
    for one in block.instructions:
        # What lanes run ahead is for vectors.
        for inner in one.blocks[one.op == "lanes" :]:
            _block(lowering, inner, reads)
        made.append(one)
        if one.op == "leave_if" and _is_wrapped(made[-5:], reads):
            made[-5:] = _from_front(lowering, made[-5:])
    block.instructions = made


def _is_wrapped(steps: list[Instruction], reads: Counter[Operand]) -> bool:
    """Whether they count an index from the end if it is negative, and leave outside."""
    if tuple(one.op for one in steps) != _OPS:
        return False
    test, moved, chosen, far, leave = steps
    index, size = moved.args
    below, from_end, found = test.outs[0], moved.outs[0], chosen.outs[0]
    return (
        (test.args, moved.type, far.type) == ((index, 0), INT, INT)
        and chosen.args == (below, from_end, index)
        and far.args == (found, size)
        and leave.args == far.outs
        and isinstance(index, Local)
        and all(reads[one] == 1 for one in (below, from_end, far.outs[0]))
    )


def _from_front(lowering: Lowering, steps: list[Instruction]) -> list[Instruction]:
    _, moved, chosen, far, leave = steps
    index, size = moved.args
    is_outside = lowering.local(BIT)
    negative = [
        moved,
        replace(far, args=(moved.outs[0], size)),
        leave,
        Instruction("move", chosen.outs, moved.outs),
    ]
    usual = [Instruction("move", chosen.outs, (index,))]
    asked = Instruction("icmp uge", (is_outside,), (index, size), type=INT)
    blocks = (Block(negative), Block(usual))
    return [asked, Instruction("if", (), (is_outside,), blocks, type=SELDOM)]
