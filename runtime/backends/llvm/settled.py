"""settled: loops whose numbers of several kinds stay of one kind, once they are of it.

A pass over loop IR. `best = 0`, then `best = x[i]`, is Python's int until a turn has
made it a float; from there on every turn gives a float again. Such a loop becomes two:
the one as it was, until all its numbers are of the kind that stays, and one whose turns
know the kind and ask for it no more. Which kinds stay is found by going through a turn
with what the tags are then. What is stored, raised and handed to Python is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from runtime.backends.llvm.lines import OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    OF_KINDS,
    Block,
    Function,
    Instruction,
    Local,
    Mixed,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.unused import PURE, last_move, written_by
from runtime.structs import replace

# A loop of more instructions is not written twice; nor are more kinds tried together.
LONG, TRIED = 400, 16
# What may be asked twice.
ASKING = PURE | OVERFLOWING | {"same", "move", "load", "leave_if", "if"}
# What is one step behind branches that both end with it, and what may be before that.
FREE = frozenset({"same", "sitofp", "uitofp"})
ENDS = frozenset({"fadd", "fsub", "fmul"})
Kinds = dict[Local, int]


class Known(NamedTuple):
    """What is known at a place: the ints that locals are, or which by what test.

    either: a test, what the local is where it holds, and what else
    """

    ints: dict[Local, int]
    either: dict[Local, tuple[Operand, int, int]]

    def copy(self) -> Known:
        return Known({**self.ints}, {**self.either})

    def number(self, operand: Operand) -> int | None:
        """The int, or the truth, that an operand is, if that is known."""
        if isinstance(operand, Local):
            return self.ints.get(operand)
        return None if isinstance(operand, float) else int(operand)

    def forget(self, written: Iterable[Local]) -> None:
        """Some are written."""
        gone = {*written}
        for local in gone:
            self.ints.pop(local, None)
            self.either.pop(local, None)
        for local in [one for one, of in self.either.items() if of[0] in gone]:
            del self.either[local]

    def note(self, out: Local, number: int | None) -> None:
        """One is written that is this number, if it is known."""
        self.forget((out,))
        if number is not None and out.type in (INT, BIT):
            self.ints[out] = number

    def meet(self, test: Operand, then: Known, orelse: Known) -> None:
        """Be of the end of two branches."""
        self.ints.clear()
        self.either.clear()
        self.ints.update(then.ints.items() & orelse.ints.items())
        self.either.update(then.either.items() & orelse.either.items())
        for one in then.ints.keys() & orelse.ints.keys() - self.ints.keys():
            self.either[one] = (test, then.ints[one], orelse.ints[one])


def with_settled_kinds(lowering: Lowering, function: Function) -> Function:
    """The function; its loops whose kinds stay are there twice."""
    if any(one.type == OF_KINDS for one in function.body.walk()):
        mixed = (one for one in lowering.values.values() if isinstance(one, Mixed))
        tags = {m.tag: len(m.options) for m in mixed if isinstance(m.tag, Local)}
        function.body.rewrite(lambda one: _loop(lowering, one, tags))
    return function


def _loop(
    lowering: Lowering, loop: Instruction, tags: Mapping[Local, int]
) -> list[Instruction]:
    """What stands for an instruction."""
    inside = [one for block in loop.blocks for one in block.walk()]
    is_asked = any(one.type == OF_KINDS for one in inside)
    if loop.op != "while" or not is_asked or len(inside) > LONG:
        return [loop]
    if not all(one.op.split(" ")[0] in ASKING for one in loop.blocks[0].walk()):
        return [loop]  # its test is asked once more, between the two
    kinds = _kinds_that_stay(loop, tags)
    if not kinds:
        return [loop]
    turns = _Settling(lowering, _carried_floats(loop))
    settled = turns.loop(loop, Known({**kinds}, {}))
    before = _until(lowering, loop, kinds)
    asks, is_so = _asked(lowering, kinds)
    # Told once more, for what looks at loops alone.
    begin = Instruction("move", tuple(kinds), tuple(kinds.values()))
    then = Instruction("if", (), (is_so,), (Block([begin, settled]), Block()))
    return [before, *asks, then]


def _until(
    lowering: Lowering, loop: Instruction, kinds: Mapping[Local, int]
) -> Instruction:
    """The loop, until all are of the kinds that stay."""
    (test,), (head, turn) = loop.args, loop.blocks
    asks, is_so = _asked(lowering, kinds)
    other, both = lowering.local(BIT), lowering.local(BIT)
    steps = [
        *head.instructions,
        *asks,
        Instruction("xor", (other,), (is_so, True), type=BIT),
        Instruction("and", (both,), (test, other), type=BIT),
    ]
    return replace(loop, args=(both,), blocks=(Block(steps), turn))


def _asked(
    lowering: Lowering, kinds: Mapping[Local, int]
) -> tuple[list[Instruction], Local]:
    """What asks whether all are of these kinds, and the answer."""
    steps: list[Instruction] = []
    answer: Local | None = None
    for tag, kind in kinds.items():
        one = lowering.local(BIT)
        steps.append(Instruction("icmp eq", (one,), (tag, kind), type=INT))
        if answer is not None:
            both = lowering.local(BIT)
            steps.append(Instruction("and", (both,), (answer, one), type=BIT))
            one = both
        answer = one
    assert answer is not None
    return steps, answer


# --- which kinds stay -----------------------------------------------------------------
def _kinds_that_stay(loop: Instruction, tags: Mapping[Local, int]) -> Kinds:
    """The tags that a loop carries, and the kinds of which they stay.

    tags: how many kinds there are for each
    """
    carried = [one for one in last_move(loop.blocks[1]) if one in tags]
    # The later ones first: to these numbers come, Python's ints are the first of all.
    tried = product(*(range(tags[one] - 1, -1, -1) for one in carried))
    best: Kinds = {}
    for kinds in islice(tried, TRIED):
        found = _staying(loop, dict(zip(carried, kinds, strict=True)))
        if len(found) > len(best):
            best = found
    return best


def _staying(loop: Instruction, kinds: Kinds) -> Kinds:
    """Those of the tags that are after a turn what they are before it."""
    while kinds:
        known = Known({**kinds}, {})
        for block in loop.blocks:
            _Settling(None, set()).block(block, known)
        found = {
            one: kind for one, kind in kinds.items() if known.ints.get(one) == kind
        }
        if found == kinds:
            break
        kinds = found
    return kinds


def _carried_floats(loop: Instruction) -> set[Local]:
    """What is computed of floats that turns hand on: it waits for the turn before."""
    floats = {"float", "double"}
    found = {one for one in last_move(loop.blocks[1]) if one.type in floats}
    for one in loop.blocks[1].walk():
        if not found.isdisjoint(one.args):
            found.update(one.outs)
    return found


# --- turns of which kinds are known ---------------------------------------------------
class _Settling:
    """What is written of turns whose kinds are known.

    lowering: where it is only asked what is known at the end nothing is written
    waits:    what waits for the turn before, and is guessed by the processor
    """

    def __init__(self, lowering: Lowering | None, waits: set[Local]) -> None:
        self.lowering, self.waits = lowering, waits

    def loop(self, loop: Instruction, known: Known) -> Instruction:
        """A loop that begins with what is known; then `known` is of its end."""
        kinds = {
            one: known.ints[one]
            for one in last_move(loop.blocks[1])
            if one in known.ints
        }
        kept = _staying(loop, kinds)
        known.forget(written_by(loop))
        known.ints.update(kept)
        head = self.block(loop.blocks[0], known)
        return replace(loop, blocks=(head, self.block(loop.blocks[1], known.copy())))

    def block(self, block: Block, known: Known) -> Block:
        """A block without what is answered; `known` is of its end then."""
        made: list[Instruction] = []
        for one in block.instructions:
            if one.op == "if":
                made += self._if(one, known)
            elif one.op == "while":
                made.append(self.loop(one, known))
            elif one.op in ("move", "same"):
                made.append(one)
                found = [known.number(arg) for arg in one.args]
                for out, number in zip(one.outs, found, strict=True):
                    known.note(out, number)
            elif one.op == "icmp eq":
                made.append(self._compared(one, known))
            else:
                made.append(one)
                known.forget(written_by(one))
        return Block(made)

    def _compared(self, one: Instruction, known: Known) -> Instruction:
        local = one.args[0]
        a, b = (known.number(arg) for arg in one.args)
        found = known.either.get(local) if isinstance(local, Local) else None
        known.note(one.outs[0], None if a is None or b is None else int(a == b))
        if found is None or b is None or found[1:].count(b) != 1:
            return one
        test, then, _ = found
        if test in self.waits:
            self.waits.update(one.outs)
        return Instruction("xor", one.outs, (test, then != b), type=BIT)

    def _if(self, one: Instruction, known: Known) -> list[Instruction]:
        test = known.number(one.args[0])
        if test is not None:
            return self.block(one.blocks[not test], known).instructions
        sides = known.copy(), known.copy()
        blocks = [
            self.block(block, side)
            for block, side in zip(one.blocks, sides, strict=True)
        ]
        known.meet(one.args[0], *sides)
        made = replace(one, blocks=tuple(blocks))
        if self.lowering is None or one.type != OF_KINDS:
            return [made]
        return self._chosen(self.lowering, made)

    def _chosen(self, lowering: Lowering, one: Instruction) -> list[Instruction]:
        """A branch by the kind as a choice, if both do the same with others."""
        ends = [block.instructions[-2:] for block in one.blocks]
        if one.args[0] in self.waits or any(len(end) < 2 for end in ends):
            return [one]
        (a, last), (b, other) = ends
        moves = last.op == other.op == "move" and last.outs == other.outs
        alike = a.op == b.op and a.op in ENDS and a.type == b.type
        before = [step for x in one.blocks for step in x.instructions[:-2]]
        if not (moves and alike and all(step.op in FREE for step in before)):
            return [one]
        steps, of = [*before], partial(_choice, lowering, one.args[0])
        args = [of(steps, a.type, *pair) for pair in zip(a.args, b.args, strict=True)]
        steps.append(replace(a, args=tuple(args)))
        given = [
            of(steps, out.type, x, a.outs[0] if y is b.outs[0] else y)
            for out, x, y in zip(last.outs, last.args, other.args, strict=True)
        ]
        return [*steps, Instruction("move", last.outs, tuple(given))]


def _choice(
    lowering: Lowering,
    test: Operand,
    steps: list[Instruction],
    kind: str,
    x: Operand,
    y: Operand,
) -> Operand:
    """One of the two, of which `steps` are told if they are not the same."""
    is_local = isinstance(x, Local) or isinstance(y, Local)
    if x is y or (not is_local and repr(x) == repr(y)):
        return x
    out = lowering.local(kind)
    steps.append(Instruction("select", (out,), (test, x, y), type=kind))
    return out
