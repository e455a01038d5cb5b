"""blocks: the loops that compute a Map into memory.

The last axis is gone through in blocks that fit into the cache. In a block, operations
of the machine are one loop over the elements; a loop of NumPy's runs over the block,
from arrays or from buffers on the stack, into a buffer. There is a version for memory
that lies in one piece, one for rows that do, and one for any strides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.backends.llvm.elements import element
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
from runtime.backends.llvm.maps import as_dtype, leaves_of, overlap
from runtime.backends.llvm.pieces import (
    Expression,
    all_of,
    flat,
    is_alike,
    is_one_piece,
    is_step_one,
    with_arrays,
)
from runtime.backends.llvm.values import NotLowered, machine_type, parts_of

BLOCK = 512  # elements
BUFFERS = 12  # on the stack at most


def new_array(
    lowering: Lowering, dtype: np.dtype[Any], dims: Sequence[Operand]
) -> Array:
    """An array of its own, its memory as it is found."""
    made = lowering.local(POINTER), lowering.local(POINTER)
    exit = lowering.exit()
    lowering.block.instructions.append(
        Instruction("new", made, tuple(dims), exit=exit, symbol=dtype.char)
    )
    strides: list[Operand] = []
    size: Operand = dtype.itemsize
    for length in reversed(dims):
        strides.insert(0, size)
        if isinstance(length, Local) or isinstance(size, Local):
            size = lowering.compute("mul", INT, size, length, type=INT)
        else:
            size = size * length
    return Array(dtype, *made, tuple(dims), tuple(strides))


def materialized(lowering: Lowering, value: Expression) -> Array:
    """An array with the elements of a Map; it lies as NumPy would lay it."""
    assert not isinstance(value, Number)
    for leaf in leaves_of(value):
        if len(leaf.dims) == len(value.dims) > 1:
            _leave_unless_rows_first(lowering, leaf)
    made = new_array(lowering, value.dtype, value.dims)
    compute_into(lowering, made, value)
    return made


def _leave_unless_rows_first(lowering: Lowering, leaf: Array) -> None:
    """NumPy lays a result as its operands lie: other orders are left to it."""
    for before, after in zip(leaf.strides, leaf.strides[1:], strict=False):
        if isinstance(before, Local) or isinstance(after, Local):
            lowering.leave_if(
                lowering.compute("icmp slt", BIT, before, after, type=INT)
            )
            lowering.leave_if(lowering.compute("icmp slt", BIT, after, 0, type=INT))


def store_map(lowering: Lowering, target: Array, value: Expression) -> None:
    """Write elements into a part of an array, as if all were computed before."""
    if isinstance(value, Number):
        compute_into(lowering, target, value)
        return
    value = as_dtype(lowering, value, target.dtype)
    assert not isinstance(value, Number)
    leaves = leaves_of(value)
    meets = overlap(lowering, target, leaves) if leaves else False

    def beside() -> None:
        made = new_array(lowering, target.dtype, value.dims)
        compute_into(lowering, made, value)
        _rows(lowering, target, made, 0, inner_is_one_piece=False)
        lowering.emit("release", made.object)

    def at_once() -> None:
        compute_into(lowering, target, value)

    if meets is False:
        at_once()
        return
    blocks = (lowering.within(beside), lowering.within(at_once))
    lowering.emit("if", meets, blocks=blocks)


def compute_into(lowering: Lowering, target: Array, value: Expression) -> None:
    """The loops: a version for how the memory lies."""
    arrays = [target, *leaves_of(value)]
    rank = len(target.dims)

    def general() -> None:
        _rows(lowering, target, value, 0, inner_is_one_piece=False)

    def by_rows() -> None:
        _rows(lowering, target, value, 0, inner_is_one_piece=True)

    def in_one_piece() -> None:
        size: Operand = 1
        for length in target.dims:
            size = lowering.compute("mul", INT, size, length, type=INT)
        pieces = {id(one): flat(one, size) for one in arrays}
        _rows(lowering, pieces[id(target)], with_arrays(value, pieces, size), 0, True)

    rows = all_of(lowering, [is_step_one(lowering, one) for one in arrays])
    chosen = _choice(lowering, rows, by_rows, general)
    # A part of an array hardly is in one piece where it has several dims.
    alike = all(is_alike(one, target) and not one.is_view for one in arrays)
    if rank > 1 and alike:
        piece = all_of(lowering, [is_one_piece(lowering, one) for one in arrays])
        chosen = _choice(lowering, piece, in_one_piece, chosen)
    chosen()


def _choice(
    lowering: Lowering, test: Operand, yes: Callable[[], None], no: Callable[[], None]
) -> Callable[[], None]:
    if not isinstance(test, Local):
        return yes if test else no

    def both() -> None:
        blocks = (lowering.within(yes), lowering.within(no))
        lowering.emit("if", test, blocks=blocks)

    return both


# --- rows -----------------------------------------------------------------------------
def _rows(
    lowering: Lowering,
    target: Array,
    value: Expression,
    axis: int,
    inner_is_one_piece: bool,
) -> None:
    """A loop over the first axis, of rows; over the last one, in blocks."""
    if len(target.dims) <= 1:
        _blocks(lowering, target, value, inner_is_one_piece)
        return
    index = lowering.local(INT)

    def row() -> None:
        inner = _row_of(lowering, target, index, len(target.dims))
        part = _part_of(lowering, value, index, len(target.dims))
        _rows(lowering, inner, part, axis + 1, inner_is_one_piece)

    blocks = (lowering.within(row),)
    lowering.emit("for", index, target.dims[0], blocks=blocks)


def _row_of(lowering: Lowering, array: Array, index: Operand, rank: int) -> Array:
    """The part of an array at an index of the first of `rank` axes."""
    if len(array.dims) < rank:
        return array
    data = array.data
    if isinstance(array.dims[0], Local) or array.dims[0] != 1:
        data = lowering.compute("address", POINTER, data, index, array.strides[0])
    return replace(
        array, data=data, dims=array.dims[1:], strides=array.strides[1:], is_view=True
    )


def _part_of(
    lowering: Lowering, value: Expression, index: Operand, rank: int
) -> Expression:
    if isinstance(value, Array):
        return _row_of(lowering, value, index, rank)
    if isinstance(value, Number):
        return value
    args = tuple(_part_of(lowering, arg, index, rank) for arg in value.args)
    dims = value.dims[1:] if len(value.dims) == rank else value.dims
    return replace(value, dims=dims, args=args)


def _blocks(
    lowering: Lowering, target: Array, value: Expression, one_piece: bool
) -> None:
    """One row, block by block where loops of NumPy's need buffers."""
    size = target.dims[0] if target.dims else 1
    emitter = _Block(lowering, one_piece)
    if not emitter.has_loops(value):
        emitter.store(target, value, 0, size)
        return
    count = lowering.compute("add", INT, size, BLOCK - 1, type=INT)
    count = lowering.compute("sdiv", INT, count, BLOCK, type=INT)
    number = lowering.local(INT)

    def block() -> None:
        start = lowering.compute("mul", INT, number, BLOCK, type=INT)
        left = lowering.compute("sub", INT, size, start, type=INT)
        length = lowering.compute("smin", INT, left, BLOCK)
        emitter.store(target, value, start, length)

    blocks = (lowering.within(block),)
    lowering.emit("for", number, count, blocks=blocks)


class _Block:
    """What is computed of a block of one row.

    buffers: of each Map that a loop of NumPy's has given, where its elements are
    """

    def __init__(self, lowering: Lowering, one_piece: bool) -> None:
        self.lowering = lowering
        self.one_piece = one_piece
        self.buffers: dict[int, Array] = {}

    def has_loops(self, value: Expression) -> bool:
        """Whether a loop of NumPy's is part of it."""
        if not isinstance(value, Map):
            return False
        return bool(value.symbol) or any(map(self.has_loops, value.args))

    def store(
        self, target: Array, value: Expression, start: Operand, length: Operand
    ) -> None:
        """Compute the elements from `start` on into the target."""
        if isinstance(value, Map) and value.symbol:
            place = self._moved(target, start)
            self._loop(value, place, start, length)
            return
        self._ready(value, start, length)
        self._elements(target, value, start, start, length)

    def _ready(self, value: Expression, start: Operand, length: Operand) -> None:
        """Run the loops of NumPy's that an expression is made of, into buffers."""
        if not isinstance(value, Map) or id(value) in self.buffers:
            return
        if value.symbol:
            buffer = self._buffer(value.dtype)
            self._loop(value, buffer, start, length)
            self.buffers[id(value)] = buffer
            return
        for arg in value.args:
            self._ready(arg, start, length)

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
        self._ready(arg, start, length)
        if isinstance(arg, Map) and id(arg) in self.buffers:
            return self.buffers[id(arg)]
        buffer = self._buffer(arg.dtype)
        if isinstance(arg, Number):
            self._put(buffer, 0, arg.parts)
            return replace(buffer, strides=(0,))
        self._elements(buffer, arg, 0, start, length)
        self.buffers[id(arg)] = buffer
        return buffer

    def _moved(self, array: Array, start: Operand) -> Array:
        """The array from an element on."""
        if not array.dims or (start == 0 and not isinstance(start, Local)):
            return array
        stride = self._stride(array)
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
        """One loop over the elements, from `start` on, into the target from `to` on."""
        lowering = self.lowering
        index = lowering.local(INT)

        def body() -> None:
            known: dict[int, tuple[Operand, ...]] = {}
            at = _sum(lowering, start, index)
            parts = self._value(value, at, index, known)
            self._put(target, _sum(lowering, to, index), parts)

        blocks = (lowering.within(body),)
        # Strides of any size gain nothing by vectors, which cost much to compile.
        kind = "parallel" if self.one_piece else ""
        lowering.emit("for", index, length, blocks=blocks, type=kind)

    def _value(
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
                (arg.dtype, self._value(arg, at, in_block, known)) for arg in value.args
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

    def _put(self, array: Array, at: Operand, parts: Sequence[Operand]) -> None:
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


def _sum(lowering: Lowering, a: Operand, b: Operand) -> Operand:
    if a == 0 and not isinstance(a, Local):
        return b
    if b == 0 and not isinstance(b, Local):
        return a
    return lowering.compute("add", INT, a, b, type=INT)
