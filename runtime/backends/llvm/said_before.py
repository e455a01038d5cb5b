"""said_before: choices of floats by a test whose branches have said before what it is.

A pass over loop IR. `0.0 if x < 0 else x` of a NumPy float and Python's says in each
branch of which kind it is, what it is as an int, and what as a float. Once the kinds
are known (`settled.py`), a choice of floats asks the same again: what it gives is what
the branches have said, the lesser of two floats, which needs no jump (`lesser.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from runtime.backends.llvm.lesser import FLOATS
from runtime.backends.llvm.loops import (
    BIT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.unused import moved_by, written_by


class Said(NamedTuple):
    """What the branches of a test say that a local is."""

    test: Operand
    then: Operand
    orelse: Operand


def with_said_before(function: Function) -> Function:
    """The function; its choices of floats ask nothing that was asked before."""
    inside = [*function.body.walk()]
    if any(one.op == "select" and one.outs[0].type in FLOATS for one in inside):
        _Pass().block(function.body)
    return function


class _Pass:
    """The pass over blocks: choices by a test that has said before what they give.

    numbers: what locals are that are known numbers
    tests:   truths that are another one, or its opposite
    said:    what the branches of tests have said
    """

    def __init__(self) -> None:
        self.numbers: dict[Operand, float] = {}
        self.tests: dict[Operand, tuple[Operand, bool]] = {}
        self.said: dict[Local, Said] = {}

    def block(self, block: Block) -> None:
        """All of a block."""
        block.instructions = [self._one(one) for one in block.instructions]

    def _one(self, one: Instruction) -> Instruction:
        for inner in one.blocks:
            _Pass().block(inner)
        made = self._choice(one) if one.op == "select" else one
        self._forget(written_by(one))
        self._note(one)
        return made

    def _forget(self, written: set[Local]) -> None:
        """Some are written anew."""
        for local in written:
            self.numbers.pop(local, None)
            self.tests.pop(local, None)
            self.said.pop(local, None)
        for turned in [t for t, of in self.tests.items() if of[0] in written]:
            del self.tests[turned]
        for out in [o for o, of in self.said.items() if not written.isdisjoint(of)]:
            del self.said[out]

    def _note(self, one: Instruction) -> None:
        """What is known behind it."""
        if one.op == "xor" and one.type == BIT and isinstance(one.args[1], bool):
            test, turned = self._test(one.args[0])
            self.tests[one.outs[0]] = test, turned != one.args[1]
        elif one.op == "sitofp":
            number = self._number(one.args[0])
            if number is not None:
                self.numbers[one.outs[0]] = float(number)
        moved = moved_by(one)
        written = {out for out, *_ in moved}
        for out, then, orelse in moved:
            first, second = self._number(then), self._number(orelse)
            said = Said(one.args[0], then, orelse)
            if written.isdisjoint(said):  # all of these are moved at once
                self.said[out] = said
            if first is not None and repr(first) == repr(second):
                self.numbers[out] = first

    def _number(self, operand: Operand) -> float | None:
        found = self.numbers.get(operand) if isinstance(operand, Local) else operand
        return None if isinstance(found, Local) else found

    def _test(self, operand: Operand) -> tuple[Operand, bool]:
        return self.tests.get(operand, (operand, False))

    def _choice(self, one: Instruction) -> Instruction:
        """A choice; what has been said, where that is the same."""
        (test, turned), sides = self._test(one.args[0]), list(one.args[1:])
        if one.outs[0].type not in FLOATS:
            return one
        if turned:
            sides.reverse()
        for place, side in enumerate(sides):
            said = self.said.get(side) if isinstance(side, Local) else None
            if said is not None and said.test is test:
                sides[place] = said[1 + place]
        for out, said in self.said.items():
            if said.test is not test or out.type != one.outs[0].type:
                continue
            if self._alike(sides[0], said.then) and self._alike(sides[1], said.orelse):
                return Instruction("same", one.outs, (out,), type=out.type)
        return one

    def _alike(self, a: Operand, b: Operand) -> bool:
        """Whether two floats are the same one."""
        first, second = self._number(a), self._number(b)
        if first is None or second is None:
            return a is b
        return repr(float(first)) == repr(float(second))
