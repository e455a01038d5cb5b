"""fused_rows: what a row becomes by a reduction, computed as it is put together.

Floats are added in NumPy's order (`eights.py`), the rest in any, which gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.keys import Keys
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Instruction,
    Local,
    Map,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.narrow import Narrow, add_row, narrow_of
from runtime.backends.llvm.parts import in_blocks, part_of
from runtime.backends.llvm.pieces import (
    flat,
    product,
    with_arrays,
)
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.values import machine_type
from runtime.structs import struct

# The machine's operations on two ints, with a sign and without, or on two truths.
WORDS = {
    "add": ("add", "add"),
    "multiply": ("mul", "mul"),
    "maximum": ("smax", "umax"),
    "minimum": ("smin", "umin"),
    "logical_or": ("or", "or"),
    "logical_and": ("and", "and"),
}
EXTREMES = ("maximum", "minimum")


def first_of(name: str, dtype: np.dtype[Any]) -> bool | int | float | None:
    """What changes nothing that it is put to; None: there is no such number."""
    if name not in EXTREMES:
        number = name in ("multiply", "logical_and")
        return {"b": bool, "i": int, "u": int}.get(dtype.kind, float)(number)
    if dtype.kind not in "iu":
        return None
    known = np.iinfo(dtype)
    return int(known.min if name == "maximum" else known.max)


@struct(eq=False, frozen=False)
class Rows:
    """What rows of an expression become by a reduction.

    name:   the ufunc's; value: what is reduced, of the result's dtype
    first, stop: its axes from the one on, before the other
    alone:  gives what NumPy's loop makes of a row that has a NaN, or whose largest is a
            zero; None where such rows are to be NaN until it has done them
    """

    lowering: Lowering
    name: str
    value: Map
    first: int
    stop: int
    alone: Callable[[Map, bool], Operand] | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of what is reduced and of what comes out."""
        return self.value.dtype

    @property
    def ends_rows(self) -> bool:
        """Whether the last axes are reduced."""
        return self.stop == len(self.value.dims)

    @property
    def is_in_pairs(self) -> bool:
        """Whether NumPy adds a row in pairs."""
        return self.name == "add" and self.dtype.kind == "f" and self.ends_rows

    def row(self, part: Map, one_piece: bool) -> Operand:
        """The number that a row becomes."""
        if self.is_in_pairs:
            return self._in_pairs(part, one_piece)
        if self.dtype.kind == "f":
            return self._extreme(part, one_piece)
        how = narrow_of(self.name, part)
        emitter = RowBlock(self.lowering, one_piece)
        if how is not None and not emitter.has_loops(part):
            return self._narrow(part, emitter, how)
        kind = machine_type(self.dtype)
        word = WORDS[self.name][self.dtype.kind == "u"]
        (found,) = self._folded(
            part, one_piece, [(kind, first_of(self.name, self.dtype), word)], list
        )
        return found

    def _narrow(self, part: Map, emitter: RowBlock, how: Narrow) -> Operand:
        """The sum of truths, or of ints that are shorter than it."""
        lowering = self.lowering
        total = lowering.local(machine_type(self.dtype))
        lowering.assign([total], [0])
        self.each_row(part, 1, lambda row: add_row(lowering, emitter, row, how, total))
        return total

    def _in_pairs(self, part: Map, one_piece: bool) -> Operand:
        """0.0 and the sum in pairs."""
        part, one_piece = self.in_one_dim(part, one_piece)
        return self.after_zero(self.pairs(part, one_piece))

    def after_zero(self, total: Operand) -> Operand:
        """The sum that NumPy begins with 0.0."""
        kind = machine_type(self.dtype)
        return self.lowering.compute("fadd", kind, 0.0, total, type=kind)

    def in_one_dim(self, part: Map, one_piece: bool) -> tuple[Map, bool]:
        """All of it as one row; of several dims it is one in memory."""
        if len(part.dims) == 1:
            return part, one_piece
        size = product(self.lowering, part.dims)
        pieces = {id(leaf): flat(leaf, size) for leaf in leaves_of(part)}
        made = with_arrays(part, pieces, (size,))
        assert isinstance(made, Map)
        return made, True

    def pairs(self, part: Map, one_piece: bool) -> Operand:
        """The sum in pairs of a row."""
        lowering, kind = self.lowering, machine_type(self.dtype)
        (size,) = part.dims
        start, length, index, at = (lowering.local(INT) for _ in range(4))
        emitter, found = RowBlock(lowering, one_piece), lowering.local(kind)

        def element() -> None:
            (value,) = emitter.value(part, at, index, {})
            lowering.assign([found], [value])

        total = lowering.local(kind)
        made = Instruction(
            "pairwise",
            (total,),
            (size, start, length, index, at, found),
            (
                lowering.within(lambda: emitter.ready(part, start, length)),
                lowering.within(element),
            ),
            type=kind,
        )
        lowering.block.instructions.append(made)
        return total

    def _folded(
        self,
        part: Map,
        one_piece: bool,
        into: Sequence[tuple[str, Any, str]],
        of: Any,
    ) -> list[Local]:
        """All elements of a part put together, in any order.

        into: the types, firsts and operations of numbers; of: their operands of an
              element
        """
        lowering = self.lowering
        totals = [lowering.local(kind) for kind, _, _ in into]
        lowering.assign(totals, [first for _, first, _ in into])
        emitter = RowBlock(lowering, one_piece)
        is_many = emitter.has_loops(part)

        def row(part: Map) -> None:
            in_blocks(lowering, is_many, part.dims[0], partial(block, part))

        def block(part: Map, start: Operand, length: Operand) -> None:
            emitter.buffers.clear()
            emitter.ready(part, start, length)
            emitter.each(start, length, partial(element, part))

        def element(part: Map, at: Operand, index: Operand) -> None:
            values = of(emitter.value(part, at, index, {}))
            for total, value, (kind, _, word) in zip(totals, values, into, strict=True):
                after = lowering.compute(word, kind, total, value, type=kind)
                lowering.assign([total], [after])

        self.each_row(part, 1, row)
        return totals

    def _extreme(self, part: Map, one_piece: bool) -> Operand:
        """The largest, or smallest, float.

        Floats are compared by their bits, which raises no flags where one is NaN. Which
        zero and which NaN it is depends on NumPy's order: these are left to its loop.
        """
        lowering, keys = self.lowering, Keys(self.lowering, self.dtype)

        def of(parts: Sequence[Operand]) -> list[Operand]:
            bits = keys.bits(parts[0])
            return [keys.key(bits), keys.size(bits)]

        first = keys.low if self.name == "maximum" else keys.high
        into = [
            (keys.type, first, WORDS[self.name][0]),
            (keys.type, 0, "smax"),
        ]
        best, size = self._folded(part, one_piece, into, of)
        bits = keys.key(best)
        made = lowering.local(machine_type(self.dtype))
        lowering.assign([made], [keys.float_of(bits)])
        is_zero = lowering.compute("icmp eq", BIT, keys.size(bits), 0, type=keys.type)
        test = lowering.compute("or", BIT, keys.is_nan(size), is_zero, type=BIT)

        def by_numpy() -> None:
            found = self.alone(part, one_piece) if self.alone else keys.nan()
            lowering.assign([made], [found])

        self.only_if(test, by_numpy)
        return made

    def each_row(self, part: Any, rank: int, write: Any) -> None:
        """Loops over the first axes, down to `rank` of them."""
        if len(part.dims) == rank:
            write(part)
            return
        index = self.lowering.local(INT)

        def row() -> None:
            inner = part_of(self.lowering, part, index, len(part.dims))
            self.each_row(inner, rank, write)

        self.loop(index, part.dims[0], row)

    def loop(self, index: Local, size: Operand, write: Any, kind: str = "") -> None:
        blocks = (self.lowering.within(write),)
        self.lowering.emit("for", index, size, blocks=blocks, type=kind)

    def only_if(self, test: Operand, write: Callable[[], None]) -> None:
        blocks = (self.lowering.within(write), self.lowering.within(lambda: None))
        self.lowering.emit("if", test, blocks=blocks)
