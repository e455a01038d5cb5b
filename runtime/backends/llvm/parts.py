"""parts: expressions at an index of their first axis, and rows in blocks."""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.loops import INT, POINTER, Array, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import Expression
from runtime.backends.llvm.row_block import BLOCK, RowBlock
from runtime.backends.llvm.sharing import plus
from runtime.structs import replace


def row_of(lowering: Lowering, array: Array, index: Operand, rank: int) -> Array:
    """The part of an array at an index of the first of `rank` axes."""
    if len(array.dims) < rank:
        return array
    data = array.data
    if isinstance(array.dims[0], Local) or array.dims[0] != 1:
        data = lowering.compute("address", POINTER, data, index, array.strides[0])
    return replace(
        array, data=data, dims=array.dims[1:], strides=array.strides[1:], is_view=True
    )


def from_last(lowering: Lowering, array: Array) -> Array:
    """An array of one dim, from its last element to its first."""
    (size,), (step,) = array.dims, array.strides
    last = lowering.compute("sub", INT, size, 1, type=INT)
    data = lowering.compute("address", POINTER, array.data, last, step)
    back = lowering.compute("sub", INT, 0, step, type=INT)
    return replace(array, data=data, strides=(back,), is_view=True)


def part_of(
    lowering: Lowering, value: Expression, index: Operand, rank: int
) -> Expression:
    """The part of an expression at an index of the first of `rank` axes."""
    return _part_of(lowering, value, index, rank, {})


def _part_of(
    lowering: Lowering,
    value: Expression,
    index: Operand,
    rank: int,
    known: dict[int, Expression],
) -> Expression:
    if isinstance(value, Number):
        return value
    found = known.get(id(value))
    if found is not None:
        return found
    if isinstance(value, Array):
        found = row_of(lowering, value, index, rank)
    else:
        args = tuple(_part_of(lowering, a, index, rank, known) for a in value.args)
        dims = value.dims[1:] if len(value.dims) == rank else value.dims
        found = replace(value, dims=dims, args=args)
    known[id(value)] = found
    return found


def one_row(
    lowering: Lowering,
    target: Array,
    value: Expression,
    first: Operand,
    size: Operand,
    one_piece: bool,
) -> None:
    """Some of one row, block by block where loops of NumPy's need buffers."""
    emitter = RowBlock(lowering, one_piece)

    def block(start: Operand, length: Operand) -> None:
        emitter.store(target, value, plus(lowering, first, start), length)

    in_blocks(lowering, emitter.has_loops(value), size, block)


def in_blocks(
    lowering: Lowering,
    needed: bool,
    size: Operand,
    write: Callable[[Operand, Operand], None],
) -> None:
    """What `write` does from a start on for a length, for all of a row."""
    if not needed or (not isinstance(size, Local) and size <= BLOCK):
        write(0, size)
        return
    count = lowering.compute("add", INT, size, BLOCK - 1, type=INT)
    count = lowering.compute("sdiv", INT, count, BLOCK, type=INT)
    number = lowering.local(INT)

    def block() -> None:
        start = lowering.compute("mul", INT, number, BLOCK, type=INT)
        left = lowering.compute("sub", INT, size, start, type=INT)
        write(start, lowering.compute("smin", INT, left, BLOCK))

    blocks = (lowering.within(block),)
    lowering.emit("for", number, count, blocks=blocks)
