"""sums_ahead: sums of ints that may outgrow the machine, added up in vectors first.

A stretch of turns that do nothing but add up ints has no effect but its sums. It is
added up without a way out, and what was added, and what was multiplied for that, is
noted; where all of that was small no sum in between can have outgrown the machine, in
whatever order. Else the turns of the stretch are done one by one, from the numbers that
it began with, and leave where Python would go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from runtime.backends.llvm.lines import RAISING
from runtime.backends.llvm.loops import BIT, INT, Block, Instruction, Local, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# Sums of a turn; turns of a stretch are fewer than 2**13. All that they add to a number
# of fewer bits than FIRST stays within 64 then.
SUMS = 4
FIRST = 62
# The bits of what is added, and of what is multiplied.
ADDED, MULTIPLIED = 47, 23
# What may leave, and what does the same without.
_PLAIN = {"sadd": "add", "ssub": "sub", "smul": "mul"}


class Ahead(NamedTuple):
    """The turns of a stretch that cannot leave.

    steps: of a turn; ends: what it hands on
    notes: what is noted of ints that are added or multiplied, and for how many bits
    flags: truths that are carried, which become another one where that is noted, or
           at any rate
    sums:  the ints that are carried
    """

    steps: list[Instruction]
    ends: dict[Local, Operand]
    notes: dict[Local, int]
    flags: list[tuple[Local, bool, Local | None]]
    sums: list[Local]

    def before(self, lowering: Lowering) -> list[Local]:
        """What the sums begin with; nothing is noted yet."""
        flags = [note for *_, note in self.flags if note is not None]
        for note in (*self.notes, *flags):
            lowering.assign([note], [0])
        firsts = [lowering.local(INT) for _ in self.sums]
        lowering.assign(firsts, self.sums)
        return firsts

    def is_small(self, lowering: Lowering, firsts: list[Local]) -> Operand:
        """Whether no sum can have outgrown the machine."""
        tests = [
            lowering.compute("icmp ult", BIT, note, 2 ** (bits + 1), type=INT)
            for note, bits in self.notes.items()
        ]
        for first in firsts:
            moved = lowering.compute("add", INT, first, 2**FIRST, type=INT)
            tests.append(
                lowering.compute("icmp ult", BIT, moved, 2 ** (FIRST + 1), type=INT)
            )
        return lowering.all_of(tests)

    def after(self, lowering: Lowering) -> None:
        """The truths that are carried."""
        for flag, value, note in self.flags:
            if note is None:
                lowering.assign([flag], [value])
                continue
            test = lowering.compute("icmp ne", BIT, note, 0, type=INT)
            chosen = lowering.compute("select", BIT, test, value, flag)
            lowering.assign([flag], [chosen])

    def stretch(
        self,
        lowering: Lowering,
        count: Operand,
        is_long: Operand,
        turns: Callable[[], None],
        one_by_one: Callable[[], None],
    ) -> None:
        """So many turns, ahead if they are many; one by one if that was too much.

        is_long: whether they are many, and LLVM makes vectors of them
        """
        is_done = lowering.local(BIT)
        firsts = self.before(lowering)

        def many() -> None:
            turns()
            lowering.assign([is_done], [self.is_small(lowering, firsts)])

        def again() -> None:
            lowering.assign(self.sums, firsts)
            one_by_one()

        few = lowering.within(lambda: lowering.assign([is_done], [False]))
        lowering.emit("if", is_long, blocks=(lowering.within(many), few))
        ended = lowering.within(lambda: self.after(lowering))
        lowering.emit("if", is_done, blocks=(ended, lowering.within(again)))


def sums_ahead(
    lowering: Lowering, steps: list[Instruction], ends: Mapping[Local, Operand]
) -> Ahead | None:
    """The turns without ways out; None where they have none, or do something else."""
    inside = [*Block(steps).walk()]
    leaves = [one for one in inside if one.exit]
    does_more = any(one.op == "store" or one.op in RAISING for one in inside)
    if not leaves or does_more or any(map(_may_else_leave, leaves)):
        return None
    if any(one.exit for step in steps for block in step.blocks for one in block.walk()):
        return None
    made = _Made(lowering, steps, ends)
    return made.ahead() if made.is_fit else None


def _may_else_leave(one: Instruction) -> bool:
    return one.op not in _PLAIN or one.outs[0].type != INT


class _Made:
    """The turns, as they are made.

    noted: what notes are at the end of a turn
    count: how many sums a turn makes of those that are carried
    """

    def __init__(
        self,
        lowering: Lowering,
        steps: list[Instruction],
        ends: Mapping[Local, Operand],
    ) -> None:
        self.lowering = lowering
        self.is_fit = True
        self.ends = {out: end for out, end in ends.items() if out.type == INT}
        self.flags: list[tuple[Local, bool, Local | None]] = []
        self.notes: dict[Local, int] = {}
        self.noted: dict[Local, Operand] = {}
        self.sums: set[Operand] = {*self.ends}
        self.count = 0
        self.steps: list[Instruction] = []
        choices = self._flags(steps, ends)
        for one in steps:
            if one in choices:
                self._flag(one, choices[one])
            else:
                self._step(one)
        self.is_fit &= self.count <= SUMS

    def ahead(self) -> Ahead:
        ends = self.ends | self.noted
        return Ahead(self.steps, ends, self.notes, self.flags, [*self.ends])

    def _flags(
        self, steps: list[Instruction], ends: Mapping[Local, Operand]
    ) -> dict[Instruction, Local]:
        """The choices by which truths are carried, and which ones."""
        read = [arg for one in Block(steps).walk() for arg in one.args]
        made = {one.outs[0]: one for one in steps if one.op == "select"}
        found: dict[Instruction, Local] = {}
        for flag, end in ends.items():
            if flag.type == INT:
                continue
            if isinstance(end, bool) and flag not in read:
                self.flags.append((flag, end, None))
                continue
            one = made.get(end) if isinstance(end, Local) else None
            is_alone = read.count(flag) == 1 and end not in read
            if one is None or not is_alone or one.args[2] is not flag:
                self.is_fit = False
            elif not isinstance(one.args[1], bool):
                self.is_fit = False
            else:
                found[one] = flag
        return found

    def _flag(self, one: Instruction, flag: Local) -> None:
        """Note that a truth becomes another one."""
        test, value, _ = one.args
        wide, note = self.lowering.local(INT), self.lowering.local(INT)
        self.steps.append(Instruction("zext", (wide,), (test,), type=BIT))
        ored = self.lowering.local(INT)
        self.steps.append(Instruction("or", (ored,), (note, wide), type=INT))
        self.noted[note] = ored
        self.flags.append((flag, bool(value), note))

    def _step(self, one: Instruction) -> None:
        of_sums = [arg in self.sums for arg in one.args]
        plain = _PLAIN.get(one.op, one.op)
        is_sum = plain in ("add", "sub") and any(of_sums)
        if one.op == "select" and any(of_sums) and not all(of_sums[1:]):
            self.is_fit = False  # what the sum begins with anew may be anything
        if plain == "mul" and any(of_sums):
            self.is_fit = False
        if any(of_sums):
            self.sums.update(one.outs)
            self.count += is_sum
        if one.exit or is_sum:
            bits = MULTIPLIED if plain == "mul" else ADDED
            for arg in one.args:
                if arg not in self.sums:
                    self._note(arg, bits)
        made = replace(one, op=plain, type=INT, exit=None) if one.exit else one
        self.steps.append(made)

    def _note(self, arg: Operand, bits: int) -> None:
        """Note how large an int is: what is not too small is not below 0 when moved."""
        if not isinstance(arg, Local):
            self.is_fit &= abs(arg) < 2**MULTIPLIED
            return
        found = [note for note, of in self.notes.items() if of == bits]
        (note,) = found or [self.lowering.local(INT)]
        self.notes[note] = bits
        moved, ored = self.lowering.local(INT), self.lowering.local(INT)
        self.steps += [
            Instruction("add", (moved,), (arg, 2**bits), type=INT),
            Instruction("or", (ored,), (self.noted.get(note, note), moved), type=INT),
        ]
        self.noted[note] = ored
