"""gapped: reductions of parts of arrays: `x[i - 1 : i + 2, j - 1 : j + 2].max()`.

Axes that follow one another as C's do, but with gaps: NumPy goes through the last of
them by one loop, and through the others around it. Where the last one is kept, row is
put to row; where it is reduced, each row is, one after the other. Several rows of
floats NumPy copies into one, which it adds up in pairs; so is done here.
"""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm.arrays import load
from runtime.backends.llvm.blocks import compute_into, new_array
from runtime.backends.llvm.copied import copied, is_short
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Number,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.parts import row_of
from runtime.backends.llvm.pieces import all_of, are_in_order, times
from runtime.backends.llvm.reduced import Reduction
from runtime.backends.llvm.sharing import plus
from runtime.structs import replace


def is_known(found: Reduction) -> Operand:
    """Whether NumPy goes through the array in the order that is known here."""
    lowering, source = found.lowering, found.source
    (first, stop), rank = found.axes, len(source.dims)
    if found.is_own or rank < 2:
        return False
    tests = [are_in_order(lowering, source)]
    if _is_copied(found):
        return all_of(lowering, [*tests, is_short(lowering, found.reduced)])
    if found.ends_rows and stop - first > 1:
        if stop - first > 2:
            return False
        # Two axes that are one in memory NumPy goes through as one.
        whole = times(lowering, source.dims[-1], source.strides[-1])
        tests.append(_differ(lowering, source.strides[-2], whole))
        # The first row is read before it is asked whether there are more.
        tests.append(_differ(lowering, source.dims[-2], 0))
    if not (found.ends_rows and stop - first == 1):
        # Of one element the axis is none.
        tests.append(_differ(lowering, source.dims[-1], 1))
    return all_of(lowering, tests)


def _is_copied(found: Reduction) -> bool:
    """Whether NumPy copies what is added up, which is several rows of floats."""
    first, stop = found.axes
    is_sum = found.dtype.kind in "fc" and found.ufunc is np.add
    return is_sum and found.ends_rows and stop - first > 1


def _differ(lowering: Lowering, a: Operand, b: Operand) -> Operand:
    if isinstance(a, Local) or isinstance(b, Local):
        return lowering.compute("icmp ne", BIT, a, b, type=INT)
    return a != b


def write(found: Reduction) -> list[Operand]:
    """The operands of the result."""
    lowering, dtype, (first, stop) = found.lowering, found.dtype, found.axes
    few, is_mean = found.of_few(found.source.strides), found.name == "mean"
    if few is not None:
        return found.fused(few)
    if found.variable.spec.shape == ():
        place = lowering.compute("buffer", POINTER, symbol=str(dtype.itemsize))
        cell = Array(dtype, 0, place, (), ())
        _fold(found, cell, found.source)
        parts = load(lowering, cell)
        return list(found.divided(parts) if is_mean else parts)
    made = new_array(lowering, dtype, found.sizes)
    kept = [*range(len(found.sizes))]
    if len(kept) == len(found.source.dims):
        del kept[first:stop]
    dims = tuple(made.dims[axis] for axis in kept)
    strides = tuple(made.strides[axis] for axis in kept)
    _each(found, replace(made, dims=dims, strides=strides), found.source, first)
    if is_mean:
        found.divide_all(made)
    return list(operands_of(made))


def _each(found: Reduction, target: Array, source: Array, axes: int) -> None:
    """Fold what so many axes in front lead to."""
    if not axes:
        _fold(found, target, source)
        return
    lowering, index = found.lowering, found.lowering.local(INT)

    def one() -> None:
        to = row_of(lowering, target, index, len(target.dims))
        part = row_of(lowering, source, index, len(source.dims))
        _each(found, to, part, axes - 1)

    lowering.emit("for", index, source.dims[0], blocks=(lowering.within(one),))


def _fold(found: Reduction, target: Array, source: Array) -> None:
    """All of the axes that are reduced, which are the first ones, into the others."""
    if found.ends_rows:
        _rows(found, target, source)
        return
    lowering, dtype = found.lowering, found.dtype
    inner = len(target.dims)
    if found.first is None:
        rank = len(source.dims) - inner
        # What is put to itself is itself, so that the first ones come once more.
        dims, strides = source.dims[rank:], source.strides[rank:]
        begin = replace(source, dims=dims, strides=strides)
        compute_into(lowering, target, begin)
    else:
        compute_into(lowering, target, Number(dtype, False, found.beginning()))
    _put(found, target, source)


def _put(found: Reduction, target: Array, source: Array) -> None:
    """Put all of a source to a target, whose axes are its last ones."""
    lowering, rank = found.lowering, len(source.dims)
    if rank == 1:
        (size,), (to,), (by,) = target.dims, target.strides, source.strides
        found.call(size, target.data, to, source.data, by)
        return
    index = lowering.local(INT)

    def one() -> None:
        part = row_of(lowering, source, index, rank)
        _put(found, row_of(lowering, target, index, rank), part)

    lowering.emit("for", index, source.dims[0], blocks=(lowering.within(one),))


def _rows(found: Reduction, target: Array, source: Array) -> None:
    """One row, or several one after the other, into one element."""
    lowering = found.lowering
    if _is_copied(found):
        row = copied(lowering, source)
        found.row_at(target.data, row.data, *row.strides, *row.dims)
        return
    size, stride = source.dims[-1], source.strides[-1]
    found.row_at(target.data, source.data, stride, size)
    if len(source.dims) == 1:
        return
    index = lowering.local(INT)

    def one() -> None:
        at = plus(lowering, index, 1)
        start = lowering.compute("address", POINTER, source.data, at, source.strides[0])
        found.call(size, target.data, 0, start, stride)

    count = plus(lowering, source.dims[0], -1)
    lowering.emit("for", index, count, blocks=(lowering.within(one),))
