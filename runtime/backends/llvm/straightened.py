"""straightened: what the branches of a turn compute, computed in front of them.

For turns that vectors do, which compute what stands in a branch for all turns: NumPy
would be said to warn of what no turn has come to. So each operation is given ones where
its branch is not taken, of which the processor notes nothing. LLVM is not told that
they are ones, nor that what is computed of one another, and the branch, go by the same
test, or it would find that a choice makes no difference to what is given, and leave it
away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runtime.backends.llvm.lines import RAISING
from runtime.backends.llvm.loops import BIT, Block, Instruction, Local, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.unused import written_by
from runtime.structs import replace

# The word for a number, or a truth, of which LLVM does not know what it is.
HIDDEN = "hidden"
# What can be computed though nobody wants it, as numbers are not noted of ones.
FREE = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "sqrt", "add", "sub", "mul"}
    | {"same", "address", "sitofp", "sext", "zext", "fpext", "fcmp", "icmp"}
    | {"and", "or", "xor", "select"}
)
# Operations in branches that are worth less than a guess which branch is taken.
MOST = 24
# Of numbers from its inverse to this, and a one, nothing is noted.
FAR = 2.0**64


def straightened(
    lowering: Lowering, steps: list[Instruction]
) -> tuple[list[Instruction], list[Instruction]]:
    """The steps of a turn, and those that are done once, before all turns.

    As they were, where that is no gain: nothing in branches is noted, or a turn reads
    what another one has written.
    """
    tests = [one for one in steps if one.op == "if"]
    inside = [one for test in tests for block in test.blocks for one in block.walk()]
    noted = sum(one.op in RAISING for one in inside)
    if not 0 < noted <= MOST or meets_itself(Block(steps)):
        return steps, []
    straight = _Straight(lowering)
    return straight.steps(steps, {}), [*straight.hidden.values()]


def is_all_wanted(steps: Sequence[Instruction]) -> bool:
    """Whether all that is noted is computed of for sure where it is computed.

    What one branch alone wants LLVM computes there.
    """
    try:
        _wanted(steps, set())
    except _Unwanted:
        return False
    return True


class _Unwanted(Exception):
    """Something of which nothing is computed, maybe."""


def _wanted(steps: Sequence[Instruction], at_end: set[Operand]) -> set[Operand]:
    """What steps want for sure, that of which something is wanted at their end."""
    wanted = {*at_end}
    for one in reversed(steps):
        if one.op == "if":
            then, orelse = (_wanted(block.instructions, wanted) for block in one.blocks)
            wanted |= then & orelse
        elif one.op in RAISING and wanted.isdisjoint(one.outs):
            raise _Unwanted
        if one.op == "move":
            pairs = zip(one.outs, one.args, strict=True)
            wanted.update([arg for out, arg in pairs if out in wanted])
        elif one.op in ("store", "if") or not wanted.isdisjoint(one.outs):
            # Of a choice one side is wanted, nobody knows which.
            wanted.update(one.args[:1] if one.op == "select" else one.args)
    return wanted


def meets_itself(body: Block) -> bool:
    """Whether a turn reads what another one has written: then there are no vectors."""
    # What each local is: another one's, or a base and what leads from it.
    said: dict[Operand, tuple[Operand, ...]] = {}
    for one in body.walk():
        if one.op in ("same", "address"):
            base, *others = (said.get(arg, (arg,)) for arg in one.args)
            said[one.outs[0]] = (*base, *(arg for other in others for arg in other))
    read = {said.get(one.args[0]) for one in body.walk() if one.op == "load"}
    written = {said.get(one.args[0]) for one in body.walk() if one.op == "store"}
    bases = {place[0] for place in written if place}
    return any(place and place[0] in bases for place in read - written)


class _Straight:
    """One turn.

    hidden: what makes the numbers and truths that LLVM knows nothing of, by their names
    roots:  of a local that is the same as another one, that
    depths: how many operations a local is computed by, one of the other
    compared: the comparisons of floats, by what they give
    """

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.hidden: dict[str, Instruction] = {}
        self.roots: dict[Operand, Operand] = {}
        self.depths: dict[Operand, int] = {}
        self.compared: dict[Operand, Instruction] = {}

    def steps(
        self, steps: Iterable[Instruction], read: Mapping[Operand, Local]
    ) -> list[Instruction]:
        """The same, one after the other.

        read: what lies at a place that has been come to
        """
        made: list[Instruction] = []
        known = {**read}
        for one in steps:
            if one.op.startswith("fcmp "):
                self.compared[one.outs[0]] = one
            if one.op == "if":
                made += self._if(one, known)
            else:
                made.append(self._read(one, known))
            if any(inner.op == "store" for inner in Block([one]).walk()):
                known.clear()
        return made

    def _read(self, one: Instruction, known: dict[Operand, Local]) -> Instruction:
        """A step; what has been read is not read again."""
        if one.op == "same":
            self.roots[one.outs[0]] = self._root(one.args[0])
        if one.op != "load":
            return one
        place, (out,) = self._root(one.args[0]), one.outs
        before = known.setdefault(place, out)
        if before is out or before.type != out.type:
            return one
        return Instruction("same", (out,), (before,))

    def _root(self, operand: Operand) -> Operand:
        return self.roots.get(operand, operand)

    def _if(
        self, one: Instruction, known: Mapping[Operand, Local]
    ) -> list[Instruction]:
        (test,) = one.args
        made: list[Instruction] = []
        tests: list[Operand] = [test, self._asked(test, "odd", made)]
        others: list[Operand] = [self._other(asked, made) for asked in tests]
        sides = []
        for taken, block in zip((tests, others), one.blocks, strict=True):
            before, left = self._side(taken, self.steps(block.instructions, known))
            made += before
            sides.append(left)
        asked = self._asked(test, "branch", made)
        joined = _joined(asked, *sides)
        if any(left.steps for left in sides):
            blocks = tuple(Block(left.steps) for left in sides)
            made.append(replace(one, args=(asked,), blocks=blocks))
        return [*made, *joined]

    def _asked(self, test: Operand, name: str, made: list[Instruction]) -> Local:
        """The same truth as a test has, which LLVM does not know."""
        out = self.lowering.local(BIT)
        known = self.compared.get(test)
        if known is not None and not all(isinstance(arg, Local) for arg in known.args):
            # Beside a number it is compared once more: truths of vectors that are not
            # left where they are made take AVX2 four instructions.
            made.append(replace(known, outs=(out,), args=self._of_hidden(known, name)))
            return out
        never = self._hidden(name, BIT, False)
        made.append(Instruction("xor", (out,), (test, never), type=BIT))
        return out

    def _of_hidden(self, compared: Instruction, name: str) -> tuple[Operand, ...]:
        kind = compared.type
        return tuple(
            arg
            if isinstance(arg, Local)
            else self._hidden(f"{name} {kind} {arg!r}", kind, arg)
            for arg in compared.args
        )

    def _other(self, test: Operand, made: list[Instruction]) -> Local:
        out = self.lowering.local(BIT)
        made.append(Instruction("xor", (out,), (test, True), type=BIT))
        return out

    def _side(
        self, taken: Sequence[Operand], steps: Iterable[Instruction]
    ) -> tuple[list[Instruction], _Side]:
        """What of a branch is done in front of it, and what is left of it."""
        before, side = [], _Side()
        for one in steps:
            is_free = one.op.split(" ")[0] in FREE
            if is_free and side.made.isdisjoint(_locals(one.args)):
                before += self._harmless(one, taken)
            else:
                side.steps.append(one)
                side.made |= written_by(one)
        return before, side

    def _harmless(
        self, one: Instruction, taken: Sequence[Operand]
    ) -> list[Instruction]:
        """An operation in front of the branch that it stood in."""
        depth = max((self.depths.get(arg, 0) for arg in one.args), default=0)
        self.depths[one.outs[0]] = depth + (one.op in RAISING)
        if one.op not in RAISING:
            return [one]
        kind = one.outs[0].type
        made: list[Instruction] = []
        args: list[Operand] = []
        for arg in one.args:
            if not isinstance(arg, Local) and 1 / FAR < abs(arg) < FAR:
                args.append(arg)
                continue
            chosen = self.lowering.local(kind)
            parts = (taken[depth % 2], arg, self._hidden(kind, kind, 1.0))
            made.append(Instruction("select", (chosen,), parts))
            args.append(chosen)
        return [*made, replace(one, args=tuple(args))]

    def _hidden(self, name: str, kind: str, value: Operand) -> Local:
        if name not in self.hidden:
            local = self.lowering.local(kind)
            self.hidden[name] = Instruction(HIDDEN, (local,), (value,), type=kind)
        return self.hidden[name].outs[0]


class _Side:
    """What is left of a branch, and what that writes."""

    def __init__(self) -> None:
        self.steps: list[Instruction] = []
        self.made: set[Local] = set()

    def moved(self) -> dict[Local, Operand]:
        """What its last step moves, if all of that is there in front of it, too."""
        if not self.steps or self.steps[-1].op != "move":
            return {}
        last = self.steps[-1]
        is_there = self.made.isdisjoint(_locals(last.args))
        return dict(zip(last.outs, last.args, strict=True)) if is_there else {}


def _joined(test: Operand, then: _Side, orelse: _Side) -> list[Instruction]:
    """Choices in place of what both sides move at their ends."""
    one, other = then.moved(), orelse.moved()
    if not one or one.keys() != other.keys():
        return []
    for side in (then, orelse):
        side.steps.pop()
    return [Instruction("select", (out,), (test, one[out], other[out])) for out in one]


def _locals(args: Sequence[Operand]) -> set[Local]:
    return {arg for arg in args if isinstance(arg, Local)}
