"""joins: arrays one after another, and numbers side by side, in a new array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, moved, put
from runtime.backends.llvm.blocks import compute_into
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.few import at_index
from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Local,
    Map,
    Number,
    Numeric,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import as_dtype
from runtime.backends.llvm.pieces import SIDES, Expression, is_folded, is_one
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step, Variable

# So many numbers side by side are written one by one where they are stored.
MOST_SIDES = 16


def concatenate(lowering: Lowering, step: Step) -> None:
    """`np.concatenate((x, y))`: a new array in C's order, where NumPy makes it so.

    Of more dims than one it lies in memory as its parts do: those of another order
    are left to Python.
    """
    (variable,) = step.outputs
    dtype, axis = variable.spec.dtype, step.node.attributes.get("axis", 0)
    found = [_part(lowering, one) for one in step.inputs]
    parts = [part for part in found if not isinstance(part, Number)]
    if dtype is None or len(parts) < len(found):
        raise NotLowered("arrays of any dtype, or numbers, one after another")
    machine_type(dtype)
    rank = len(parts[0].dims)
    if axis is None or any(len(part.dims) != rank for part in parts):
        raise NotLowered("arrays of several dims one after another")
    if rank > 1:
        _leave_unless_in_order(lowering, parts[0])
    dims, starts = _sizes(lowering, [part.dims for part in parts], axis % rank)
    made = result_array(lowering, variable, dtype, dims)
    for part, start in zip(parts, starts, strict=True):
        data = moved(lowering, made.data, start, made.strides[axis % rank])
        place = Array(dtype, made.object, data, part.dims, made.strides, True)
        compute_into(lowering, place, as_dtype(lowering, part, dtype))
    give_array(lowering, step, made)


def _part(lowering: Lowering, variable: Variable) -> Numeric | Map:
    """What is joined: an expression is computed where it is to be.

    Numbers of rows are an array first.
    """
    found = lowering.operand(variable)
    if not is_folded(found):
        return found
    whole(lowering, variable)
    return lowering.operand(variable)


def _leave_unless_in_order(lowering: Lowering, part: Expression) -> None:
    """One part in C's order is enough for the whole to be so."""
    if not isinstance(part, Array):
        raise NotLowered("arrays that are computed meanwhile one after another")
    pairs = zip(part.dims, part.strides, strict=True)
    # An axis of one element is in no order: np.vstack((x, y)).
    steps = [stride for size, stride in pairs if not is_one(size)]
    for outer, inner in pairwise(steps):
        for x, y in ((outer, inner), (inner, 1)):
            if isinstance(x, Local) or isinstance(y, Local):
                lowering.leave_if(lowering.compute("icmp slt", BIT, x, y, type=INT))
            elif x < y:
                raise NotLowered("arrays in another order than C's one after another")


def _sizes(
    lowering: Lowering, shapes: Sequence[Sequence[Operand]], axis: int
) -> tuple[list[Operand], list[Operand]]:
    """The sizes of the whole, and where along the axis each part begins."""
    whole = list(shapes[0])
    starts: list[Operand] = []
    total: Operand = 0
    for dims in shapes:
        for at, size in enumerate(dims):
            if at != axis and size is not whole[at]:
                lowering.leave_unless_equal(size, whole[at])
        starts.append(total)
        size = dims[axis]
        if isinstance(total, Local) or isinstance(size, Local):
            total = lowering.compute("add", INT, total, size, type=INT)
        else:
            total += size
    whole[axis] = total
    return whole, starts


def stack(lowering: Lowering, step: Step) -> None:
    """`np.array([a, b])`, `np.stack((a, b))`: of numbers, or of arrays."""
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    parts = [lowering.operand(one) for one in step.inputs]
    if dtype is None:
        raise NotLowered("numbers of any dtype side by side")
    machine_type(dtype)
    if not all(isinstance(part, Number) for part in parts):
        _stack_arrays(lowering, step, dtype)
        return
    if _is_only_stored(lowering, variable, len(parts)):
        numbers = (part for part in parts if isinstance(part, Number))
        sides = (Number(dtype, False, cast_parts(lowering, x, dtype)) for x in numbers)
        lowering.values[variable] = Map(dtype, (len(parts),), SIDES, (*sides,))
        return
    made = result_array(lowering, variable, dtype, (len(parts),))
    for at, part in enumerate(parts):
        assert isinstance(part, Number)
        data = moved(lowering, made.data, at, dtype.itemsize)
        put(
            lowering,
            Array(dtype, made.object, data, (), (), True),
            cast_parts(lowering, part, dtype),
        )
    give_array(lowering, step, made)


def _is_only_stored(lowering: Lowering, variable: Variable, count: int) -> bool:
    """Whether a store takes a row of numbers, and nothing else: no row is made then."""
    taker = lowering.meeting.step_of(variable) if 1 < count <= MOST_SIDES else None
    return (
        taker is not None
        and taker.node.op.name == "store"
        and taker.inputs[1] is variable
        and taker.in_place
    )


def _stack_arrays(lowering: Lowering, step: Step, dtype: np.dtype[Any]) -> None:
    """Arrays of one shape side by side, in C's order, where NumPy lays them so."""
    (variable,), known = step.outputs, step.node.attributes
    parts = [_part(lowering, one) for one in step.inputs]
    arrays = [part for part in parts if not isinstance(part, Number)]
    dims, rank = arrays[0].dims, len(arrays[0].dims)
    if len(arrays) < len(parts) or any(len(one.dims) != rank for one in arrays):
        raise NotLowered("arrays of several dims side by side")
    if rank > 1 and not known.get("literal"):
        _leave_unless_in_order(lowering, arrays[0])
    for one in arrays[1:]:
        for size, wanted in zip(one.dims, dims, strict=True):
            if size is not wanted:
                lowering.leave_unless_equal(size, wanted)
    axis = known.get("axis", 0) % (rank + 1)
    sizes = (*dims[:axis], len(arrays), *dims[axis:])
    made = result_array(lowering, variable, dtype, sizes)
    for at, one in enumerate(arrays):
        place = at_index(lowering, made, axis, at, False)
        compute_into(lowering, place, as_dtype(lowering, one, dtype))
    give_array(lowering, step, made)


JOINS = {"concatenate": concatenate, "stack": stack}
LOWER |= JOINS
OF_ARRAYS |= JOINS
