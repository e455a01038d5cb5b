"""row_lanes: which loops over rows are run for several rows at once, a lane for each.

Along a row that is short, or whose sum goes on from one element to the next, there is
nothing for vectors. The rows are independent, so each lane has a row of its own. What
the turns have in common stays one number; what moves evenly from row to row (places,
the rows' numbers) is that of the first lane and a step; all else is a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import ClassVar

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand
from runtime.structs import field, struct

# The word for a loop over rows, of which none reads what another one writes.
ROWS = "rows"
# Rows of so many elements are added with all of these side by side, then across.
SUMMED = (8, 16)
# Of so many elements a row has vectors of its own.
SHORT = 8
# What a load from places that are apart takes, in operations of as many lanes.
GATHER = 3
# What takes longer than other operations, in these.
DEAR = {"fdiv": 8, "sqrt": 8, "own": 20}
PLAIN = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "fneg", "fcmp", "icmp", "select", "own"}
    | {"add", "sub", "mul", "and", "or", "xor", "shl", "ashr", "lshr"}
    | INTRINSICS
    | CONVERSIONS
)


class Kind(IntEnum):
    """What a local is to the lanes."""

    ONE = 0  # one number for all of them
    MOVING = 1  # the first lane's, and a step from each to the next
    MANY = 2  # a number for each


class _Unfit(Exception):
    """This is not done in lanes."""


@struct(eq=False, frozen=False)
class RowLanes:
    """A loop over rows, as it is in lanes.

    kinds: of the locals that are not one number for all lanes
    steps: of places that move, from one row to the next, if it is one number
    """

    loop: Instruction
    kinds: dict[Operand, Kind]
    steps: dict[Operand, Operand] = field(default_factory=dict)

    def kind(self, operand: Operand) -> Kind:
        """What an operand is."""
        return self.kinds.get(operand, Kind.ONE) if _is_local(operand) else Kind.ONE

    def widest(self) -> int:
        """The bytes of the largest number of which a vector is made."""
        found = [one for one, kind in self.kinds.items() if kind == Kind.MANY]
        types = [one.type for one in found if isinstance(one, Local)]
        return max((SIZES[kind] for kind in types), default=8)

    # What the locals are.

    def settle(self) -> None:
        """Find out what each local is, by what it is made of; _Unfit: not in lanes."""
        before = -1
        while before != sum(self.kinds.values()):
            before = sum(self.kinds.values())
            self._block(self.loop.blocks[0])

    def _block(self, block: Block) -> None:
        for one in block.instructions:
            if one.exit is not None:
                raise _Unfit
            find = self._FINDERS.get(one.op)
            if find is not None:
                find(self, one)
            elif one.op.split(" ")[0] in PLAIN:
                self._raise(one.outs, self._made_of(one.args))
            else:
                raise _Unfit

    def _raise(self, outs: Iterable[Local], kind: Kind) -> None:
        for out in outs:
            self.kinds[out] = max(kind, self.kind(out))

    def _made_of(self, args: Iterable[Operand]) -> Kind:
        """What is computed of numbers; what moves is for places alone."""
        kinds = {*map(self.kind, args)}
        if Kind.MOVING in kinds:
            raise _Unfit
        return max(kinds, default=Kind.ONE)

    def _sum(self, one: Instruction) -> None:
        """Ints that move still do where others are added."""
        is_even = one.type == "i64" and Kind.MANY not in map(self.kind, one.args)
        kind = max(map(self.kind, one.args)) if is_even else self._made_of(one.args)
        self._raise(one.outs, kind)

    def _product(self, one: Instruction) -> None:
        a, b = map(self.kind, one.args)
        is_even = one.type == "i64" and Kind.ONE in (a, b)
        self._raise(one.outs, max(a, b) if is_even else self._made_of(one.args))

    def _same(self, one: Instruction) -> None:
        self._raise(one.outs, self.kind(one.args[0]))

    def _move(self, one: Instruction) -> None:
        for arg, out in zip(one.args, one.outs, strict=True):
            self._raise([out], self._made_of([arg]))

    def _address(self, one: Instruction) -> None:
        data, index, stride = map(self.kind, one.args)
        if Kind.MANY in (data, index) or stride != Kind.ONE:
            raise _Unfit
        self._raise(one.outs, max(data, index))
        if data == Kind.ONE:
            self.steps[one.outs[0]] = one.args[2]
        elif index == Kind.ONE and one.args[0] in self.steps:
            self.steps[one.outs[0]] = self.steps[one.args[0]]

    def _load(self, one: Instruction) -> None:
        kind = self.kind(one.args[0])
        self._raise(one.outs, Kind.MANY if kind == Kind.MOVING else kind)

    def _store(self, one: Instruction) -> None:
        place, value = map(self.kind, one.args)
        # What moves is known of the first lane: it is for places, no vector.
        if place != Kind.MOVING or value == Kind.MOVING:
            raise _Unfit

    def _for(self, one: Instruction) -> None:
        _, size = one.args
        is_long = isinstance(size, Local) or size > SHORT
        if self.kind(size) != Kind.ONE or (one.type and is_long):
            raise _Unfit
        self._block(one.blocks[0])

    def _pairwise(self, one: Instruction) -> None:
        count, ready = one.args[0], one.blocks[0]
        if isinstance(count, Local) or count not in SUMMED or ready.instructions:
            raise _Unfit
        self._raise(one.outs, Kind.MANY)

    _FINDERS: ClassVar[dict[str, Callable[[RowLanes, Instruction], None]]] = {
        **dict.fromkeys(("add", "sub"), _sum),
        "mul": _product,
        "same": _same,
        "move": _move,
        "address": _address,
        "load": _load,
        "store": _store,
        "for": _for,
        "pairwise": _pairwise,
    }

    # Whether it is worth it.

    def is_worth(self) -> bool:
        """Whether a loop inside computes more than it reads from here and there."""
        inner = [one for one in self.loop.blocks[0].walk() if one.blocks]
        if any(one.op == "pairwise" for one in inner):
            return True
        loops = [one for one in inner if one.args[1] != 1] or [self.loop]
        work = sum(map(self._work, loops))
        return work > GATHER * sum(map(self._gathers, loops))

    def _work(self, loop: Instruction) -> int:
        """The operations of a turn that have a vector."""
        body = loop.blocks[0].instructions
        done = [one for one in body if one.op.split(" ")[0] in PLAIN]
        many = [one for one in done if self.kind(one.outs[0]) == Kind.MANY]
        return sum(DEAR.get(one.op, 1) for one in many)

    def _gathers(self, loop: Instruction) -> int:
        """The places at which the lanes read or write in each turn, far apart."""
        moving: set[Operand] = {loop.args[0]}
        found = 0
        for one in loop.blocks[0].instructions:
            if moving.isdisjoint(one.args) and one.op != "move":
                continue
            moving.update(one.outs)
            is_place = one.op in ("load", "store")
            found += is_place and self._is_far(one)
        return found

    def _is_far(self, one: Instruction) -> bool:
        place, kind = one.args[0], one.type or one.outs[0].type
        is_moving = self.kind(place) == Kind.MOVING
        return is_moving and self.steps.get(place) != SIZES[kind]


def _is_local(operand: Operand) -> bool:
    return isinstance(operand, Local)


def of_loop(loop: Instruction) -> RowLanes | None:
    """How a loop over rows is run in lanes; None: it is not."""
    made = RowLanes(loop, {loop.args[0]: Kind.MOVING})
    try:
        made.settle()
    except _Unfit:
        return None
    return made if made.is_worth() else None
