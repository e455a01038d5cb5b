"""fusing: reductions of chains: what is reduced is computed meanwhile, never an array.

Along the last axes a row becomes one number: floats are added in NumPy's order
(`eights.py`), the rest in any, which gives the same. Where axes come after those that
are reduced, the rows are put to one another, as NumPy does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.blocks import (
    choice,
    compute_into,
    in_blocks,
    new_array,
    part_of,
    row_of,
    rows,
    some_rows,
)
from runtime.backends.llvm.elements import element
from runtime.backends.llvm.keys import Keys
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Instruction,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.pieces import (
    all_of,
    flat,
    is_alike,
    is_one_piece,
    is_step_one,
    product,
    with_arrays,
)
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.values import machine_type

# The machine's operations on two ints, with a sign and without, or on two truths.
WORDS = {
    "add": ("add", "add"),
    "multiply": ("mul", "mul"),
    "maximum": ("smax", "umax"),
    "minimum": ("smin", "umin"),
    "logical_or": ("or", "or"),
    "logical_and": ("and", "and"),
}
# Numbers that a loop keeps in registers.
REGISTERS = 8
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


@dataclass(eq=False, slots=True)
class Fusion:
    """A reduction of what is computed meanwhile.

    name:   the ufunc's; value: what is reduced, of the result's dtype
    first, stop: its axes from the one on, before the other
    single: NumPy's loop over one row, into a place, from another, of so many elements
    """

    lowering: Lowering
    name: str
    value: Map
    first: int
    stop: int
    single: Any

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

    def is_possible(self) -> Operand:
        """Whether it can be done, as far as that is known before the run."""
        kind = self.dtype.kind
        if kind in "iub":
            return True
        if kind != "f" or (self.name == "multiply" and self.ends_rows):
            return False
        if not self.ends_rows:
            # Of one column NumPy makes a row.
            after = product(self.lowering, self.value.dims[self.stop :])
            if self.name in EXTREMES:
                return False
            if not isinstance(after, Local):
                return after != 1
            return self.lowering.compute("icmp ne", BIT, after, 1, type=INT)
        if self.stop - self.first == 1 or not self.is_in_pairs:
            return True
        # One row of all elements, which is one in memory, too.
        target = Array(self.dtype, 0, 0, self.value.dims, ())
        leaves = leaves_of(self.value)
        if self.first or not all(is_alike(one, target) for one in leaves):
            return False
        return all_of(self.lowering, [is_one_piece(self.lowering, x) for x in leaves])

    # What is written.

    def number(self) -> tuple[Operand, ...]:
        """All of it as one number."""
        kind, lowering = machine_type(self.dtype), self.lowering
        made = lowering.local(kind)

        def write(one_piece: bool) -> None:
            lowering.assign([made], [self._row(self.value, one_piece)])

        self._either(write)
        return (made,)

    def fill(self, target: Array) -> None:
        """Write all numbers into an array in one piece: of axes that are kept."""
        self._either(partial(self._outer, target, self.value, self.first))

    def _either(self, write: Any) -> None:
        """A version for rows that lie side by side, and one for any steps."""
        lowering, leaves = self.lowering, leaves_of(self.value)
        test = all_of(lowering, [is_step_one(lowering, leaf) for leaf in leaves])
        choice(lowering, test, partial(write, True), partial(write, False))()

    def _outer(self, target: Array, part: Any, axes: int, one_piece: bool) -> None:
        """A loop over each axis before."""
        if not axes:
            self._inner(target, part, one_piece)
            return
        index = self.lowering.local(INT)

        def row() -> None:
            rank = len(target.dims)
            made = row_of(self.lowering, target, index, rank)
            inner = part_of(self.lowering, part, index, len(part.dims))
            self._outer(made, inner, axes - 1, one_piece)

        self._loop(index, part.dims[0], row)

    def _loop(self, index: Local, size: Operand, write: Any) -> None:
        blocks = (self.lowering.within(write),)
        self.lowering.emit("for", index, size, blocks=blocks)

    def _inner(self, target: Array, part: Any, one_piece: bool) -> None:
        if not self.ends_rows:
            self._put_together(target, part, one_piece)
            return
        found = self._row(part, one_piece)
        self.lowering.emit("store", target.data, found, type=machine_type(self.dtype))

    # Rows that become numbers.

    def _row(self, part: Map, one_piece: bool) -> Operand:
        """The number that a row becomes."""
        if self.is_in_pairs:
            return self._in_pairs(part, one_piece)
        if self.dtype.kind == "f":
            return self._extreme(part, one_piece)
        kind = machine_type(self.dtype)
        word = WORDS[self.name][self.dtype.kind == "u"]
        (found,) = self._folded(
            part, one_piece, [(kind, first_of(self.name, self.dtype), word)], list
        )
        return found

    def _in_pairs(self, part: Map, one_piece: bool) -> Operand:
        """0.0 and the sum in pairs."""
        lowering, kind = self.lowering, machine_type(self.dtype)
        size = product(lowering, part.dims)
        if len(part.dims) > 1:
            pieces = {id(leaf): flat(leaf, size) for leaf in leaves_of(part)}
            flat_part = with_arrays(part, pieces, size)
            assert isinstance(flat_part, Map)
            part, one_piece = flat_part, True
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
        return lowering.compute("fadd", kind, 0.0, total, type=kind)

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

        self._each_row(part, 1, row)
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
            lowering.assign([made], [self._by_numpy(part, one_piece)])

        blocks = (lowering.within(by_numpy), lowering.within(lambda: None))
        lowering.emit("if", test, blocks=blocks)
        return made

    def _by_numpy(self, part: Map, one_piece: bool) -> Operand:
        """What NumPy's loop gives of a row that is made."""
        lowering = self.lowering
        made = new_array(lowering, self.dtype, part.dims)
        rows(lowering, made, part, one_piece)
        size = str(self.dtype.itemsize)
        cell = lowering.compute("buffer", POINTER, symbol=size)
        self.single(cell, made.data, product(lowering, part.dims))
        lowering.emit("release", made.object)
        return lowering.compute("load", machine_type(self.dtype), cell)

    # Rows that are put to one another.

    def _put_together(self, target: Array, part: Any, one_piece: bool) -> None:
        """Element by element into a row of the result."""
        lowering = self.lowering
        first = first_of(self.name, self.dtype)
        assert first is not None
        emitter = RowBlock(lowering, one_piece)
        if self._fits_registers(target) and not emitter.has_loops(part):
            self._in_registers(target, part, emitter, first)
            return
        compute_into(lowering, target, Number(self.dtype, False, (first,)))

        def put(part: Any) -> None:
            both = Map(self.dtype, target.dims, self.name, (target, part))
            size = target.dims[0]
            some_rows(lowering, target, both, 0, size, one_piece)

        self._each_row(part, len(target.dims), put)

    def _each_row(self, part: Any, rank: int, write: Any) -> None:
        """Loops over the first axes, down to `rank` of them."""
        if len(part.dims) == rank:
            write(part)
            return
        index = self.lowering.local(INT)

        def row() -> None:
            inner = part_of(self.lowering, part, index, len(part.dims))
            self._each_row(inner, rank, write)

        self._loop(index, part.dims[0], row)

    def _fits_registers(self, target: Array) -> bool:
        if len(target.dims) != 1 or self.dtype.kind == "c":
            return False
        (size,) = target.dims
        return not isinstance(size, Local) and size <= REGISTERS

    def _in_registers(
        self, target: Array, part: Any, emitter: RowBlock, first: Operand
    ) -> None:
        """A row of the result of few numbers, which are locals meanwhile."""
        lowering, dtype, kind = self.lowering, self.dtype, machine_type(self.dtype)
        totals = [lowering.local(kind) for _ in range(int(target.dims[0]))]  # type: ignore[arg-type] # its dims are known
        lowering.assign(totals, [first] * len(totals))

        def put(part: Any) -> None:
            for at, total in enumerate(totals):
                value = emitter.value(part, at, at, {})
                pair = [(dtype, (total,)), (dtype, value)]
                lowering.assign([total], element(lowering, self.name, dtype, pair))

        self._each_row(part, 1, put)
        for at, total in enumerate(totals):
            size = dtype.itemsize
            place = lowering.compute("address", POINTER, target.data, at, size)
            lowering.emit("store", place, total, type=kind)
