"""row_block: what is computed of one row: a loop over elements, and NumPy's own loops.

Operations of the machine are one loop over the elements of a block; a loop of NumPy's
runs over the block, from arrays or from buffers on the stack, into a buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.elements import DEAR, element
from runtime.backends.llvm.loops import (
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
from runtime.backends.llvm.pieces import Expression, counts_of, terms_of
from runtime.backends.llvm.repeats import repeated
from runtime.backends.llvm.row_lanes import ROWS
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.values import NotLowered, machine_type, parts_of
from runtime.structs import replace

BLOCK = 512  # elements
BUFFERS = 24  # on the stack at most


def _is_loop(value: Map) -> bool:
    return bool(value.symbol)


class RowBlock:
    """What is computed of a block of one row.

    buffers: of each Map that a loop of NumPy's has given, where its elements are
    """

    def __init__(self, lowering: Lowering, one_piece: bool) -> None:
        self.lowering = lowering
        self.one_piece = one_piece
        self.buffers: dict[int, Array] = {}

    def has_loops(self, value: Expression) -> bool:
        """Whether a loop of NumPy's is part of it."""
        return isinstance(value, Map) and counts_of(value).loops > 0

    def store(
        self, target: Array, value: Expression, start: Operand, length: Operand
    ) -> None:
        """Compute the elements from `start` on into the target."""
        if isinstance(value, Map) and value.symbol:
            place = self._moved(target, start)
            self._loop(value, place, start, length)
            return
        self.ready(value, start, length)
        self._elements(target, value, start, start, length)

    def ready(self, value: Expression, start: Operand, length: Operand) -> None:
        """Run the loops of NumPy's that an expression is made of, into buffers.

        What several loops read and takes long has a buffer, too.
        """
        if not self.has_loops(value):
            return
        terms = [one for one in terms_of(value) if isinstance(one, Map)]
        looped = [one for one in terms if one.symbol]
        kept = set[int]()
        if any(one.op in DEAR for one in terms):
            loops = [arg for one in looped for arg in one.args]
            kept = repeated([*loops, value], _is_loop, lambda one: True)
        elif all(id(one) in self.buffers for one in looped):
            return
        for one in terms:
            if id(one) in self.buffers or not (one.symbol or id(one) in kept):
                continue
            buffer = self._buffer(one.dtype)
            if one.symbol:
                self._loop(one, buffer, start, length)
            else:
                self._elements(buffer, one, 0, start, length)
            self.buffers[id(one)] = buffer

    def _buffer(self, dtype: np.dtype[Any]) -> Array:
        if len(self.buffers) >= BUFFERS:
            raise NotLowered("an expression of too many functions")
        count = str(BLOCK * dtype.itemsize)
        data = self.lowering.compute("buffer", POINTER, symbol=count)
        return Array(dtype, 0, data, (BLOCK,), (dtype.itemsize,), True)

    def _loop(self, value: Map, place: Array, start: Operand, length: Operand) -> None:
        """NumPy's loop over the block, into `place`."""
        operands: list[Operand] = [length]
        for arg in value.args:
            array = self._operand(arg, start, length)
            operands += [array.data, array.strides[0] if array.strides else 0]
        operands += [place.data, place.strides[0] if place.strides else 0]
        made = Instruction("numpys", (), tuple(operands), symbol=value.symbol)
        self.lowering.block.instructions.append(made)

    def _operand(self, arg: Expression, start: Operand, length: Operand) -> Array:
        """An operand of NumPy's loop as memory."""
        if isinstance(arg, Array):
            return self._moved(arg, start)
        self.ready(arg, start, length)
        if isinstance(arg, Map) and id(arg) in self.buffers:
            return self.buffers[id(arg)]
        buffer = self._buffer(arg.dtype)
        if isinstance(arg, Number):
            self.put(buffer, 0, arg.parts)
            return replace(buffer, strides=(0,))
        self._elements(buffer, arg, 0, start, length)
        self.buffers[id(arg)] = buffer
        return buffer

    def _moved(self, array: Array, start: Operand) -> Array:
        """The array from an element on."""
        if not array.dims:
            return array
        stride = self._stride(array)
        if start == 0 and not isinstance(start, Local):
            return replace(array, strides=(stride,))
        data = self.lowering.compute("address", POINTER, array.data, start, stride)
        return replace(array, data=data, strides=(stride,))

    def _stride(self, array: Array) -> Operand:
        if not array.dims or (
            array.dims[-1] == 1 and not isinstance(array.dims[-1], Local)
        ):
            return 0
        return array.dtype.itemsize if self.one_piece else array.strides[-1]

    def _elements(
        self,
        target: Array,
        value: Expression,
        to: Operand,
        start: Operand,
        length: Operand,
    ) -> None:
        """The elements, from `start` on, into the target from `to` on."""

        def element(at: Operand, index: Operand) -> None:
            parts = self.value(value, at, index, {})
            self.put(target, plus(self.lowering, to, index), parts)

        # Of any strides a lane has an element of its own, where that gains something.
        self.each(start, length, element, "" if self.one_piece else ROWS)

    def each(
        self,
        start: Operand,
        length: Operand,
        write: Callable[[Operand, Operand], None],
        kind: str = "",
    ) -> None:
        """One loop over elements: `write` is given where in the row, and in the block.

        The turns depend on one another by no memory.
        """
        index = self.lowering.local(INT)
        blocks = (
            self.lowering.within(
                lambda: write(plus(self.lowering, start, index), index)
            ),
        )
        # Strides of any size gain little by LLVM's vectors, which cost much to compile.
        kind = "parallel" if self.one_piece else kind
        self.lowering.emit("for", index, length, blocks=blocks, type=kind)

    def value(
        self,
        value: Expression,
        at: Operand,
        in_block: Operand,
        known: dict[int, tuple[Operand, ...]],
    ) -> tuple[Operand, ...]:
        """The parts of one element: at `at` in a row, at `in_block` in a buffer."""
        if isinstance(value, Number):
            return value.parts
        found = known.get(id(value))
        if found is not None:
            return found
        if isinstance(value, Array):
            found = self._load(value, at)
        elif id(value) in self.buffers:
            found = self._load(self.buffers[id(value)], in_block)
        else:
            args = [
                (arg.dtype, self.value(arg, at, in_block, known)) for arg in value.args
            ]
            found = element(self.lowering, value.op, value.dtype, args)
        known[id(value)] = found
        return found

    def _load(self, array: Array, at: Operand) -> tuple[Operand, ...]:
        kind = machine_type(array.dtype)
        return tuple(
            self.lowering.compute("load", kind, place)
            for place in self._places(array, at)
        )

    def put(self, array: Array, at: Operand, parts: Sequence[Operand]) -> None:
        """Write one element."""
        kind = machine_type(array.dtype)
        for place, part in zip(self._places(array, at), parts, strict=True):
            self.lowering.emit("store", place, part, type=kind)

    def _places(self, array: Array, at: Operand) -> list[Operand]:
        """Where the parts of an element are."""
        lowering, count = self.lowering, parts_of(array.dtype)
        first = array.data
        stride = self._stride(array)
        if stride != 0 or isinstance(stride, Local):
            first = lowering.compute("address", POINTER, first, at, stride)
        size = array.dtype.itemsize // count
        more = range(1, count)
        return [
            first,
            *(lowering.compute("address", POINTER, first, n, size) for n in more),
        ]
