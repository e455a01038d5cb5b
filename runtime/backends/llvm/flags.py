"""flags: what a loop has asked at the end of a turn, by a flag that it carries.

A `for` with a `break` asks in each turn whether it was left, and whether there is a
next turn; the answer is a flag, which the head of the loop looks at. So nothing in the
head says that the counter is less than its end. That is so at the begin of a turn, if
it follows from the flag both in front of the loop and at the end of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from runtime.backends.llvm.loops import BIT, INT, Instruction, Local, Operand
from runtime.backends.llvm.ranges import Known, Range, answer, assume
from runtime.backends.llvm.unused import last_move, written_by
from runtime.structs import replace

# Is in the text of such loops.
FLAGS = "; a flag that turns hand on"
# The orders that a counter and its end are compared by.
_ORDERS = frozenset({"icmp slt", "icmp sgt"})
Turn = Callable[
    [Instruction, Known, Mapping[Local, Range], Sequence[Instruction]], Known
]


def tests_held(turn: Turn, loop: Instruction, known: Known) -> list[Instruction]:
    """The tests that hold at the begin of each turn, which its own one does not ask.

    turn: what is known after a turn; known: in front of the loop
    """
    flag = flag_of(loop)
    if flag is None:
        return []
    ends = last_move(loop.blocks[1])
    first = known.copy()
    assume(first, flag, True)
    held = [one for one in _tests(loop, ends) if answer(first, one)]
    while held:
        made = turn(loop, known, {}, held)
        assume(made, ends[flag], True)
        kept = [one for one in held if answer(made, _at_end(one, ends))]
        if len(kept) == len(held):
            break
        held = kept
    return held


def assume_all(known: Known, held: Sequence[Instruction]) -> None:
    """Note that these tests hold."""
    for one in held:
        known.note(one, None)
        assume(known, one.outs[0], True)


def flag_of(loop: Instruction) -> Local | None:
    """What the loop carries, if its head asks nothing else."""
    if len(loop.blocks[0].instructions) != 1:
        return None
    (one,) = loop.blocks[0].instructions
    flag = one.args[0] if one.op == "move" and one.outs == loop.args else None
    return (
        flag if isinstance(flag, Local) and flag in last_move(loop.blocks[1]) else None
    )


def _tests(loop: Instruction, ends: Mapping[Local, Operand]) -> Iterator[Instruction]:
    """What turns ask of what they hand on, asked of what they begin with."""
    begins = {end: local for local, end in ends.items() if isinstance(end, Local)}
    gone = written_by(loop)
    for one in loop.blocks[1].walk():
        if one.op not in _ORDERS or one.type != INT:
            continue
        args = tuple(_put(arg, begins) for arg in one.args)
        stays = all(arg in ends or arg not in gone for arg in args)
        if args != one.args and stays:
            yield replace(one, outs=(Local(BIT, "held"),), args=args)


def _at_end(test: Instruction, ends: Mapping[Local, Operand]) -> Instruction:
    return replace(test, args=tuple(_put(arg, ends) for arg in test.args))


def _put(operand: Operand, others: Mapping[Local, Operand]) -> Operand:
    """What stands for an operand."""
    return others.get(operand, operand) if isinstance(operand, Local) else operand
