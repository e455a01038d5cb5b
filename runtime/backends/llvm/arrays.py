"""arrays: what reading and writing parts of arrays becomes."""

from __future__ import annotations

from typing import Any

from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, Lowering
from runtime.backends.llvm.values import NotLowered, machine_type, parts_of
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input


def _part(lowering: Lowering, part: Any, dynamic: list[Variable]) -> Operand | None:
    """An int of a key as an operand; None where it stands for an array."""
    if isinstance(part, int) and not isinstance(part, bool):
        return part
    if isinstance(part, Input):
        found = lowering.value(dynamic[part.k])
        if isinstance(found, Number) and found.dtype.kind in "iu":
            (one,) = found.parts
            kind = machine_type(found.dtype)
            if kind != INT and isinstance(one, Local):
                word = "sext" if found.dtype.kind == "i" else "zext"
                one = lowering.compute(word, INT, one, type=kind)
            elif found.dtype.kind == "u" and found.dtype.itemsize == 8:
                raise NotLowered("an index of uint64")
            return one
    return None


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
            at = _part(lowering, part, dynamic)
            if at is None:
                raise NotLowered("an index that is an array")
            at = within(lowering, at, array.dims[axis])
            data = moved(lowering, data, at, array.strides[axis])
            axis += 1
    return Array(array.dtype, array.object, data, tuple(dims), tuple(strides), True)


def sliced(
    lowering: Lowering, part: slice, size: Operand, dynamic: list[Variable]
) -> tuple[Operand, Operand, Operand]:
    """The first index, the length and the step of a slice, as Python cuts it."""
    step: Operand | None = (
        1 if part.step is None else _part(lowering, part.step, dynamic)
    )
    if step is None or (not isinstance(step, Local) and step <= 0):
        raise NotLowered("a slice that goes backwards")
    if isinstance(step, Local):
        lowering.leave_if(lowering.compute("icmp slt", BIT, step, 1, type=INT))
    ends = []
    for end, default in ((part.start, 0), (part.stop, size)):
        if end is None:
            ends.append(default)
            continue
        found = _part(lowering, end, dynamic)
        if found is None:
            raise NotLowered("a slice by an array")
        ends.append(cut(lowering, found, size))
    first, stop = ends
    if not isinstance(first, Local) and first == 0 and step == 1:
        return 0, stop, 1
    length = lowering.compute("sub", INT, stop, first, type=INT)
    if isinstance(step, Local) or step != 1:
        more = lowering.compute("sub", INT, step, 1, type=INT)
        length = lowering.compute("add", INT, length, more, type=INT)
        length = lowering.compute("sdiv", INT, length, step, type=INT)
    return first, lowering.compute("smax", INT, length, 0, type=INT), step


def cut(lowering: Lowering, end: Operand, size: Operand) -> Operand:
    """An end of a slice, counted from the front and within the axis."""
    if not isinstance(end, Local) and not isinstance(size, Local):
        return min(max(end + size if end < 0 else end, 0), size)
    if isinstance(end, Local):
        below = lowering.compute("icmp slt", BIT, end, 0, type=INT)
        from_end = lowering.compute("add", INT, end, size, type=INT)
        end = lowering.compute("select", INT, below, from_end, end)
        end = lowering.compute("smax", INT, end, 0, type=INT)
    elif end < 0:
        end = lowering.compute("add", INT, size, end, type=INT)
        return lowering.compute("smax", INT, end, 0, type=INT)
    return lowering.compute("smin", INT, end, size, type=INT)


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
    """`x[...] = number`, in x's own memory."""
    target, content, *dynamic = step.inputs
    known = step.node.attributes
    array = lowering.array_of(target)
    if array.is_view:
        raise NotLowered("a store into a view")
    if not step.in_place:
        object, data, *sizes = lowering.copied(array)
        rank = len(array.dims)
        array = Array(
            array.dtype, object, data, tuple(sizes[:rank]), tuple(sizes[rank:])
        )
    place = array
    for index in (*known.get("path", ()), known["index"]):
        place = part_of(lowering, place, index, dynamic)
    number = lowering.number_of(content)
    if number.dtype.kind == "c" and array.dtype.kind != "c":
        raise NotLowered("a complex number stored as a real one")
    parts = cast_parts(lowering, number, array.dtype)
    fill(lowering, place, parts)
    (variable,) = step.outputs
    lowering.values[variable] = array
    if step.in_place:
        lowering.join(variable, target)
        lowering.written.update(lowering.held[target].variables)
    else:
        lowering.hold(variable, array.object, lowering.place[0])


def fill(lowering: Lowering, place: Array, parts: tuple[Operand, ...]) -> None:
    """Write one number to each element of an array."""
    if not place.dims:
        put(lowering, place, parts)
        return
    size, *dims = place.dims
    stride, *strides = place.strides
    index = lowering.local(INT)

    def body() -> None:
        data = moved(lowering, place.data, index, stride)
        inner = Array(place.dtype, place.object, data, tuple(dims), tuple(strides))
        fill(lowering, inner, parts)

    block = lowering.within(body)
    lowering.emit("for", index, size, blocks=(block,))


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


LOWER |= {"slice": slice_, "store": store, "dim": size_of, "size": size_of}
