"""fusing: reductions of chains: what is reduced is computed meanwhile, never an array.

Along the last axes a row becomes one number: floats are added in NumPy's order
(`eights.py`), the rest in any, which gives the same. Where axes come after those that
are reduced, the rows are put to one another, as NumPy does it. Threads share what is
reduced to several numbers, by the first axis, and many floats by halves (`halves.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime.backends.llvm.blocks import (
    choice,
    compute_into,
    new_array,
    rows,
    some_rows,
)
from runtime.backends.llvm.elements import element
from runtime.backends.llvm.fused_rows import EXTREMES, Rows, first_of
from runtime.backends.llvm.halves import MANY, Halves
from runtime.backends.llvm.keys import Keys
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.parts import part_of, row_of
from runtime.backends.llvm.pieces import (
    all_of,
    is_alike,
    is_one_piece,
    is_step_one,
    product,
)
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.row_lanes import ROWS
from runtime.backends.llvm.shared_folds import Into, shared_fold
from runtime.backends.llvm.sharing import cost_of, plus, share
from runtime.backends.llvm.values import machine_type
from runtime.structs import struct

# Numbers that a loop keeps in registers.
REGISTERS = 8
# What it takes to put an element to the others, in tenths of a nanosecond.
ADDED = 2


@struct(eq=False, frozen=False)
class Fusion(Rows):
    """A reduction of what is computed meanwhile.

    single: NumPy's loop over one row, into a place, from another, of so many elements
    is_shared: whether what is put together is all that there is, which threads share
    """

    single: Any = None
    is_shared: bool = False

    def __post_init__(self) -> None:
        self.alone = self.by_numpy_alone

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
            lowering.assign([made], [self._whole(one_piece)])

        self._either(write)
        return (made,)

    def _whole(self, one_piece: bool) -> Operand:
        """The number that all is; many floats are added by several threads."""
        if not self.is_in_pairs:
            self.is_shared = True
            found = self.row(self.value, one_piece)
            self.is_shared = False
            return found
        part, one_piece = self.in_one_dim(self.value, one_piece)
        (size,) = part.dims
        add = partial(self.pairs, one_piece=one_piece)
        if not isinstance(size, Local) and size < MANY:
            return self.after_zero(add(part))
        return self.after_zero(Halves(self.lowering, part, add).total())

    def _folded(self, part: Map, one_piece: bool, into: Into, of: Any) -> list[Local]:
        fold = partial(Rows._folded, self, one_piece=one_piece, into=into, of=of)
        if not self.is_shared or not part.dims:
            return fold(part)
        return shared_fold(self.lowering, part, into, fold)

    def fill(self, target: Array) -> None:
        """Write all numbers into an array in one piece: of axes that are kept."""
        if self.first:
            self._either(partial(self._each, target))
        else:
            self._either(partial(self._inner, target, self.value))

    def _either(self, write: Any) -> None:
        """A version for rows that lie side by side, and one for any steps."""
        lowering, leaves = self.lowering, leaves_of(self.value)
        test = all_of(lowering, [is_step_one(lowering, leaf) for leaf in leaves])
        choice(lowering, test, partial(write, True), partial(write, False))()

    def _each(self, target: Array, one_piece: bool) -> None:
        """All that the axes before lead to, of which threads take some."""
        size, *inner = self.value.dims

        def some(first: Operand, length: Operand) -> None:
            write = partial(self._inner, one_piece=one_piece)
            self._outer(target, self.value, self.first, write, first, length)

        # Other threads make no objects.
        leaves = self.name in EXTREMES and self.dtype.kind == "f"
        self.alone = None if leaves else self.by_numpy_alone
        share(self.lowering, size, inner, cost_of(self.value) + ADDED, True, some)
        if leaves:
            self.alone = self.by_numpy_alone
            mend = partial(self._mend, one_piece=one_piece)
            self._outer(target, self.value, self.first, mend, 0, size)

    def _outer(
        self,
        target: Array,
        part: Any,
        axes: int,
        write: Callable[[Array, Any], None],
        first: Operand,
        length: Operand,
    ) -> None:
        """A loop over each axis before; over some of the first."""
        if not axes:
            write(target, part)
            return
        index = self.lowering.local(INT)

        def row() -> None:
            at = plus(self.lowering, first, index)
            made = row_of(self.lowering, target, at, len(target.dims))
            inner: Any = part_of(self.lowering, part, at, len(part.dims))
            size = inner.dims[0] if axes > 1 else 0
            self._outer(made, inner, axes - 1, write, 0, size)

        self.loop(index, length, row, ROWS)

    def _inner(self, target: Array, part: Any, one_piece: bool) -> None:
        if not self.ends_rows:
            self._put_together(target, part, one_piece)
            return
        found = self.row(part, one_piece)
        self.lowering.emit("store", target.data, found, type=machine_type(self.dtype))

    def _mend(self, target: Array, part: Any, one_piece: bool) -> None:
        """The number of a row that has been left, by NumPy's loop."""
        lowering, keys = self.lowering, Keys(self.lowering, self.dtype)
        bits = lowering.compute("load", keys.type, target.data)

        def by_numpy() -> None:
            found, kind = self.by_numpy_alone(part, one_piece), machine_type(self.dtype)
            lowering.emit("store", target.data, found, type=kind)

        self.only_if(keys.is_nan(keys.size(bits)), by_numpy)

    def by_numpy_alone(self, part: Map, one_piece: bool) -> Operand:
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

        self.each_row(part, len(target.dims), put)

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

        self.each_row(part, 1, put)
        for at, total in enumerate(totals):
            size = dtype.itemsize
            place = lowering.compute("address", POINTER, target.data, at, size)
            lowering.emit("store", place, total, type=kind)
