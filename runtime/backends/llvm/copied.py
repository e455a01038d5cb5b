"""copied: parts of arrays that are copied into one row, as NumPy has a buffer for."""

from __future__ import annotations

from runtime.backends.llvm.blocks import compute_into, strides_of
from runtime.backends.llvm.loops import BIT, INT, POINTER, Array, Local, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import all_of, are_in_order, product

# Elements that are copied. NumPy takes 8192 of them at once, ours lie on the stack.
COPIED = 512


def is_short(lowering: Lowering, count: Operand) -> Operand:
    """Whether so many elements are copied into one row."""
    if isinstance(count, Local):
        return lowering.compute("icmp sle", BIT, count, COPIED, type=INT)
    return count <= COPIED


def may_be_copied(lowering: Lowering, array: Array) -> Operand:
    """Whether a part of an array lies in C's order, and is short."""
    short = is_short(lowering, product(lowering, array.dims))
    return all_of(lowering, [are_in_order(lowering, array), short])


def copied(lowering: Lowering, array: Array) -> Array:
    """All of its elements, which are short, as one row on the stack."""
    size = array.dtype.itemsize
    place = lowering.compute("buffer", POINTER, symbol=str(COPIED * size))
    strides = strides_of(lowering, array.dtype, array.dims)
    compute_into(lowering, Array(array.dtype, 0, place, array.dims, strides), array)
    count = product(lowering, array.dims)
    return Array(array.dtype, 0, place, (count,), (size,))
