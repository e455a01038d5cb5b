"""summands: what a branch adds is a choice of what is added.

A pass over loop IR. `if x[i] > 0: s += x[i]` guesses in each turn whether the branch is
taken, of random data half of the times wrongly. Where the branch is not taken nothing
is added instead: a zero, of which nothing is noted, and by which no sum becomes another
one, that of zeros and the other sign included. Nor is there a sum that leaves the loop
by a zero. A branch that keeps the larger one of two ints becomes that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from runtime.backends.llvm.ahead import last_move
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.lines import RAISING
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
from runtime.backends.llvm.straightened import FREE
from runtime.backends.llvm.unused import drop_unused_of
from runtime.structs import replace

# What is added where nothing is, and in which operands it may stand.
_ZEROS: Mapping[str, tuple[Operand, tuple[int, ...]]] = {
    "fadd": (-0.0, (0, 1)),
    "fsub": (0.0, (1,)),
    "add": (0, (0, 1)),
    "sadd": (0, (0, 1)),
    "sub": (0, (1,)),
    "ssub": (0, (1,)),
}
# Of two ints that are compared so, which one is kept where that holds.
_EXTREMES = {
    **dict.fromkeys(("icmp sgt", "icmp sge"), ("smax", "smin")),
    **dict.fromkeys(("icmp slt", "icmp sle"), ("smin", "smax")),
}
# Operations in a branch that are worth less than a guess whether it is taken.
MOST = 12


def with_summands(lowering: Lowering, function: Function) -> Function:
    """The function; what branches of its innermost counted loops add is chosen."""
    for one in function.body.walk():
        if one.op != "while":
            continue
        counter, _ = counted(one)
        inside = [inner for block in one.blocks for inner in block.walk()]
        if counter is not None and not any(
            inner.blocks and inner.op != "if" for inner in inside
        ):
            carried = last_move(one.blocks[1]).keys() - {counter}
            body = one.blocks[1]
            body.instructions = _Turn(lowering, carried).steps(body.instructions, {})
    drop_unused_of(function)  # comparisons of what is the larger one
    return function


class _Sum(NamedTuple):
    """A sum that a branch gives, and which of its operands is what it adds to."""

    step: Instruction
    place: int


class _Turn:
    """The turn of a loop.

    roots:   of a local that is the same as another one, that
    made:    what computes a local
    carried: what turns hand on, and what is computed of it: that is waited for
    read:    what is computed of elements, of which nobody knows the next one
    """

    def __init__(self, lowering: Lowering, carried: Iterable[Local]) -> None:
        self.lowering = lowering
        self.roots: dict[Operand, Operand] = {}
        self.made: dict[Operand, Instruction] = {}
        self.carried: set[Operand] = {*carried}
        self.read: set[Operand] = set()

    def steps(
        self, steps: Iterable[Instruction], read: Mapping[Operand, Local]
    ) -> list[Instruction]:
        """The same, with fewer branches.

        read: what lies at a place that has been come to
        """
        made: list[Instruction] = []
        known = {**read}
        for one in steps:
            if one.op == "if":
                sides = [self.steps(block.instructions, known) for block in one.blocks]
                branch = replace(one, blocks=tuple(Block(side) for side in sides))
                found = self._choices(branch) or [branch]
            else:
                found = [self._again(one, known)]
            made += found
            self._note(found)
            if any(inner.op == "store" for inner in Block([one]).walk()):
                known.clear()
        return made

    def _again(self, one: Instruction, known: dict[Operand, Local]) -> Instruction:
        """A step; what has been read is not read again."""
        if one.op != "load":
            return one
        place, (out,) = self._root(one.args[0]), one.outs
        before = known.setdefault(place, out)
        if before is out or before.type != out.type:
            return one
        return Instruction("same", (out,), (before,))

    def _note(self, steps: Iterable[Instruction]) -> None:
        for one in Block([*steps]).walk():
            if one.op == "same":
                self.roots[one.outs[0]] = self._root(one.args[0])
            for kind in (self.carried, self.read):
                if not kind.isdisjoint(one.args):
                    kind.update(one.outs)
            if one.op == "load":
                self.read.update(one.outs)
            self.made.update(dict.fromkeys(one.outs, one))

    def _root(self, operand: Operand) -> Operand:
        return self.roots.get(operand, operand)

    def _choices(self, one: Instruction) -> list[Instruction]:
        """What does the same as a branch, without one; nothing if there is no such."""
        (test,) = one.args
        then, orelse = one.blocks
        if not _is_joined(then, orelse):
            return []
        ends = last_move(then), last_move(orelse)
        if extreme := self._extreme(one, *ends):
            return extreme
        if test in self.carried or test not in self.read:
            return []  # a choice would be waited for, or it is easily guessed
        sums = _sums(then, *ends), _sums(orelse, *reversed(ends))
        given = {**sums[0], **sums[1]}
        others = ends[0].keys() - given.keys()
        if not given or any(out.type not in (INT, BIT) for out in others):
            return []
        made: list[Instruction] = []
        for is_then, block in zip((True, False), one.blocks, strict=True):
            steps = {id(found.step): found for found in sums[not is_then].values()}
            for step in block.instructions[:-1]:
                if id(step) in steps:
                    made += self._summed(test, is_then, steps[id(step)])
                elif _is_free(step):
                    made.append(step)
                else:
                    return []
        if len(made) > MOST:
            return []
        return [*made, *self._moved(test, ends, given)]

    def _summed(self, test: Operand, is_then: bool, found: _Sum) -> list[Instruction]:
        """A sum of what it adds, or of nothing."""
        step, zero = found.step, _ZEROS[found.step.op][0]
        args, kind = list(step.args), step.outs[0].type
        chosen = self.lowering.local(kind)
        added = args[1 - found.place]
        sides = (added, zero) if is_then else (zero, added)
        args[1 - found.place] = chosen
        choice = Instruction("select", (chosen,), (test, *sides))
        return [choice, replace(step, args=tuple(args))]

    def _moved(
        self,
        test: Operand,
        ends: tuple[dict[Local, Operand], dict[Local, Operand]],
        given: Mapping[Local, _Sum],
    ) -> list[Instruction]:
        """What the branch gives, at its end."""
        made = []
        for out, one in ends[0].items():
            if out in given:
                made.append(Instruction("same", (out,), given[out].step.outs))
            else:
                made.append(Instruction("select", (out,), (test, one, ends[1][out])))
        return made

    def _extreme(
        self, one: Instruction, then: dict[Local, Operand], orelse: dict[Local, Operand]
    ) -> list[Instruction]:
        """The larger one, or the smaller one, of the two ints that were compared."""
        test = self.made.get(self._root(one.args[0]))
        steps = [step for block in one.blocks for step in block.instructions[:-1]]
        if test is None or test.op not in _EXTREMES or test.type != INT:
            return []
        if len(then) != 1 or not all(map(_is_free, steps)):
            return []
        for step in steps:
            if step.op == "same":
                self.roots[step.outs[0]] = self._root(step.args[0])
        (out,) = then
        if out.type != INT:
            return []
        asked = [self._root(arg) for arg in test.args]
        kept = [self._root(then[out]), self._root(orelse[out])]
        if kept not in (asked, asked[::-1]):
            return []
        word = _EXTREMES[test.op][kept != asked]
        args = (then[out], orelse[out])
        return [*steps, Instruction(word, (out,), args, type=INT)]


def _is_joined(then: Block, orelse: Block) -> bool:
    """Whether all that both sides give they move at their ends."""
    lasts = [block.instructions[-1:] for block in (then, orelse)]
    if not all(last and last[0].op == "move" for last in lasts):
        return False
    return {*lasts[0][0].outs} == {*lasts[1][0].outs}


def _sums(
    block: Block, ends: Mapping[Local, Operand], others: Mapping[Local, Operand]
) -> dict[Local, _Sum]:
    """What a side gives that is a sum of what the other one gives."""
    steps = block.instructions[:-1]
    made: dict[Operand, Instruction] = {
        out: step for step in steps for out in step.outs
    }
    uses = Counter(arg for step in block.walk() for arg in step.args)
    found = {}
    for out, end in ends.items():
        step, is_alone, base = made.get(end), uses[end] == 1, others[out]
        while step is not None and step.op == "same":
            is_alone &= uses[step.args[0]] == 1
            step = made.get(step.args[0])
        if step is None or not is_alone or step.args.count(base) != 1:
            continue
        place = step.args.index(base)
        is_same = repr(step.args[place]) == repr(base)  # zeros are equal, but not alike
        if is_same and 1 - place in _ZEROS.get(step.op, (0, ()))[1]:
            found[out] = _Sum(step, place)
    return found


def _is_free(one: Instruction) -> bool:
    """Whether it can be done where nobody wants it."""
    return one.op.split(" ")[0] in FREE and one.op not in RAISING and not one.exit
