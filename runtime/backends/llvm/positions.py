"""positions: `argmax` and `argmin`, of what is computed meanwhile.

The first of the largest, whatever the order in memory; NumPy takes a NaN for larger,
and smaller, than all else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array
from runtime.backends.llvm.blocks import choice
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.few import at_index
from runtime.backends.llvm.keys import Keys
from runtime.backends.llvm.loops import BIT, INT, Array, Local, Map, Operand
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.parts import in_blocks, part_of, row_of
from runtime.backends.llvm.pieces import all_of, is_folded, is_step_one
from runtime.backends.llvm.row_block import BLOCK, RowBlock
from runtime.backends.llvm.row_lanes import ROWS
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step
from runtime.structs import replace

# What is more extreme than the best so far; floats are compared by keys.
WORDS = {
    "argmax": {"i": "icmp sgt", "u": "icmp ugt", "b": "icmp ugt", "f": "icmp sgt"},
    "argmin": {"i": "icmp slt", "u": "icmp ult", "b": "icmp ult", "f": "icmp slt"},
}
POSITIONS = np.dtype(np.intp)
# Elements of a row that is searched block by block.
LONG = 128


class Search:
    """One search along an axis, or through all elements, under construction."""

    def __init__(self, lowering: Lowering, step: Step) -> None:
        self.lowering = lowering
        self.words = WORDS[step.node.op.name]
        value: Any = lowering.operand(step.inputs[0])
        if isinstance(value, Map) and (
            RowBlock(lowering, True).has_loops(value) or is_folded(value)
        ):
            value = whole(lowering, step.inputs[0])
        if not isinstance(value, Array | Map) or value.dtype.kind not in "biuf":
            raise NotLowered("a search of no real numbers")
        self.value = value
        self.keys = Keys(lowering, value.dtype) if value.dtype.kind == "f" else None
        self.kind = self.keys.type if self.keys else machine_type(value.dtype)
        axis = step.node.attributes.get("axis")
        self.axis = None if axis is None else axis % len(value.dims)
        searched = value.dims if self.axis is None else [value.dims[self.axis]]
        # The position of one element is known, whatever it is.
        self.is_one = all(not isinstance(n, Local) and n == 1 for n in searched)
        for size in searched:
            # Of nothing there is no largest: Python says so.
            if isinstance(size, Local):
                empty = lowering.compute("icmp eq", BIT, size, 0, type=INT)
                lowering.leave_if(empty)
            elif size == 0:
                raise NotLowered("a search of nothing")

    def number(self) -> Local:
        """The position among all elements, in C's order."""
        leaves = leaves_of(self.value)
        size = self.value.dims[-1]
        is_long = isinstance(size, Local) or size >= LONG
        if not is_long or self.is_one or self.value.dtype.kind == "b" or not leaves:
            return self._first(self.value)
        lowering, found = self.lowering, self.lowering.local(INT)
        test = all_of(lowering, [is_step_one(lowering, leaf) for leaf in leaves])
        ways = (self._by_blocks, self._first)
        assigns = [
            lambda way=way: lowering.assign([found], [way(self.value)]) for way in ways
        ]
        choice(lowering, test, *assigns)()
        return found

    def fill(self, target: Array) -> None:
        """Write the positions along the axis, for each index of the others."""
        self._outer(target, self.value, self.axis or 0)

    def _outer(self, target: Array, part: Any, axis: int) -> None:
        """A loop over each axis that stays: the first of them, as long as there is."""
        lowering = self.lowering
        if not target.dims:
            lowering.emit("store", target.data, self._first(part), type=INT)
            return
        index = lowering.local(INT)
        kept = 0 if axis else 1

        def row() -> None:
            inner = at_index(lowering, part, kept, index, keeps=False)
            made = row_of(lowering, target, index, len(target.dims))
            self._outer(made, inner, axis - 1 if axis else 0)

        blocks = (lowering.within(row),)
        lowering.emit("for", index, target.dims[0], blocks=blocks, type=ROWS)

    def _first(self, part: Map | Array) -> Local:
        """Where the most extreme is, in C's order."""
        lowering, dtype = self.lowering, part.dtype
        best, found, at = (lowering.local(kind) for kind in (self.kind, INT, INT))
        lowering.assign([best, found, at], [self._worst(), 0, 0])
        emitter = RowBlock(lowering, one_piece=False)

        def row(part: Any) -> None:
            if len(part.dims) > 1:
                index, rank = lowering.local(INT), len(part.dims)
                inner = partial(part_of, lowering, part, index, rank)
                blocks = (lowering.within(lambda: row(inner())),)
                lowering.emit("for", index, part.dims[0], blocks=blocks)
                return
            emitter.each(0, part.dims[0], partial(one, part))

        def one(part: Any, place: Operand, _: Operand) -> None:
            (value,) = emitter.value(part, place, place, {})
            if self.is_one and isinstance(part, Map):
                lowering.emit("use", value, type=machine_type(dtype))
            if self.keys:
                value = self._key(self.keys, value)
            test = lowering.compute(
                self.words[dtype.kind], BIT, value, best, type=self.kind
            )
            better = lowering.compute("select", self.kind, test, value, best)
            where = lowering.compute("select", INT, test, at, found)
            more = lowering.compute("add", INT, at, 1, type=INT)
            lowering.assign([best, found, at], [better, where, more])

        row(part)
        return found

    def _by_blocks(self, whole: Map | Array) -> Local:
        """The same of rows whose elements lie side by side, in vectors.

        Of each block the most extreme is found, and where it is only if it is the most
        extreme so far.
        """
        lowering = self.lowering
        best, found, before = (lowering.local(kind) for kind in (self.kind, INT, INT))
        lowering.assign([best, found, before], [self._worst(), 0, 0])
        extreme, first = lowering.local(self.kind), lowering.local(INT)
        emitter = RowBlock(lowering, one_piece=True)

        def row(part: Any) -> None:
            (size,) = part.dims
            in_blocks(lowering, True, size, partial(block, part))
            after = lowering.compute("add", INT, before, size, type=INT)
            lowering.assign([before], [after])

        def block(part: Any, start: Operand, length: Operand) -> None:
            lowering.assign([extreme, first], [self._worst(), BLOCK])
            emitter.each(start, length, partial(compared, part))
            test = self._is_better(extreme, best)
            blocks = (
                lowering.within(lambda: look(part, start, length)),
                lowering.within(lambda: None),
            )
            lowering.emit("if", test, blocks=blocks)

        def compared(part: Any, at: Operand, _: Operand) -> None:
            value = self._compared(emitter, part, at)
            test = self._is_better(value, extreme)
            better = lowering.compute("select", self.kind, test, value, extreme)
            lowering.assign([extreme], [better])

        def look(part: Any, start: Operand, length: Operand) -> None:
            look_at = partial(self._look, emitter, part, extreme, first)
            emitter.each(start, length, look_at)
            place = lowering.compute("add", INT, before, start, type=INT)
            place = lowering.compute("add", INT, place, first, type=INT)
            lowering.assign([best, found], [extreme, place])

        self._rows(whole, row)
        return found

    def _look(
        self,
        emitter: RowBlock,
        part: Any,
        extreme: Local,
        first: Local,
        at: Operand,
        index: Operand,
    ) -> None:
        """Note the place of an element in its block, if it is the first of these."""
        lowering, value = self.lowering, self._compared(emitter, part, at)
        same = lowering.compute("icmp eq", BIT, value, extreme, type=self.kind)
        place = lowering.compute("select", INT, same, index, BLOCK)
        least = lowering.compute("smin", INT, first, place, type=INT)
        lowering.assign([first], [least])

    def _rows(self, part: Any, write: Callable[[Any], None]) -> None:
        """What is written for each row, the last axis."""
        if len(part.dims) == 1:
            write(part)
            return
        lowering, rank = self.lowering, len(part.dims)
        index = lowering.local(INT)
        inner = partial(part_of, lowering, part, index, rank)
        blocks = (lowering.within(lambda: self._rows(inner(), write)),)
        lowering.emit("for", index, part.dims[0], blocks=blocks)

    def _compared(self, emitter: RowBlock, part: Any, at: Operand) -> Operand:
        """An element as it is compared."""
        (value,) = emitter.value(part, at, at, {})
        return self._key(self.keys, value) if self.keys else value

    def _is_better(self, value: Operand, best: Operand) -> Local:
        word = self.words[self.value.dtype.kind]
        return self.lowering.compute(word, BIT, value, best, type=self.kind)

    def _key(self, keys: Keys, value: Operand) -> Local:
        """A float's key: both zeros are one, any NaN is more extreme than all else."""
        lowering, kind = self.lowering, keys.type
        one = machine_type(self.value.dtype)
        bits = keys.bits(lowering.compute("fadd", one, value, 0.0, type=one))
        nan = keys.low if self.words is WORDS["argmin"] else keys.high
        is_nan = keys.is_nan(keys.size(bits))
        return lowering.compute("select", kind, is_nan, nan, keys.key(bits))

    def _worst(self) -> Operand:
        """What nothing is worse than: the first element may well be it."""
        dtype, is_least = self.value.dtype, self.words is WORDS["argmin"]
        if dtype.kind == "b":
            return is_least
        if self.keys:
            return self.keys.high if is_least else self.keys.low
        known = np.iinfo(dtype)
        return int(known.max if is_least else known.min)


def position(lowering: Lowering, step: Step) -> None:
    """`np.argmin(x, axis)`."""
    search, (variable,) = Search(lowering, step), step.outputs
    if variable.spec.shape == ():
        lowering.give(step, search.number())
        return
    dims, axis = list(search.value.dims), search.axis
    if axis is None:
        raise NotLowered("a position with dims")
    del dims[axis]
    sizes = list(dims)
    if step.node.attributes.get("keepdims"):
        sizes.insert(axis, 1)
    made = result_array(lowering, variable, POSITIONS, sizes)
    strides = list(made.strides)
    if len(sizes) > len(dims):
        del strides[axis]
    search.fill(replace(made, dims=tuple(dims), strides=tuple(strides)))
    give_array(lowering, step, made)


LOWER |= dict.fromkeys(WORDS, position)
OF_ARRAYS |= dict.fromkeys(WORDS, position)
