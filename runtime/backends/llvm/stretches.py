"""stretches: loops over elements by index, many turns at once.

A pass over loop IR. A counted loop whose turns only read, compute and write numbers at
places that move with the counter becomes a loop of stretches. In each of them LLVM sees
nothing but the elements, and makes vectors, if it finds that the arrays do not meet and
they lie in C's order; a stretch of others is run as it was. Nothing in such a turn can
fail, so nobody can tell in which order what is apart was done.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# Turns in a stretch: between two of them is seen whether the user interrupts.
LENGTH = 4096
# The word for a loop whose turns LLVM may do in vectors.
TURNS = "turns"
# What has vectors, and is not noted where it is not done: floats are compared apart.
SIMPLE = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "sqrt", "add", "sub", "mul"}
    | {"same", "address", "load", "store", "sitofp", "sext", "zext", "fpext"}
)


def with_stretches(lowering: Lowering, function: Function) -> Function:
    """The function; its loops that can be are loops of stretches."""
    _block(lowering, function.body, _steps_in_order(lowering))
    return function


def _steps_in_order(lowering: Lowering) -> dict[Operand, int]:
    """What strides are where an array lies in C's order, if that is known of it."""
    found: dict[Operand, int] = {}
    for value in lowering.values.values():
        if not isinstance(value, Array):
            continue
        step = value.dtype.itemsize
        for size, stride in zip(value.dims[::-1], value.strides[::-1], strict=True):
            # Of views of one array, the one with the most axes knows.
            found[stride] = max(found.get(stride, 0), step)
            if isinstance(size, Local):
                break
            step *= int(size)
    return found


def _block(lowering: Lowering, block: Block, known: dict[Operand, int]) -> None:
    for one in list(block.instructions):
        for inner in one.blocks:
            _block(lowering, inner, known)
        if one.op == "while":
            _loop(lowering, one, known)


def _loop(lowering: Lowering, loop: Instruction, known: dict[Operand, int]) -> None:
    counter, end = counted(loop)
    body = loop.blocks[1].instructions
    polls = [one for one in body if one.op == "poll"]
    last = body[-1] if body else None
    if counter is None or end is None or last is None or last.outs != (counter,):
        return
    steps = [one for one in body if one.op != "poll" and one is not last]
    try:
        turns = _Turns(steps, counter, known)
    except _Unfit:
        return
    if any(one.op == "store" for one in steps) and turns.strides:
        write = partial(_stretch, lowering, counter, end, steps, turns.strides)
        block = lowering.within(write)
        loop.blocks = (loop.blocks[0], Block([*polls, *block.instructions]))


class _Unfit(Exception):
    """A turn that does something else."""


class _Turns:
    """What a turn does, step by step.

    moving:  ints that are the counter and a number, and the places that these are of
    strides: what the strides of those are where all lies in C's order
    known:   what is said of that
    """

    def __init__(
        self, steps: list[Instruction], counter: Local, known: dict[Operand, int]
    ) -> None:
        self.known = known
        self.written = {out for one in steps for out in one.outs} | {counter}
        self.moving: dict[Operand, Operand] = {counter: 0}
        self.strides: dict[Operand, int] = {}
        for one in steps:
            if one.op not in SIMPLE or one.exit or one.blocks or counter in one.outs:
                raise _Unfit
            if one.op == "address":
                self._address(one)
            elif one.op in ("load", "store"):
                self._access(one)
            elif one.op in ("add", "sub", "same"):
                self._sum(one)

    def _stays(self, operand: Operand) -> bool:
        """Whether it is the same in all turns."""
        return operand not in self.written

    def _sum(self, one: Instruction) -> None:
        if all(map(self._stays, one.args)):
            self.written.difference_update(one.outs)
            return
        first, *others = one.args
        if one.op == "add" and others[0] in self.moving:
            first, others = others[0], [first]
        if first in self.moving and all(map(self._stays, others)):
            self.moving[one.outs[0]] = self.moving[first]

    def _address(self, one: Instruction) -> None:
        base, index, stride = one.args
        if not self._stays(stride):
            raise _Unfit
        if self._stays(base) and self._stays(index):
            self.written.difference_update(one.outs)
        elif self._stays(base) and index in self.moving:
            self.moving[one.outs[0]] = stride
        elif base in self.moving and self._stays(index):
            self.moving[one.outs[0]] = self.moving[base]
            if isinstance(stride, Local) and stride in self.known:
                self.strides.setdefault(stride, self.known[stride])
        else:
            raise _Unfit

    def _access(self, one: Instruction) -> None:
        kind = one.type if one.op == "store" else one.outs[0].type
        place = one.args[0]
        if kind == BIT:
            raise _Unfit
        if self._stays(place):
            return
        stride, size = self.moving[place], SIZES[kind]
        if isinstance(stride, Local):
            size = self.known.get(stride, size)
            if self.strides.setdefault(stride, size) != size:
                raise _Unfit
        else:
            self.strides.setdefault(stride, int(stride))


def _stretch(
    lowering: Lowering,
    counter: Local,
    end: Operand,
    steps: list[Instruction],
    strides: dict[Operand, int],
) -> None:
    """The turns of one stretch; the counter is behind them then."""
    room = lowering.compute("sub", INT, end, counter, type=INT)
    count = lowering.compute("smin", INT, room, LENGTH)
    first, after = lowering.local(INT), lowering.local(INT)
    lowering.assign([first], [counter])
    lowering.assign([after], [lowering.compute("add", INT, first, count, type=INT)])
    is_whole = _without_gaps(lowering, strides)

    def turns(known: dict[Operand, int]) -> None:
        index = lowering.local(INT)
        made = [
            replace(one, args=tuple(known.get(arg, arg) for arg in one.args))
            if one.op == "address"
            else one
            for one in steps
        ]
        place = Instruction("add", (counter,), (first, index), type=INT)
        lowering.emit("for", index, count, type=TURNS, blocks=(Block([place, *made]),))

    blocks = (
        lowering.within(lambda: turns(strides)),
        lowering.within(lambda: turns({})),
    )
    if is_whole is True:
        lowering.block.instructions.extend(blocks[0].instructions)
    else:
        lowering.emit("if", is_whole, blocks=blocks)
    lowering.assign([counter], [after])


def _without_gaps(lowering: Lowering, strides: dict[Operand, int]) -> Operand:
    """Whether these strides are the sizes of what lies there."""
    found: Operand = True
    for stride, size in strides.items():
        if isinstance(stride, Local):
            test = lowering.compute("icmp eq", BIT, stride, size, type=INT)
            if found is not True:
                test = lowering.compute("and", BIT, found, test, type=BIT)
            found = test
    return found
