"""located: parts of arrays by where the run says that they lie (`runtime.ops.places`).

An array that has gaps, or whose axes follow one another otherwise, is left to Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, lies_in, moved, within
from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.in_place import is_put_back, note_written
from runtime.backends.llvm.loops import BIT, INT, Array, Local, Map, Number, Operand
from runtime.backends.llvm.lowering import OF_ARRAYS, Lowering
from runtime.backends.llvm.overlapping import store_map
from runtime.backends.llvm.pieces import is_one_piece, product, times
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.slices import index_of, sliced
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.structs import struct

WHERE = np.dtype(np.int64)


@struct
class _Place:
    """A place, in operands; axes in another order than C's have a number."""

    order: Operand
    start: Operand
    steps: list[Operand]
    sizes: list[Operand]


def own_place(lowering: Lowering, step: Step) -> None:
    """The place of a whole array."""
    array = lowering.array_of(step.inputs[0])
    _require_one_piece(lowering, array)
    _give(lowering, step, _Place(0, 0, [*array.strides], [*array.dims]))


def sliced_place(lowering: Lowering, step: Step) -> None:
    """The place of a part of a part, by ints and slices."""
    place, dynamic = _read(lowering, step.inputs[0]), step.inputs[1:]
    index: tuple[Any, ...] = step.node.attributes["index"]
    if not any(part is ... for part in index):
        index = (*index, ...)
    taken = sum(part is not None and part is not ... for part in index)
    steps: list[Operand] = []
    sizes: list[Operand] = []
    start, axis = place.start, 0
    for part in index:
        if part is None:
            steps.append(0)
            sizes.append(1)
            continue
        if part is ...:
            stop = axis + len(place.sizes) - taken
            steps += place.steps[axis:stop]
            sizes += place.sizes[axis:stop]
            axis = stop
            continue
        way, size = place.steps[axis], place.sizes[axis]
        axis += 1
        if isinstance(part, slice):
            first, length, by = sliced(lowering, part, size, dynamic)
            steps.append(times(lowering, way, by))
            sizes.append(length)
        else:
            found = index_of(lowering, part, dynamic)
            if found is None:
                raise NotLowered("an index that is an array")
            first = within(lowering, found, size)
        start = plus(lowering, start, times(lowering, first, way))
    _give(lowering, step, _Place(place.order, start, steps, sizes))


def part_at(lowering: Lowering, step: Step) -> None:
    """The part of an array that lies there: a view."""
    if step.node.attributes.get("dtype") is not None:
        raise NotLowered("a part of another dtype")
    (variable,), (whole, where) = step.outputs, step.inputs
    array = lowering.array_of(whole)
    found = _part(lowering, array, _read(lowering, where))
    known = zip(found.dims, variable.spec.shape or (), strict=True)
    for size, wanted in known:
        if isinstance(wanted, int):
            lowering.leave_unless_equal(size, wanted)
    lowering.values[variable] = found
    lowering.join(variable, whole)


def with_part_at(lowering: Lowering, step: Step) -> None:
    """A store of a part where it lies, which may be there already."""
    target, content, _ = step.inputs
    array = lowering.array_of(target)
    if not step.in_place or (array.is_view and not is_put_back(step)):
        raise NotLowered("a part that is put into a copy, or into a view")
    value = lowering.operand(content)
    if not (step.there and lies_in(value, array)):
        place = _taken(lowering, step, array)
        if isinstance(value, Number) or value.dtype != array.dtype:
            raise NotLowered("what is no part of the same dtype")
        _require_sizes(lowering, value, place)
        store_map(lowering, place, value)
    note_written(lowering, step, target)


def _taken(lowering: Lowering, step: Step, array: Array) -> Array:
    """The part where a step stores: as it has been taken, where it has."""
    where, body = step.inputs[2], lowering.place[0]
    for one in body.steps[: lowering.place[1]]:
        if one.node.op.name == "part_at" and one.inputs[1] is where:
            whole, part = (
                lowering.values.get(v) for v in (*one.inputs[:1], *one.outputs)
            )
            if isinstance(whole, Array) and isinstance(part, Array):
                if whole.data is array.data and whole.object is array.object:
                    return part
    return _part(lowering, array, _read(lowering, where))


def _require_sizes(lowering: Lowering, value: Array | Map, place: Array) -> None:
    if len(value.dims) != len(place.dims):
        raise NotLowered("a part of other dims")
    for size, known in zip(value.dims, place.dims, strict=True):
        lowering.leave_unless_equal(known, size)


def _part(lowering: Lowering, array: Array, place: _Place) -> Array:
    """What lies there. Where it would lie outside, Python goes on."""
    _require_one_piece(lowering, array)
    lowering.leave_unless_equal(place.order, 0)
    low = high = place.start
    for way, size in zip(place.steps, place.sizes, strict=True):
        least = lowering.compute("smax", INT, size, 1, type=INT)
        far = times(lowering, way, plus(lowering, least, -1))
        low = plus(lowering, low, lowering.compute("smin", INT, far, 0, type=INT))
        high = plus(lowering, high, lowering.compute("smax", INT, far, 0, type=INT))
    end = times(lowering, product(lowering, array.dims), array.dtype.itemsize)
    last = plus(lowering, high, array.dtype.itemsize)
    lowering.leave_if(lowering.compute("icmp slt", BIT, low, 0, type=INT))
    lowering.leave_if(lowering.compute("icmp sgt", BIT, last, end, type=INT))
    data = moved(lowering, array.data, place.start, 1)
    dims, strides = tuple(place.sizes), tuple(place.steps)
    return Array(array.dtype, array.object, data, dims, strides, True)


def _require_one_piece(lowering: Lowering, array: Array) -> None:
    piece = is_one_piece(lowering, array)
    if isinstance(piece, Local):
        lowering.leave_if(lowering.compute("icmp eq", BIT, piece, False, type=BIT))
    elif not piece:
        raise NotLowered("a part of an array that has gaps")


def _read(lowering: Lowering, where: Variable) -> _Place:
    array = lowering.array_of(where)
    (count,) = array.dims
    if isinstance(count, Local):
        raise NotLowered("a part of any dims")
    (stride,), found = array.strides, []
    for at in range(int(count)):
        address = moved(lowering, array.data, at, stride)
        found.append(lowering.compute("load", INT, address))
    (order, start, *rest), rank = found, int(count) // 2 - 1
    return _Place(order, start, [*rest[:rank]], [*rest[rank:]])


def _give(lowering: Lowering, step: Step, place: _Place) -> None:
    numbers: Sequence[Operand] = (
        *(place.order, place.start),
        *(*place.steps, *place.sizes),
    )
    made = new_array(lowering, WHERE, (len(numbers),))
    for at, number in enumerate(numbers):
        address = moved(lowering, made.data, at, WHERE.itemsize)
        lowering.emit("store", address, number, type=INT)
    give_array(lowering, step, made)


OF_ARRAYS |= {
    "own_place": own_place,
    "sliced_place": sliced_place,
    "part_at": part_at,
    "with_part_at": with_part_at,
}
