"""laid: elements of one array, laid out otherwise in a new one.

`np.roll`, `np.repeat`, `np.tile`, `np.triu` and `np.tril`, `np.eye`: parts of the new
array are written one after the other, each from a part of the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, moved
from runtime.backends.llvm.blocks import compute_into, leave_unless_in_order
from runtime.backends.llvm.composed import arrays_of
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.library import OPS
from runtime.backends.llvm.loops import BIT, INT, Array, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import least, most, times
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.slices import index_of
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.llvm.views import diagonal_of
from runtime.backends.numpy.program import Step
from runtime.structs import replace


def array_of(lowering: Lowering, step: Step) -> Array:
    """The first operand, as an array."""
    found = whole(lowering, step.inputs[0])
    if not isinstance(found, Array):
        raise NotLowered(f"{step.node.op.name} of a number")
    return found


def new(
    lowering: Lowering, step: Step, dtype: np.dtype[Any], dims: Sequence[Operand]
) -> Array:
    """The array that the step gives, its memory as it is found."""
    (variable,) = step.outputs
    if variable.spec.dtype != dtype:
        raise NotLowered(f"{step.node.op.name} of {dtype}")
    machine_type(dtype)
    return result_array(lowering, variable, dtype, dims)


def part(lowering: Lowering, array: Array, axis: int, first: Any, size: Any) -> Array:
    """So many elements along an axis, from one on."""
    data = moved(lowering, array.data, first, array.strides[axis])
    dims = (*array.dims[:axis], size, *array.dims[axis + 1 :])
    return replace(array, data=data, dims=dims, is_view=True)


def roll(lowering: Lowering, step: Step) -> None:
    """`np.roll(x, shift, axis)`: the end of an axis first, then its beginning."""
    array, known = array_of(lowering, step), step.node.attributes
    axis, rank = known.get("axis"), len(array.dims)
    if isinstance(axis, tuple) or (axis is None and rank != 1):
        raise NotLowered("a roll along several axes")
    axis = (axis or 0) % rank
    shift, size = index_of(lowering, known["shift"], step.inputs[1:]), array.dims[axis]
    if shift is None or size == 0:
        raise NotLowered("a roll by several shifts, or of nothing")
    leave_unless_in_order(lowering, array)
    if isinstance(shift, Local) or isinstance(size, Local):
        if isinstance(size, Local):
            lowering.leave_if(lowering.compute("icmp slt", BIT, size, 1, type=INT))
        rest = lowering.compute("srem", INT, shift, size, type=INT)
        below = lowering.compute("icmp slt", BIT, rest, 0, type=INT)
        above = lowering.compute("add", INT, rest, size, type=INT)
        start: Operand = lowering.compute("select", INT, below, above, rest)
        left: Operand = lowering.compute("sub", INT, size, start, type=INT)
    else:
        start = int(shift) % int(size)
        left = int(size) - start
    made = new(lowering, step, array.dtype, array.dims)
    for to, source, count in ((start, 0, left), (0, left, start)):
        if count != 0 or isinstance(count, Local):
            target = part(lowering, made, axis, to, count)
            compute_into(lowering, target, part(lowering, array, axis, source, count))
    give_array(lowering, step, made)


def repeat(lowering: Lowering, step: Step) -> None:
    """`np.repeat(x, count, axis)`: each element so many times."""
    array, known = array_of(lowering, step), step.node.attributes
    axis, rank = known.get("axis"), len(array.dims)
    count = index_of(lowering, known["repeats"], step.inputs[1:])
    if count is None or (axis is None and rank != 1):
        raise NotLowered("a repeat by several counts, or of all of several axes")
    leave_if_below_one(lowering, count)
    axis = (axis or 0) % rank
    n, inner = array.dims[axis], array.dims[axis + 1 :]
    dims = (*array.dims[:axis], times(lowering, n, count), *inner)
    made = new(lowering, step, array.dtype, dims)
    by = made.strides[axis]
    strides = (*made.strides[:axis], times(lowering, by, count))
    target = replace(
        made,
        dims=(*array.dims[: axis + 1], count, *inner),
        strides=(*strides, *made.strides[axis:]),
    )
    source = replace(
        array,
        dims=(*array.dims[: axis + 1], 1, *inner),
        strides=(*array.strides[: axis + 1], 0, *array.strides[axis + 1 :]),
        is_view=True,
    )
    compute_into(lowering, target, source)
    give_array(lowering, step, made)


def leave_if_below_one(lowering: Lowering, count: Operand) -> None:
    """Let Python repeat nothing, and say what is wrong where it is less."""
    if isinstance(count, Local):
        lowering.leave_if(lowering.compute("icmp slt", BIT, count, 1, type=INT))
    elif count < 1:
        raise NotLowered("nothing of an array")


def tile(lowering: Lowering, step: Step) -> None:
    """`np.tile(x, counts)`: the array so many times along each axis."""
    array, reps = array_of(lowering, step), step.node.attributes["reps"]
    if not isinstance(reps, tuple) or all(one == 1 for one in reps):
        # Of one NumPy makes a copy, as it lies.
        raise NotLowered("a tile of one, or by counts of the run")
    counts = [index_of(lowering, one, step.inputs[1:]) for one in reps]
    rank = max(len(array.dims), len(counts))
    counts = [1] * (rank - len(counts)) + counts
    more = (1,) * (rank - len(array.dims))
    sizes, steps = (*more, *array.dims), (*(0 for _ in more), *array.strides)
    dims, both = [], []
    for count, size in zip(counts, sizes, strict=True):
        if count is None:
            raise NotLowered("a tile by arrays")
        leave_if_below_one(lowering, count)
        dims.append(times(lowering, count, size))
        both += [count, size]
    made = new(lowering, step, array.dtype, dims)
    strides: list[Operand] = []
    for size, by in zip(sizes, made.strides, strict=True):
        strides += [times(lowering, size, by), by]
    target = replace(made, dims=tuple(both), strides=tuple(strides))
    source = replace(
        array,
        dims=tuple(x for size in sizes for x in (1, size)),
        strides=tuple(x for by in steps for x in (0, by)),
        is_view=True,
    )
    compute_into(lowering, target, source)
    give_array(lowering, step, made)


def triangle(lowering: Lowering, step: Step) -> None:
    """`np.triu(x, k)`, `np.tril(x, k)`: a copy, and row by row zeros."""
    (array,) = arrays_of(lowering, step, 2)
    leave_unless_in_order(lowering, array)
    known, is_upper = step.node.attributes, step.node.op.name == "triu"
    made = new(lowering, step, array.dtype, array.dims)
    compute_into(lowering, made, array)
    zero = _number(lowering, made.dtype, False)
    rows, columns = made.dims
    index = lowering.local(INT)

    def row() -> None:
        beyond = plus(lowering, index, known.get("k", 0) + (not is_upper))
        end = least(lowering, most(lowering, beyond, 0), columns)
        first, stop = (0, end) if is_upper else (end, columns)
        size = lowering.compute("sub", INT, stop, first, type=INT)
        data = moved(lowering, made.data, index, made.strides[0])
        line = replace(made, data=data, dims=(columns,), strides=made.strides[1:])
        compute_into(lowering, part(lowering, line, 0, first, size), zero)

    lowering.emit("for", index, rows, blocks=(lowering.within(row),))
    give_array(lowering, step, made)


def eye(lowering: Lowering, step: Step) -> None:
    """`np.eye(n)`: zeros, and ones on a diagonal."""
    known = step.node.attributes
    dims: list[Operand] = []
    for one in known["shape"]:
        size = index_of(lowering, one, step.inputs)
        if size is None:
            raise NotLowered("a shape by an array")
        leave_if_below_one(lowering, size)
        dims.append(size)
    made = new(lowering, step, np.dtype(known["dtype"]), dims)
    compute_into(lowering, made, _number(lowering, made.dtype, False))
    ones = diagonal_of(lowering, made, {"offset": known["k"]})
    compute_into(lowering, ones, _number(lowering, made.dtype, True))
    give_array(lowering, step, made)


def _number(lowering: Lowering, dtype: np.dtype[Any], is_one: bool) -> Number:
    """Zero or one."""
    truth = Number(np.dtype(bool), False, (is_one,))
    return Number(dtype, False, cast_parts(lowering, truth, dtype))


LAID = {"roll": roll, "repeat": repeat, "tile": tile, "eye": eye}
OPS |= {**LAID, **dict.fromkeys(("triu", "tril"), triangle)}
