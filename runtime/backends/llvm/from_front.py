"""from_front: indices that are mostly counted from the front, and seldom from the end.

A pass over loop IR, the last one. Where nothing is known of an index, it was compared,
added to and chosen before it was known where to read. One that lies within its array as
it is needs one comparison, and nothing that it is used for waits for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from runtime.backends.llvm.unused import read_by
from runtime.structs import replace

# The word for an `if` whose first branch is seldom run.
SELDOM = "seldom"
_OPS = ("icmp slt", "add", "select", "icmp uge", "leave_if")


def with_front(lowering: Lowering, function: Function) -> Function:
    """The function, whose indices are asked first whether they lie within."""
    groups = [one for inner in _blocks(function.body) for one in _groups(inner)]
    if groups:
        _block(lowering, function.body, _read_elsewhere(function.body, groups))
    return function


def _read_elsewhere(block: Block, groups: list[list[Instruction]]) -> set[Local]:
    """What others read than the steps by which an index is found.

    Of a loop that is there twice both read the same local, each that of its own turn.
    """
    inside = {id(one) for group in groups for one in group}
    found = {
        local for one in block.walk() if id(one) not in inside for local in read_by(one)
    }
    for _, moved, *_, leave in groups:
        handed = (local for local in read_by(leave) if local not in leave.args)
        found.update(handed, _locals(moved.args))
    return found


def _blocks(block: Block) -> Iterator[Block]:
    """A block, and all in it."""
    yield block
    for one in block.instructions:
        for inner in one.blocks:
            yield from _blocks(inner)


def _groups(block: Block) -> Iterator[list[Instruction]]:
    """The steps of a block that find an index."""
    before = len(_OPS) - 1
    for last, one in enumerate(block.instructions):
        if one.op == _OPS[-1] and last >= before:
            steps = block.instructions[last - before : last + 1]
            if _is_wrapped(steps):
                yield steps


def _locals(args: Iterable[Operand]) -> Iterator[Local]:
    return (arg for arg in args if isinstance(arg, Local))


def _block(lowering: Lowering, block: Block, elsewhere: set[Local]) -> None:
    made: list[Instruction] = []
    for one in block.instructions:
        # What lanes run ahead is for vectors.
        for inner in one.blocks[one.op == "lanes" :]:
            _block(lowering, inner, elsewhere)
        made.append(one)
        steps = made[-len(_OPS) :] if one.op == _OPS[-1] else []
        if _is_wrapped(steps):
            test, moved, _, far, _ = steps
            if elsewhere.isdisjoint((*test.outs, *moved.outs, *far.outs)):
                made[-len(_OPS) :] = _from_front(lowering, steps)
    block.instructions = made


def _is_wrapped(steps: list[Instruction]) -> bool:
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
