"""blocks: the loops that compute a Map into memory.

The last axis is gone through in blocks that fit into the cache. In a block, operations
of the machine are one loop over the elements; a loop of NumPy's runs over the block,
from arrays or from buffers on the stack, into a buffer. There is a version for memory
that lies in one piece, one for rows that do, and one for any strides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from runtime.backends.llvm.bands import in_bands, is_banded
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
from runtime.backends.llvm.lying_ahead import goes_turned
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.parts import one_row, part_of, row_of
from runtime.backends.llvm.pieces import (
    SIDES,
    Expression,
    all_of,
    flat,
    inside,
    is_alike,
    is_dropped,
    is_folded,
    is_one,
    is_one_piece,
    is_step_one,
    product,
    times,
    turned_round,
    with_arrays,
)
from runtime.backends.llvm.row_lanes import ROWS
from runtime.backends.llvm.row_numbers import (
    Keeping,
    RowNumbers,
    length_of,
)
from runtime.backends.llvm.sharing import (
    apart,
    cost_of,
    is_surely_apart,
    plus,
    share,
)
from runtime.backends.llvm.values import machine_type
from runtime.structs import replace

# Bytes of a small array on the stack, and of all of a function.
SMALL, MOST = 1024, 64 * 1024
MakeArray = Callable[[Lowering, np.dtype[Any], Sequence[Operand]], Array]


def new_array(
    lowering: Lowering, dtype: np.dtype[Any], dims: Sequence[Operand]
) -> Array:
    """An array of its own, its memory as it is found."""
    made = lowering.local(POINTER), lowering.local(POINTER)
    exit = lowering.exit()
    lowering.block.instructions.append(
        Instruction("new", made, tuple(dims), exit=exit, symbol=dtype.char)
    )
    lowering.made_here.add(made[0])
    return Array(dtype, *made, tuple(dims), strides_of(lowering, dtype, dims))


def on_stack(
    lowering: Lowering, dtype: np.dtype[Any], dims: Sequence[Operand]
) -> Array | None:
    """A small array of known sizes in memory on the stack, which is no object."""
    known = [int(size) for size in dims if not isinstance(size, Local)]
    size = dtype.itemsize * math.prod(known)
    total = lowering.on_stack + size
    if len(known) < len(dims) or not 0 < size <= SMALL or total > MOST:
        return None
    lowering.on_stack = total
    data = lowering.compute("buffer", POINTER, symbol=str(size))
    return Array(dtype, 0, data, tuple(dims), strides_of(lowering, dtype, dims))


def strides_of(
    lowering: Lowering, dtype: np.dtype[Any], dims: Sequence[Operand]
) -> tuple[Operand, ...]:
    """The strides of an array in one piece, in C's order."""
    strides: list[Operand] = []
    size: Operand = dtype.itemsize
    for length in reversed(dims):
        strides.insert(0, size)
        size = times(lowering, size, length)
    return tuple(strides)


def materialized(
    lowering: Lowering, value: Expression, make: MakeArray = new_array
) -> Array:
    """An array with the elements of a Map; it lies as NumPy would lay it.

    make: gives the array
    """
    assert not isinstance(value, Number)
    leave_unless_rows_first(lowering, value)
    made = make(lowering, value.dtype, value.dims)
    compute_into(lowering, made, value)
    return made


def leave_unless_rows_first(lowering: Lowering, value: Array | Map) -> None:
    """NumPy lays a result as its operands lie: other orders are left to it."""
    rows_of = inside(value)
    assert not isinstance(rows_of, Number)
    for leaf in leaves_of(rows_of):
        if len(leaf.dims) == len(rows_of.dims) > 1:
            leave_unless_in_order(lowering, leaf)


def leave_unless_in_order(lowering: Lowering, leaf: Array) -> None:
    """Let Python compute where the axes of an array lie in another order than C's."""
    pairs = zip(leaf.dims, leaf.strides, strict=True)
    # An axis of one element is in no order: x[:, None].
    steps = [stride for size, stride in pairs if not is_one(size)]
    for before, after in pairwise(steps):
        if isinstance(before, Local) or isinstance(after, Local):
            lowering.leave_if(
                lowering.compute("icmp slt", BIT, before, after, type=INT)
            )
            lowering.leave_if(lowering.compute("icmp slt", BIT, after, 0, type=INT))


def compute_into(
    lowering: Lowering, target: Array, value: Expression, in_order: Operand = False
) -> None:
    """The loops: a version for how the memory lies.

    in_order: whether what is read is written later, in the order of the elements
    """
    if isinstance(value, Map) and value.op == SIDES:
        _write_sides(lowering, target, value)
        return
    if is_dropped(value):
        dims, strides = (*target.dims, 1), (*target.strides, 0)
        target, value = replace(target, dims=dims, strides=strides), inside(value)
    if is_folded(value):
        keeping = Keeping(lowering, value, new_array)
        _versions(lowering, target, keeping.value, in_rows=True)
        keeping.end()
        return
    _versions(lowering, target, value, in_rows=False, in_order=in_order)


def _write_sides(lowering: Lowering, target: Array, value: Map) -> None:
    """Numbers side by side, each where it is to be."""
    kind, (step,) = machine_type(target.dtype), target.strides
    for place, number in enumerate(value.args):
        assert isinstance(number, Number)
        size = target.dtype.itemsize // len(number.parts)
        for at, part in enumerate(number.parts):
            data = lowering.compute("address", POINTER, target.data, place, step)
            if at:
                data = lowering.compute("address", POINTER, data, at, size)
            lowering.emit("store", data, part, type=kind)


def _versions(
    lowering: Lowering,
    target: Array,
    value: Expression,
    in_rows: bool,
    in_order: Operand = False,
) -> None:
    """in_rows: rows become numbers on the way, so that they are no one piece."""
    arrays = [target, *leaves_of(value)]
    rank = len(target.dims)
    if not in_rows and goes_turned(target, arrays):
        # Along its memory.
        known = {id(one): turned_round(one) for one in arrays}
        target, dims = known[id(target)], target.dims[::-1]
        value, arrays = with_arrays(value, known, dims), [*known.values()]

    def general() -> None:
        rows(lowering, target, value, False, in_order)

    def by_rows() -> None:
        rows(lowering, target, value, True, in_order)

    def in_one_piece() -> None:
        size = product(lowering, target.dims)
        known = {id(one): flat(one, size) for one in arrays}
        row = with_arrays(value, known, (size,))
        rows(lowering, known[id(target)], row, True, in_order)

    side_by_side = all_of(lowering, [is_step_one(lowering, one) for one in arrays])
    chosen = choice(lowering, side_by_side, by_rows, general)
    # A part of an array hardly is in one piece where it has several dims.
    alike = all(is_alike(one, target) and not one.is_view for one in arrays)
    if rank > 1 and alike and not in_rows:
        piece = all_of(lowering, [is_one_piece(lowering, one) for one in arrays])
        chosen = choice(lowering, piece, in_one_piece, chosen)
    chosen()


def choice(
    lowering: Lowering, test: Operand, yes: Callable[[], None], no: Callable[[], None]
) -> Callable[[], None]:
    """What writes the one or the other, by a test that only the run may know."""
    if not isinstance(test, Local):
        return yes if test else no

    def both() -> None:
        blocks = (lowering.within(yes), lowering.within(no))
        lowering.emit("if", test, blocks=blocks)

    return both


# --- rows -----------------------------------------------------------------------------
def rows(
    lowering: Lowering,
    target: Array,
    value: Expression,
    inner_is_one_piece: bool,
    in_order: Operand = False,
) -> None:
    """All of it; threads may take parts: some rows, or some elements of one.

    Of parts that lie in one another (`as_strided`) the last one written stays, so those
    are no work for several; nor is what is read only if nothing was written before.
    """
    size, *inner = target.dims or (1,)
    if is_folded(value):
        inner[-1] = length_of(value)

    def part(first: Operand, length: Operand) -> None:
        one_piece, is_free = inner_is_one_piece, in_order is False
        some_rows(lowering, target, value, first, length, one_piece, is_free)

    is_apart = apart(lowering, target)
    if isinstance(in_order, Local):
        free = lowering.compute("xor", BIT, in_order, True, type=BIT)
        is_apart = all_of(lowering, [is_apart, free])
    elif in_order:
        is_apart = False
    share(lowering, size, inner, cost_of(value), is_apart, part)


def some_rows(
    lowering: Lowering,
    target: Array,
    value: Expression,
    first: Operand,
    length: Operand,
    inner_is_one_piece: bool,
    is_free: bool = True,
) -> None:
    """A loop over some of the first axis, of rows; over the last one, in blocks.

    By this thread alone; is_free: no row reads what another one writes
    """
    if len(target.dims) <= 1:
        if is_folded(value):
            value = RowNumbers(lowering, inner_is_one_piece).of(value)
        one_row(lowering, target, value, first, length, inner_is_one_piece)
        return
    if is_banded(target, value) and not is_folded(value):
        write = partial(
            some_rows, lowering, inner_is_one_piece=inner_is_one_piece, is_free=is_free
        )
        in_bands(lowering, target, value, (first, length), write)
        return
    index = lowering.local(INT)

    def row() -> None:
        at = plus(lowering, first, index)
        inner = row_of(lowering, target, at, len(target.dims))
        part = part_of(lowering, value, at, len(target.dims))
        size, one_piece = inner.dims[0], inner_is_one_piece
        some_rows(lowering, inner, part, 0, size, one_piece, is_free)

    blocks = (lowering.within(row),)
    kind = ROWS if is_free and is_surely_apart(target) else ""
    lowering.emit("for", index, length, blocks=blocks, type=kind)
