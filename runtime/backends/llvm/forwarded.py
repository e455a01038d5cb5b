"""forwarded: what a turn leaves where the next one reads stays in a register.

A pass over loop IR. `y[i] = y[i - 1] + x[i]` waits in each turn until memory has what
was just written there. In many turns of a counted loop an element that lies one turn
before another one, and is read in each turn before anything is written, is what the
turn before has written or read there last, if it has on all its ways, and has written
nothing else after that.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from runtime.backends.llvm.ahead import BESIDE, last_move
from runtime.backends.llvm.chunks import CHUNK
from runtime.backends.llvm.few_turns import FEW_TURNS
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    TURNS,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# What may be in a turn: nothing else writes memory.
_WORDS = BESIDE - {"while"}


def with_forwarding(lowering: Lowering, function: Function) -> Function:
    """The function, whose chunks hand on what they have written."""
    function.body.rewrite(partial(_loop, lowering))
    return function


def _loop(lowering: Lowering, one: Instruction) -> list[Instruction]:
    if one.op == "while" and one.type in (CHUNK, FEW_TURNS):
        return [*_Turn(lowering, one, one.blocks[1], _counter(one)).before(), one]
    if one.op == "for" and one.type == TURNS:
        return [*_Turn(lowering, one, one.blocks[0], one.args[0]).before(), one]
    return [one]


class _Place(NamedTuple):
    """Where an element is: what stays the same in all turns, and how far it moves.

    ahead: of the counter; None where it does not move
    """

    of: Any
    ahead: int | None


class _Turn:
    """The turn of a loop that counts, and the places that it reaches."""

    def __init__(
        self,
        lowering: Lowering,
        loop: Instruction,
        body: Block,
        counter: Operand | None,
    ) -> None:
        self.lowering, self.loop = lowering, loop
        self.body, self.counter = body, counter
        inside = [*self.body.walk()]
        self.made = {out: one for one in inside for out in one.outs}
        self.words = {one.op.split(" ")[0] for one in inside}
        if loop.type == FEW_TURNS:
            self.words.discard("poll")  # it asks nothing there
        self.added: list[Instruction] = []

    def before(self) -> list[Instruction]:
        """What is done before the loop; its turn has changed then."""
        if self.counter is None:
            return []
        if "store" not in self.words or not self.words <= _WORDS:
            return []
        for load in self._early_loads():
            self._forward(load)
        return self.added

    def _early_loads(self) -> list[Instruction]:
        """What each turn reads before it writes."""
        found = []
        for one in self.body.instructions:
            steps = [one, *(inner for block in one.blocks for inner in block.walk())]
            # An index may lie within by what has been asked before.
            if any(step.op in ("leave_if", "store") for step in steps):
                break
            if one.op == "load":
                found.append(one)
        return found

    def _forward(self, load: Instruction) -> None:
        place = self.place(load.args[0])
        if place is None or place.ahead is None:
            return
        following = _Place(place.of, place.ahead + 1)
        way = _Way(self, following, load.outs[0].type)
        if not way.is_known(self.body, False) or not way.stores:
            return
        kept = self.lowering.local(load.outs[0].type)
        _note(self.body, way, kept)
        # At once: what else is read may be what the next turn is handed.
        self.body.instructions.remove(load)
        self.body.instructions.insert(0, Instruction("move", load.outs, (kept,)))
        block = self.lowering.within(lambda: self._first(load, kept))
        self.added += block.instructions

    def _first(self, load: Instruction, kept: Local) -> None:
        """What the first turn reads, if there is one."""
        lowering, loop = self.lowering, self.loop
        test = loop.args[0]
        if loop.op == "for":
            index, count = loop.args
            assert isinstance(index, Local)
            lowering.assign([index], [0])
            test = lowering.compute("icmp slt", BIT, index, count, type=INT)
        else:
            lowering.block.instructions += [*map(replace, loop.blocks[0].instructions)]
        steps: list[Instruction] = []
        copies: dict[Operand, Local] = {}
        self._copy(load.args[0], steps, copies)
        at = copies.get(load.args[0], load.args[0])
        steps.append(Instruction("load", (kept,), (at,)))
        none = Block([Instruction("move", (kept,), (0,))])
        lowering.emit("if", test, blocks=(Block(steps), none))

    def _copy(
        self, arg: Operand, steps: list[Instruction], copies: dict[Operand, Local]
    ) -> None:
        """The steps by which a place is computed, once more."""
        one = self.made.get(arg) if isinstance(arg, Local) else None
        if one is None or arg in copies or arg is self.counter:
            return
        for inner in one.args:
            self._copy(inner, steps, copies)
        (out,) = one.outs
        copies[out] = self.lowering.local(out.type)
        args = tuple(copies.get(inner, inner) for inner in one.args)
        steps.append(replace(one, outs=(copies[out],), args=args))

    def place(self, arg: Operand) -> _Place | None:
        """Where an address is; None where that is not known."""
        one = self.made.get(arg) if isinstance(arg, Local) else None
        if one is None:
            return _Place(_named(arg), None)
        if one.op == "same":
            return self.place(one.args[0])
        if one.op != "address":
            return None
        base, stride = self.place(one.args[0]), self.place(one.args[2])
        index = self._index(one.args[1])
        if base is None or stride is None or index is None or stride.ahead is not None:
            return None
        if base.ahead is not None and index.ahead is not None:
            return None  # it moves along a diagonal
        of = (base.of, index.of, stride.of, index.ahead is None)
        return _Place(of, base.ahead if index.ahead is None else index.ahead)

    def _index(self, arg: Operand) -> _Place | None:
        """An int: the counter and a number, or what stays the same."""
        if arg is self.counter:
            return _Place("counter", 0)
        one = self.made.get(arg) if isinstance(arg, Local) else None
        if one is None:
            return _Place(_named(arg), None)
        if one.op == "same":
            return self._index(one.args[0])
        if one.op not in ("add", "sub"):
            return None
        first, second = map(self._index, one.args)
        if one.op == "add" and first is not None and first.ahead is None:
            first, second = second, first
        if first is None or first.ahead is None or second is None:
            return None
        if second.ahead is not None:
            return None
        if isinstance(second.of, int):
            by = second.of if one.op == "add" else -second.of
            return first._replace(ahead=first.ahead + by)
        return first._replace(of=(first.of, one.op, second.of))


class _Way:
    """Whether a turn leaves at a place what is known, and where it becomes known.

    stores: whether it is ever written; there: the accesses of the place, by identity
    """

    def __init__(self, turn: _Turn, place: _Place, kind: str) -> None:
        self.turn, self.place, self.kind = turn, place, kind
        self.stores = False
        self.there: dict[int, Operand] = {}

    def is_known(self, block: Block, known: bool) -> bool:
        """Whether it is at the end of a block."""
        for one in block.instructions:
            if one.op == "if":
                sides = [self.is_known(inner, known) for inner in one.blocks]
                known = all(sides)
            elif one.op in ("load", "store"):
                known = self._access(one, known)
        return known

    def _access(self, one: Instruction, known: bool) -> bool:
        is_store = one.op == "store"
        kind = one.type if is_store else one.outs[0].type
        is_there = self.turn.place(one.args[0]) == self.place and kind == self.kind
        if is_there:
            self.there[id(one)] = one.args[1] if is_store else one.outs[0]
            self.stores |= is_store
            return True
        # What is written elsewhere may be the same memory.
        return known and not is_store


def _note(block: Block, way: _Way, kept: Local) -> None:
    """Keep what is written, or read, at the place."""
    made: list[Instruction] = []
    for one in block.instructions:
        for inner in one.blocks:
            _note(inner, way, kept)
        made.append(one)
        if id(one) in way.there:
            made.append(Instruction("move", (kept,), (way.there[id(one)],)))
    block.instructions[:] = made


def _counter(loop: Instruction) -> Local | None:
    """What counts the turns of a chunk by one."""
    moves = last_move(loop.blocks[1])
    tests = [one for one in loop.blocks[0].instructions if one.op == "icmp slt"]
    if len(tests) != 1 or not isinstance(tests[0].args[0], Local):
        return None
    counter = tests[0].args[0]
    made = {out: one for one in loop.blocks[1].instructions for out in one.outs}
    step: Operand | None = moves.get(counter)
    while isinstance(step, Local) and step in made and made[step].op == "same":
        step = made[step].args[0]
    one = made.get(step) if isinstance(step, Local) else None
    is_one = one is not None and one.op == "add" and one.args == (counter, 1)
    return counter if is_one else None


def _named(arg: Operand) -> Any:
    return arg if isinstance(arg, Local) else int(arg)
