"""arrays: what reading and writing parts of arrays becomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.blocks import (
    compute_into,
    leave_unless_in_order,
    materialized,
    new_array,
)
from runtime.backends.llvm.chains import (
    elementwise,
    is_aligned,
)
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.functions import assigned, cast_parts
from runtime.backends.llvm.in_place import is_carried, is_put_back, note_written
from runtime.backends.llvm.kinds_apart import as_one
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Map,
    Mixed,
    Number,
    Operand,
    Value,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, OTHERS, Lowering
from runtime.backends.llvm.maps import leave_if_one_by_one
from runtime.backends.llvm.overlapping import store_map
from runtime.backends.llvm.pieces import SIDES, is_folded, is_one
from runtime.backends.llvm.slices import index_of, sliced
from runtime.backends.llvm.values import NotLowered, machine_type, parts_of
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input


def within(lowering: Lowering, index: Operand, size: Operand) -> Operand:
    """An index counted from the front; where it lies outside, Python raises."""
    if not isinstance(index, Local) and not isinstance(size, Local):
        if -size <= index < size:
            return index + size if index < 0 else index
        lowering.leave_if(True)
        return 0
    if isinstance(index, Local):
        below = lowering.compute("icmp slt", BIT, index, 0, type=INT)
        from_end = lowering.compute("add", INT, index, size, type=INT)
        index = lowering.compute("select", INT, below, from_end, index)
    elif index < 0:
        index = lowering.compute("add", INT, size, index, type=INT)
    outside = lowering.compute("icmp uge", BIT, index, size, type=INT)
    lowering.leave_if(outside)
    return index


def moved(
    lowering: Lowering, data: Operand, index: Operand, stride: Operand
) -> Operand:
    """The address `index * stride` bytes further on."""
    if index == 0 and not isinstance(index, Local):
        return data
    return lowering.compute("address", POINTER, data, index, stride)


def part_of(
    lowering: Lowering, array: Array, index: tuple[Any, ...], dynamic: list[Variable]
) -> Array:
    """The view, or with as many ints as axes the element, that a key selects."""
    count = sum(1 for part in index if part is not None and part is not ...)
    missing = len(array.dims) - count
    if missing < 0:
        raise NotLowered("too many indices")
    data = array.data
    dims: list[Operand] = []
    strides: list[Operand] = []
    axis = 0
    parts = list(index) if any(part is ... for part in index) else [*index, ...]
    for part in parts:
        if part is ...:
            dims += array.dims[axis : axis + missing]
            strides += array.strides[axis : axis + missing]
            axis += missing
        elif part is None:
            dims.append(1)
            strides.append(0)
        elif isinstance(part, slice):
            first, length, step = sliced(lowering, part, array.dims[axis], dynamic)
            data = moved(lowering, data, first, array.strides[axis])
            dims.append(length)
            stride = array.strides[axis]
            if step != 1 or isinstance(step, Local):
                stride = lowering.compute("mul", INT, stride, step, type=INT)
            strides.append(stride)
            axis += 1
        else:
            at = index_of(lowering, part, dynamic)
            if at is None:
                raise NotLowered("an index that is an array")
            at = within(lowering, at, array.dims[axis])
            data = moved(lowering, data, at, array.strides[axis])
            axis += 1
    found = tuple(dims), tuple(strides)
    return Array(array.dtype, array.object, data, *found, True, array.is_turned)


def load(lowering: Lowering, array: Array) -> tuple[Local, ...]:
    """The parts of the number at an address."""
    kind = machine_type(array.dtype)
    count = parts_of(array.dtype)
    made = []
    for number in range(count):
        size = array.dtype.itemsize // count
        at = moved(lowering, array.data, number, size)
        made.append(lowering.compute("load", kind, at))
    return tuple(made)


def new_cell(lowering: Lowering, dtype: np.dtype[Any]) -> Array:
    """Memory for one number of a dtype, on the stack."""
    place = lowering.compute("buffer", POINTER, symbol=str(dtype.itemsize))
    return Array(dtype, 0, place, (), ())


def put(lowering: Lowering, array: Array, parts: tuple[Operand, ...]) -> None:
    """Write a number's parts at an address."""
    kind = machine_type(array.dtype)
    for number, part in enumerate(parts):
        size = array.dtype.itemsize // len(parts)
        at = moved(lowering, array.data, number, size)
        lowering.emit("store", at, part, type=kind)


def slice_(lowering: Lowering, step: Step) -> None:
    """`x[...]` by ints and slices: an element, or a view."""
    array, *dynamic = step.inputs
    index = step.node.attributes["index"]
    found = part_of(lowering, lowering.array_of(array), index, dynamic)
    (variable,) = step.outputs
    if not found.dims:
        if variable.spec.shape != () or ... in index:
            raise NotLowered("an array without dims")
        lowering.give(step, *load(lowering, found))
        return
    lowering.values[variable] = found
    lowering.join(variable, array)


def store(lowering: Lowering, step: Step) -> None:
    """`x[...] = y`, in x's own memory, or in that of a copy."""
    target, content, *_ = step.inputs
    array = lowering.array_of(target)
    is_kept = step.in_place and (is_put_back(step) or is_carried(target))
    if array.is_view and not is_kept:
        raise NotLowered("a store into a view")
    value = _content(lowering, content, array.dtype)
    if (step.there or step.lent) and lies_in(value, array):
        note_written(lowering, step, target)
        return
    place = place_in(lowering, array, step)
    is_row = isinstance(value, Map) and value.op == SIDES and len(place.dims) != 1
    if is_row or (
        is_folded(value) and not is_aligned(value, [*map(is_one, place.dims)])
    ):
        whole(lowering, content)
        value = lowering.operand(content)
    if value.dtype.kind == "c" and array.dtype.kind != "c":
        raise NotLowered("a complex number stored as a real one")
    if isinstance(value, Number):
        value = Number(array.dtype, False, assigned(lowering, value, array.dtype))
    else:
        value = _fitting(lowering, value, place)
    leave_if_one_by_one(lowering, place, value)
    if step.moved and not (isinstance(value, Array) and value.is_view):
        _move(lowering, step, value)
        return
    if not step.in_place:
        array = _copied(lowering, array)
        place = place_in(lowering, array, step)
    if place.dims:
        store_map(lowering, place, value)
    elif isinstance(value, Number):
        put(lowering, place, value.parts)
    else:
        raise NotLowered("an array stored as an element")
    _note_stored(lowering, step, array)


def _content(
    lowering: Lowering, content: Variable, dtype: np.dtype[Any]
) -> Number | Array | Map:
    """What is stored; a number of several kinds as one of the array's own dtype."""
    found = lowering.values.get(content)
    if not isinstance(found, Mixed):
        return lowering.operand(content)
    if dtype.kind != "c" and any(one.dtype.kind == "c" for one in found.options):
        raise NotLowered("a complex number stored as a real one")
    return as_one(lowering, found, dtype, lambda one: assigned(lowering, one, dtype))


def lies_in(value: Value | Map, array: Array) -> bool:
    """Whether what is stored is a part of the same memory."""
    return isinstance(value, Array) and value.is_view and value.object is array.object


def _move(lowering: Lowering, step: Step, value: Value | Map) -> None:
    """A store of all that an array holds: what is stored is the result."""
    (variable,) = step.outputs
    leave_unless_in_order(lowering, lowering.array_of(step.inputs[0]))
    if isinstance(value, Array):
        leave_unless_in_order(lowering, value)
        lowering.values[variable] = value
        lowering.join(variable, step.inputs[1])
        return
    assert isinstance(value, Map)
    give_array(lowering, step, materialized(lowering, value))


def place_in(lowering: Lowering, array: Array, store: Step) -> Array:
    """Where in an array a store puts its content."""
    known, dynamic = store.node.attributes, store.inputs[2:]
    for index in (*known.get("path", ()), known["index"]):
        array = part_of(lowering, array, index, dynamic)
    return array


def _fitting(lowering: Lowering, value: Array | Map, place: Array) -> Array | Map:
    """What is stored, of sizes that fit; where they do not, Python raises."""
    if len(value.dims) > len(place.dims):
        raise NotLowered("an array of more dims than where it is stored")
    wanted = place.dims[len(place.dims) - len(value.dims) :]
    for size, known in zip(value.dims, wanted, strict=True):
        if isinstance(size, Local) or (size != 1 and size is not known):
            lowering.leave_unless_equal(size, known)
    return value


def _copied(lowering: Lowering, array: Array) -> Array:
    object, data, *sizes = lowering.copied(array, lowering.exit())
    rank = len(array.dims)
    return Array(array.dtype, object, data, tuple(sizes[:rank]), tuple(sizes[rank:]))


def _note_stored(lowering: Lowering, step: Step, array: Array) -> None:
    """The result of a store: the target's memory, or an array of its own."""
    target, (variable,) = step.inputs[0], step.outputs
    if step.in_place:
        note_written(lowering, step, target)
        return
    lowering.values[variable] = array
    lowering.hold(variable, array.object, lowering.place[0])


def copy(lowering: Lowering, step: Step) -> None:
    """`x.copy()`, as the operand lies or in C's order."""
    value = lowering.operand(step.inputs[0])
    if isinstance(value, Number) or step.node.attributes.get("order", "K") == "F":
        raise NotLowered("a copy in Fortran's order")
    give_array(lowering, step, materialized(lowering, value))


def give_array(lowering: Lowering, step: Step, array: Array) -> None:
    """The step's one result, an array of its own."""
    (variable,) = step.outputs
    lowering.values[variable] = array
    lowering.hold(variable, array.object, lowering.place[0])


def create(lowering: Lowering, step: Step) -> None:
    """`np.zeros(n)` and the like."""
    name, known = step.node.op.name, step.node.attributes
    inputs = step.inputs
    content: Number | None = None
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    if dtype is None:
        raise NotLowered("an array of any dtype")
    machine_type(dtype)
    if name == "full":
        first, *inputs = inputs
        content = lowering.number_of(first)
        content = Number(dtype, False, cast_parts(lowering, content, dtype))
    elif name != "empty":
        one = cast_parts(lowering, _one(name == "ones"), dtype)
        content = Number(dtype, False, one)
    if isinstance(known["shape"], Input):
        raise NotLowered("an array of any dims")
    dims = []
    for part in known["shape"]:
        size = index_of(lowering, part, inputs)
        if size is None:
            raise NotLowered("a shape by an array")
        if isinstance(size, Local):
            lowering.leave_if(lowering.compute("icmp slt", BIT, size, 0, type=INT))
        dims.append(size)
    made = new_array(lowering, dtype, dims)
    if content is not None:
        compute_into(lowering, made, content)
    give_array(lowering, step, made)


def _one(is_one: bool) -> Number:
    return Number(np.dtype(bool), False, (is_one,))


def size_of(lowering: Lowering, step: Step) -> None:
    """`x.shape[axis]`, `x.size`."""
    array = lowering.array_of(step.inputs[0])
    if step.node.op.name == "dim":
        lowering.give(step, array.dims[step.node.attributes["axis"]])
        return
    found: Operand = 1
    for size in array.dims:
        found = lowering.compute("mul", INT, found, size, type=INT)
    lowering.give(step, found)


LOWER |= {"slice": slice_, "dim": size_of, "size": size_of}
OF_ARRAYS |= {
    "constant": lambda lowering, step: None,
    "slice": slice_,
    "store": store,
    "copy": copy,
    "if": Lowering.branches,
    **dict.fromkeys(("zeros", "ones", "full", "empty"), create),
    OTHERS: elementwise,
}
