"""stretches: loops over elements by index, many turns at once.

A pass over loop IR. A counted loop whose turns only read, compute and write numbers at
places that move with the counter, add up ints, or keep the largest or the smallest one,
becomes a loop of stretches. In each of them LLVM sees nothing but the elements, and
makes vectors, if it finds that the arrays do not meet and they lie in C's order; a
stretch of others is run as it was. Nothing in such a turn can fail, so nobody can tell
in which order what is apart was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.lines import RAISING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    TURNS,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.read_in_front import read_in_front
from runtime.backends.llvm.reads_ahead import ReadsAhead, reads_ahead, with_strides
from runtime.backends.llvm.straightened import is_all_wanted, meets_itself, straightened
from runtime.backends.llvm.sums_ahead import Ahead, sums_ahead
from runtime.backends.llvm.tried_ahead import tried_ahead

# Turns in a stretch: between two of them is seen whether the user interrupts.
LENGTH = 4096
# Turns of one whose elements are looked at first: they are still near when turns come
# to them, with those that are written (a first cache has 32 KB).
LOOKED_AT = 1024
# Fewer turns that may leave are done one by one.
FEW = 64
# Elements that lie farther from one another are written one by one, unless what takes
# long is computed for them.
SPREAD, LONG = 8, frozenset({"fdiv", "sqrt", "own"})
# What has vectors.
SIMPLE = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "sqrt", "add", "sub", "mul"}
    | {"same", "address", "load", "store", "sitofp", "sext", "zext", "fpext"}
    | {"fcmp", "icmp", "and", "or", "xor", "select", "if", "move"}
    | {"shl", "ashr", "lshr", "smin", "smax", "ctpop", "own"}
)
# What a processor notes something of.
NOTED = RAISING | {"own"}
# What hands on ints that are added up, and what adds to one: which operands are such.
# What keeps the larger one, or the smaller one, does so with nothing else.
_HANDS_ON = frozenset({"move", "same"})
_EXTREMES = frozenset({"smax", "smin"})
_ADDS = (
    *(("add", [True, False]), ("add", [False, True]), ("sub", [True, False])),
    *(("select", [False, *of]) for of in ([True, True], [True, False], [False, True])),
    *((op, of) for op in (*_EXTREMES, "or") for of in ([True, False], [False, True])),
)


def with_stretches(
    lowering: Lowering, function: Function, *, is_last: bool = False
) -> Function:
    """The function; its loops that can be are loops of stretches.

    is_last: also those that only add up ints of numbers
    """
    pass_ = _Pass(lowering, _steps_in_order(lowering), function.warns, is_last)
    pass_.block(function.body)
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
    for made, (one, other) in lowering.alike.items():
        if one in found and found[one] == found.get(other):
            found[made] = found[one]
    return found


class _Pass:
    """The pass: what strides are in C's order, and whether NumPy would warn.

    is_last: loops that reach no memory are loops of stretches, too
    """

    def __init__(
        self,
        lowering: Lowering,
        known: dict[Operand, int],
        warns: bool,
        is_last: bool,
    ) -> None:
        self.lowering, self.known, self.warns = lowering, known, warns
        self.is_last = is_last

    def block(self, block: Block) -> None:
        """All loops in a block; what lanes run ahead is for vectors, and stays."""
        for one in list(block.instructions):
            for inner in one.blocks[one.op == "lanes" :]:
                self.block(inner)
            if one.op == "while":
                self._loop(one)

    def _loop(self, loop: Instruction) -> None:
        counter, end = counted(loop)
        body = loop.blocks[1].instructions
        polls = [one for one in body if one.op == "poll"]
        last = body[-1] if body else None
        if counter is None or end is None or last is None or counter not in last.outs:
            return
        ends = dict(zip(last.outs, last.args, strict=True))
        del ends[counter]
        steps = [one for one in body if one.op != "poll" and one is not last]
        once: list[Instruction] = []
        ahead = _ahead(self.lowering, steps, ends, counter) if polls else None
        if ahead is not None:
            steps, ends = ahead.steps, ahead.ends
        steps = read_in_front(steps, counter)
        has_branches = any(one.op == "if" for one in steps)
        if has_branches and meets_itself(Block(steps)):
            return  # LLVM would make no vectors, and several turns are faster
        if has_branches and self.warns:
            if not is_all_wanted(steps):
                return
            steps, once = straightened(self.lowering, steps)
        try:
            turns = _Turns(steps, counter, ends, self.known, self.warns)
        except _Unfit:
            return
        if not turns.matters or not (turns.strides or self.is_last):
            return
        if ends:
            carried = tuple(ends), tuple(ends.values())
            steps.append(Instruction("move", *carried))
        each = [one for one in body if one.op != "poll"]
        if isinstance(ahead, ReadsAhead):
            ahead.strides = turns.strides
        way = _Way(counter, end, steps, turns.strides, ahead, each)
        write = partial(_stretch, self.lowering, way)
        block = self.lowering.within(write)
        stretch = Block([*polls, *once, *block.instructions])
        loop.blocks = (loop.blocks[0], stretch)


def _ahead(
    lowering: Lowering,
    steps: list[Instruction],
    ends: dict[Local, Operand],
    counter: Local,
) -> Ahead | ReadsAhead | None:
    """The turns without ways out, where it is seen otherwise that none is taken."""
    found = sums_ahead(lowering, steps, ends)
    if found is not None:
        return found
    of = steps, ends, counter
    return reads_ahead(*of) or tried_ahead(*of)


class _Unfit(Exception):
    """A turn that does something else."""


class _Turns:
    """What a turn does, step by step.

    moving:  ints that are the counter and a number, and the places that these are of
    strides: what the strides of those are where all lies in C's order
    sums:    ints that turns add up, and nothing else is computed of; or of which they
             keep the largest or the smallest one: by which word they do that
    matters: whether it does anything that vectors do faster; is_light: whether that
             takes no long time
    known:   what is said of strides
    """

    def __init__(
        self,
        steps: list[Instruction],
        counter: Local,
        ends: Mapping[Local, Operand],
        known: dict[Operand, int],
        warns: bool,
    ) -> None:
        self.known, self.warns = known, warns
        inside = [*Block(steps).walk()]
        self.written = {out for one in inside for out in one.outs} | {counter, *ends}
        self.moving: dict[Operand, Operand] = {counter: 0}
        self.strides: dict[Operand, int] = {}
        self.sums: dict[Operand, str] = {one: "" for one in ends if one.type == INT}
        self.is_light = LONG.isdisjoint(one.op for one in inside)
        self.matters = bool(ends) or any(one.op == "store" for one in inside)
        if not self.sums.keys() >= ends.keys() or any(
            counter in one.outs for one in inside
        ):
            raise _Unfit
        self._block(steps, is_inside=False)
        if not self.sums.keys() >= {*ends.values()}:
            raise _Unfit

    def _block(self, steps: Iterable[Instruction], *, is_inside: bool) -> None:
        """Steps one after the other; those in a branch are not done in all turns."""
        for one in steps:
            if one.op.split(" ")[0] not in SIMPLE or one.exit:
                raise _Unfit
            if is_inside and self.warns and one.op in NOTED:
                raise _Unfit  # which vectors would do in all turns, and be noted
            self._add_up(one)
            if one.op == "address":
                self._address(one)
            elif one.op in ("load", "store"):
                self._access(one)
            elif one.op in ("add", "sub", "same"):
                self._sum(one)
            for block in one.blocks:
                self._block(block.instructions, is_inside=True)

    def _add_up(self, one: Instruction) -> None:
        """Follow what is added up: anything else that reads it needs turns before."""
        read = [arg in self.sums for arg in one.args]
        if not any(read):
            return
        if one.op in _HANDS_ON:
            for out, arg in zip(one.outs, one.args, strict=True):
                if arg in self.sums:
                    self._is_added(out, [self.sums[arg], self.sums.get(out, "")])
        elif (one.op, read) in _ADDS:
            word = "add" if one.op == "sub" else one.op
            words = [self.sums[arg] for arg in one.args if arg in self.sums]
            self._is_added(one.outs[0], [*words, "" if one.op == "select" else word])
        else:
            raise _Unfit

    def _is_added(self, out: Local, words: Iterable[str]) -> None:
        """Note by which word an int was made of what turns add up."""
        first, *others = {*words} - {""} or {""}
        if others:
            raise _Unfit  # LLVM would make no vectors
        self.sums[out] = first

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
        if self._stays(place):
            return
        if place not in self.moving or kind not in SIZES:
            raise _Unfit
        stride, size = self.moving[place], SIZES[kind]
        if isinstance(stride, Local):
            size = self.known.get(stride, size)
            if self.strides.setdefault(stride, size) != size:
                raise _Unfit
        else:
            self.strides.setdefault(stride, int(stride))
        is_far = abs(self.strides.get(stride, 0)) > SPREAD * SIZES[kind]
        if one.op == "store" and is_far and self.is_light:
            raise _Unfit  # several turns written one after the other are faster


class _Way(NamedTuple):
    """How a stretch is done: its turns, and those that may leave, if it is ahead."""

    counter: Local
    end: Operand
    steps: list[Instruction]
    strides: dict[Operand, int]
    ahead: Ahead | ReadsAhead | None
    each: list[Instruction]


def _stretch(lowering: Lowering, way: _Way) -> None:
    """The turns of one stretch; the counter is behind them then."""
    counter = way.counter
    room = lowering.compute("sub", INT, way.end, counter, type=INT)
    is_looked_at = isinstance(way.ahead, ReadsAhead)
    most = LOOKED_AT if is_looked_at else LENGTH
    count = lowering.compute("smin", INT, room, most)
    first, after = lowering.local(INT), lowering.local(INT)
    lowering.assign([first], [counter])
    lowering.assign([after], [lowering.compute("add", INT, first, count, type=INT)])
    is_whole = _without_gaps(lowering, way.strides)
    in_order = partial(_many, lowering, way, first, count, way.strides)

    def one_by_one() -> None:
        lowering.assign([counter], [first])
        verdict = lowering.local(BIT)

        def head() -> None:
            test = lowering.compute("icmp slt", BIT, counter, after, type=INT)
            lowering.assign([verdict], [test])

        blocks = (lowering.within(head), Block(way.each))
        lowering.emit("while", verdict, blocks=blocks)

    if way.ahead is not None:
        is_many = lowering.compute("icmp sge", BIT, count, FEW, type=INT)
        is_long = lowering.all_of([is_many, is_whole])
        way.ahead.stretch(lowering, count, is_long, in_order, one_by_one)
    elif is_whole is True:
        in_order()
    else:
        apart = partial(_many, lowering, way, first, count, {})
        blocks = (lowering.within(in_order), lowering.within(apart))
        lowering.emit("if", is_whole, blocks=blocks)
    lowering.assign([counter], [after])


def _many(
    lowering: Lowering,
    way: _Way,
    first: Local,
    count: Operand,
    known: dict[Operand, int],
) -> None:
    """The turns of arrays that have these strides, for LLVM to make vectors of."""
    index = lowering.local(INT)
    place = Instruction("add", (way.counter,), (first, index), type=INT)
    turn = with_strides(Block([place, *way.steps]), known)
    lowering.emit("for", index, count, type=TURNS, blocks=(turn,))


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
