"""overlapping: what is stored into an array that it may have been read from.

NumPy stores as if all were computed before: where what is read may have been written
by then it makes a copy. Where the elements can be gone through in an order in which
nothing is read that was written, so are they here, and there is no copy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.backends.llvm.blocks import choice, compute_into, new_array, on_stack, rows
from runtime.backends.llvm.loops import BIT, INT, Array, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.lying_ahead import overlap_behind
from runtime.backends.llvm.maps import as_dtype, leaves_of, overlap
from runtime.backends.llvm.parts import from_last
from runtime.backends.llvm.pieces import (
    Expression,
    all_of,
    is_folded,
    is_one,
    is_step_one,
)
from runtime.backends.llvm.row_lanes import SHORT
from runtime.backends.llvm.sharing import is_surely_apart


def store_map(lowering: Lowering, target: Array, value: Expression) -> None:
    """Write elements into a part of an array, as if all were computed before."""
    if isinstance(value, Number):
        compute_into(lowering, target, value)
        return
    value = as_dtype(lowering, value, target.dtype)
    assert not isinstance(value, Number)
    meets, in_order = _meets(lowering, target, value)

    def beside() -> None:
        made = on_stack(lowering, target.dtype, value.dims)
        made = made or new_array(lowering, target.dtype, value.dims)
        compute_into(lowering, made, value)
        compute_into(lowering, target, made)
        if isinstance(made.object, Local):
            lowering.emit("release", made.object)

    if meets is False:
        compute_into(lowering, target, value)
        return
    one_by_one = partial(_moved_or, lowering, target, value, beside)
    at_once: Callable[[], None] = partial(compute_into, lowering, target, value)
    if in_order is not False and _is_in_lanes(target):
        # Rows that are independent are computed several at a time: not in order.
        ordered = partial(compute_into, lowering, target, value, True)
        at_once = choice(lowering, in_order, ordered, at_once)
    else:
        at_once = partial(compute_into, lowering, target, value, in_order)
    blocks = (lowering.within(one_by_one), lowering.within(at_once))
    lowering.emit("if", meets, blocks=blocks)


def _is_in_lanes(target: Array) -> bool:
    """Whether several rows may be computed at a time, a lane for each."""
    *rows_of, size = target.dims
    is_short = not isinstance(size, Local) and size <= SHORT
    return bool(rows_of) and is_short and is_surely_apart(target)


def _meets(
    lowering: Lowering, target: Array, value: Expression
) -> tuple[Operand, Operand]:
    """Whether what is read may be written before; whether an order prevents it."""
    leaves = leaves_of(value)
    if is_folded(value) or not target.dims:
        return overlap(lowering, target, leaves) if leaves else False, False
    return overlap_behind(lowering, target, leaves)


def _moved_or(
    lowering: Lowering, target: Array, value: Expression, other: Callable[[], None]
) -> None:
    """Move what is copied, as `x[1:] = x[:-1]`; else do the other.

    What is read does not lie ahead: from the last element on none is written before.
    """
    size, rank = target.dtype.itemsize, len(target.dims)
    if not isinstance(value, Array) or not rank == len(value.dims) == 1:
        other()
        return
    # Sizes that only the run knows have been found to be equal.
    if is_one(value.dims[0]) is not is_one(target.dims[0]):
        other()
        return
    of = partial(lowering.compute, type=INT)
    (step,), (own,) = target.strides, value.strides
    length = lowering.compute("smax", INT, step, of("sub", INT, 0, step))
    tests = of("icmp eq", BIT, step, own), of("icmp sge", BIT, length, size)

    def move() -> None:
        moved = (target.data, value.data, target.dims[0])
        lowering.emit("typed_move", *moved, symbol=str(size))

    def backwards() -> None:
        last, read = from_last(lowering, target), from_last(lowering, value)
        rows(lowering, last, read, inner_is_one_piece=False, in_order=True)

    sides = [is_step_one(lowering, one) for one in (target, value)]
    by_steps = choice(lowering, all_of(lowering, tests), backwards, other)
    choice(lowering, all_of(lowering, sides), move, by_steps)()
