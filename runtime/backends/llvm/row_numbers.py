"""row_numbers: what rows become on the way, computed when their row is at hand.

`x - x.mean(-1, keepdims=True)` goes over each row twice, a softmax three times. The
passes over one row follow one another, so that it stays in the cache. What takes long
and several of them read is kept, in memory of the size of a row; the rest is computed
by each of them anew. A row that is too long for the stack has its place in an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.fused_rows import EXTREMES, Rows
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Folded,
    Instruction,
    Kept,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.parts import one_row
from runtime.backends.llvm.pieces import Expression, is_one, product, terms_of, times
from runtime.backends.llvm.repeats import repeated
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.values import machine_type
from runtime.structs import replace

# The bytes of all that is kept of a row: more of them are no part of the stack.
SHORT = 32 * 1024
# Where what is kept of a row begins.
ALIGNED = 64
BYTES = np.dtype(np.uint8)


def passes(value: Expression) -> list[Expression]:
    """What is gone through one after the other: what is reduced, and the value."""
    terms = terms_of(value)
    return [*(one.args[0] for one in terms if isinstance(one, Folded)), value]


def length_of(value: Expression) -> Operand:
    """The elements of a row, in the pass in which there are most, as far as known."""
    sizes = [one.dims[-1] for one in passes(value) if not isinstance(one, Number)]
    return next((size for size in sizes if not is_one(size)), 1)


def is_of_rows(one: Expression, value: Expression) -> bool:
    """Whether it has a row of its own for each row of a value."""
    if isinstance(one, Number) or isinstance(value, Number):
        return False
    pairs = [*zip(one.dims[:-1], value.dims[:-1], strict=False)]
    same_rank = len(one.dims) == len(value.dims)
    return same_rank and all(is_one(a) == is_one(b) for a, b in pairs)


# --- what is kept ---------------------------------------------------------------------
def _to_keep(value: Expression) -> set[int]:
    """The ids of what several passes read and takes long, and of what is to be memory.

    That is whose largest float is searched for: which one that is NumPy's loop says.
    """
    found = repeated(
        passes(value),
        lambda one: isinstance(one, Folded) or is_one(one.dims[-1]),
        lambda one: is_of_rows(one, value),
    )
    for term in terms_of(value):
        if not isinstance(term, Folded) or term.op not in EXTREMES:
            continue
        if term.dtype.kind == "f" and isinstance(term.args[0], Map):
            found.add(id(term.args[0]))
    return found


class Keeping:
    """The expression, with places for what is kept of its rows."""

    def __init__(self, lowering: Lowering, value: Expression, new: Any) -> None:
        self.lowering = lowering
        self.kept = _to_keep(value)
        terms = [one for one in terms_of(value) if id(one) in self.kept]
        self.offsets: dict[int, Operand] = {}
        total: Operand = 0
        for one in terms:
            assert isinstance(one, Map)
            self.offsets[id(one)] = total
            total = plus(lowering, total, self._bytes(one))
        self.total, self.short = total, self._is_short(total)
        self.object, self.data = lowering.local(POINTER), lowering.local(POINTER)
        if self.short is not True:
            lowering.emit("if", self.short, blocks=self._blocks(terms, new))
        self._made: dict[int, Expression] = {}
        self.value = self._of(value)

    def _bytes(self, one: Map) -> Operand:
        """Of a row, up to where the next one may begin."""
        size, item = one.dims[-1], one.dtype.itemsize
        if not isinstance(size, Local):
            return -(-int(size) * item // ALIGNED) * ALIGNED
        more = plus(self.lowering, times(self.lowering, size, item), ALIGNED - 1)
        return self.lowering.compute("and", INT, more, -ALIGNED, type=INT)

    def _is_short(self, total: Operand) -> Operand:
        if not isinstance(total, Local):
            return int(total) <= SHORT
        return self.lowering.compute("icmp sle", BIT, total, SHORT, type=INT)

    def _blocks(self, terms: list[Expression], new: Any) -> tuple[Any, Any]:
        """An array for what is kept of all rows, where a row is long."""
        lowering = self.lowering
        maps = [one for one in terms if isinstance(one, Map)]
        assert len(maps) == len(terms)
        rows = [product(lowering, one.dims[:-1]) for one in maps]

        def long() -> None:
            # What is kept of rows has as many of them, or one in place of some.
            count = rows[0]
            for other in rows[1:]:
                count = lowering.compute("smax", INT, count, other)
            made = new(lowering, BYTES, (count, self.total))
            targets, found = (self.object, self.data), (made.object, made.data)
            lowering.assign(targets, found)

        return lowering.within(lambda: None), lowering.within(long)

    def end(self) -> None:
        """Let go of the array."""
        if self.short is True:
            return
        lowering = self.lowering
        release = lowering.within(lambda: lowering.emit("release", self.object))
        blocks = (lowering.within(lambda: None), release)
        lowering.emit("if", self.short, blocks=blocks)

    def _of(self, value: Expression) -> Expression:
        if not isinstance(value, Map):
            return value
        found = self._made.get(id(value))
        if found is None:
            args = tuple(map(self._of, value.args))
            found = replace(value, args=args)
            if id(value) in self.kept:
                found = self._place(value, found)
            self._made[id(value)] = found
        return found

    def _place(self, value: Map, made: Map) -> Kept:
        offset, dims = self.offsets[id(value)], value.dims
        args: tuple[Any, ...] = (made,)
        if self.short is not True:
            strides: list[Operand] = [value.dtype.itemsize]
            step = self.total
            for size in reversed(dims[:-1]):
                strides.insert(0, 0 if is_one(size) else step)
                step = times(self.lowering, step, size)
            lies = (self.object, self.data, dims, tuple(strides), True)
            args = (made, Array(value.dtype, *lies))
        room = SHORT if isinstance(self.total, Local) else min(int(self.total), SHORT)
        return Kept(
            value.dtype, dims, "kept", args, short=self.short, offset=offset, room=room
        )


# --- one row --------------------------------------------------------------------------
class RowNumbers:
    """The passes over one row: what they give takes the place of what it is given for.

    found: by the expression
    """

    def __init__(self, lowering: Lowering, one_piece: bool) -> None:
        self.lowering = lowering
        self.one_piece = one_piece
        self.found: dict[int, Expression] = {}
        self.room: Operand | None = None

    def of(self, value: Expression) -> Expression:
        """The expression of a row, with numbers and memory for what the row gives."""
        if isinstance(value, Number):
            return value
        found = self.found.get(id(value))
        if found is None:
            found = self.found[id(value)] = self._of(value)
        return found

    def _of(self, value: Array | Map) -> Expression:
        if isinstance(value, Folded):
            return Number(value.dtype, False, (self._folded(value),))
        if isinstance(value, Kept):
            return self._kept(value)
        made: Array | Map = value
        if isinstance(value, Map):
            args = tuple(map(self.of, value.args))
            if any(a is not b for a, b in zip(args, value.args, strict=True)):
                made = replace(value, args=args)
        if all(map(is_one, made.dims)):
            return self._once(made)
        return made

    def _once(self, value: Array | Map) -> Number:
        """What is of one element: a number."""
        emitter = RowBlock(self.lowering, self.one_piece)
        emitter.ready(value, 0, 1)
        return Number(value.dtype, False, emitter.value(value, 0, 0, {}))

    def _folded(self, folded: Folded) -> Operand:
        """The number that a row is reduced to."""
        part = self.of(folded.args[0])
        assert isinstance(part, Array | Map)
        if folded.op in EXTREMES and folded.dtype.kind == "f":
            assert isinstance(part, Array)
            return self._extreme(folded, part)
        # What is made here asks it for dims and dtype only, which an array has too.
        rows: Any = Rows(self.lowering, folded.op, part, 0, 1)  # type: ignore[arg-type] # see above
        found: Operand = rows.row(part, self.one_piece)
        return found

    def _extreme(self, folded: Folded, part: Array) -> Operand:
        """By NumPy's loop, which begins with the first element."""
        lowering, kind = self.lowering, machine_type(folded.dtype)
        (stride,) = part.strides
        cell = lowering.compute("buffer", POINTER, symbol=str(folded.dtype.itemsize))
        first = lowering.compute("load", kind, part.data)
        lowering.emit("store", cell, first, type=kind)
        source = lowering.compute("address", POINTER, part.data, 1, stride)
        count = lowering.compute("sub", INT, part.dims[0], 1, type=INT)
        operands = (count, cell, 0, source, stride, cell, 0)
        made = Instruction("numpys", (), operands, symbol=folded.loop)
        lowering.block.instructions.append(made)
        return lowering.compute("load", kind, cell)

    def _kept(self, kept: Kept) -> Array:
        """The memory in which the row is."""
        lowering, dtype, (size,) = self.lowering, kept.dtype, kept.dims
        value = self.of(kept.args[0])
        if self.room is None:
            self.room = lowering.compute("buffer", POINTER, symbol=str(kept.room))
        data: Operand = self.room
        if kept.short is not True:
            place = kept.args[1]
            assert isinstance(place, Array)
            data = lowering.compute("select", POINTER, kept.short, data, place.data)
        data = lowering.compute("address", POINTER, data, kept.offset, 1)
        row = Array(dtype, 0, data, kept.dims, (dtype.itemsize,), True)
        one_row(lowering, row, value, 0, size, self.one_piece)
        return row
