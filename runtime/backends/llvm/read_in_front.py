"""read_in_front: branches of a turn that only read and choose, as choices.

For turns that vectors do: LLVM reads what stands in a branch with a mask, of which some
processors make a step for each lane. Where all turns come to elements on both sides of
one, or to itself, it is there whichever branch is taken, and is read without. Of what
was only read in front, and used in a branch, LLVM would put the read back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from runtime.backends.llvm.lesser import FLOATS
from runtime.backends.llvm.lines import RAISING
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand
from runtime.backends.llvm.read_rows import Places, Unfit
from runtime.backends.llvm.straightened import FREE, MOST
from runtime.backends.llvm.unused import moved_by
from runtime.structs import replace


def read_in_front(steps: Sequence[Instruction], counter: Local) -> list[Instruction]:
    """The steps of a turn; as they were, where one may leave it."""
    branches = [one for one in steps if one.op == "if"]
    reads = any(one.op == "load" for one in Block(branches).walk())
    if not reads or any(one.exit for one in Block([*steps]).walk()):
        return [*steps]
    return _Turn(steps, counter).steps(steps)


class _Turn:
    """One turn.

    always: how far from the counter all turns come to elements, by their rows
    """

    def __init__(self, steps: Sequence[Instruction], counter: Local) -> None:
        self.at = Places([*Block([*steps]).walk()], counter, {})
        self.always: dict[object, list[int]] = defaultdict(list)
        for one in steps:
            if one.op in ("load", "store"):
                try:
                    row, far = self._row(one.args[0])
                except Unfit:
                    continue
                self.always[row].append(far)

    def _row(self, place: Operand) -> tuple[object, int]:
        """What a place has in common with others of a row, and how far it is along."""
        inner, index, stride = self.at.last_step(place).args
        far = self.at.far(index)
        other = self.at.place(index) if far is None else None
        return (self.at.place(inner), other, self.at.place(stride)), far or 0

    def steps(self, steps: Iterable[Instruction]) -> list[Instruction]:
        """The same, with choices where there can be."""
        made: list[Instruction] = []
        for one in steps:
            made += self._chosen(one) if one.op == "if" else [one]
        return made

    def _chosen(self, one: Instruction) -> list[Instruction]:
        """What a branch does in front of it, and a choice; or else the branch."""
        sides = [self.steps(block.instructions) for block in one.blocks]
        left = replace(one, blocks=tuple(map(Block, sides)))
        free = [step for side in sides for step in side[:-1]]
        if not any(step.op == "load" for step in free) or len(free) > MOST:
            return [left]
        ends = tuple(Block(side[-1:]) for side in sides)
        moved = moved_by(replace(one, blocks=ends))
        # Of a choice of floats LLVM would make an extreme, which is noted.
        has_floats = any(out.type in FLOATS for out, *_ in moved)
        if not moved or has_floats or not all(map(self._is_free, free)):
            return [left]
        made = [out for step in free for out in step.outs]
        outs = {out for out, *_ in moved}
        is_read = any(not outs.isdisjoint(sides) for _, *sides in moved)
        if is_read or len({*made}) < len(made):
            return [left]
        choices = [
            Instruction("select", (out,), (*one.args, then, orelse))
            for out, then, orelse in moved
        ]
        return [*free, *choices]

    def _is_free(self, one: Instruction) -> bool:
        """Whether it can be done though nobody wants it."""
        if one.op == "load":
            return self._is_there(one.args[0])
        return one.op.split(" ")[0] in FREE and one.op not in RAISING

    def _is_there(self, place: Operand) -> bool:
        """Whether all turns come to elements on both sides of one."""
        try:
            row, far = self._row(place)
        except Unfit:
            return False
        reached = self.always.get(row, [])
        return bool(reached) and min(reached) <= far <= max(reached)
