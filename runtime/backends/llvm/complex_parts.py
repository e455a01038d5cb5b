"""complex_parts: the real and the imaginary parts of complex arrays, where they lie."""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm.arrays import lies_in, moved
from runtime.backends.llvm.in_place import is_put_back, note_written
from runtime.backends.llvm.loops import Array, Map, Number
from runtime.backends.llvm.lowering import OF_ARRAYS, Lowering
from runtime.backends.llvm.overlapping import store_map
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import replace


def part(lowering: Lowering, step: Step) -> None:
    """`z.real`, `z.imag`: a view of the array."""
    (variable,), (whole,) = step.outputs, step.inputs
    if isinstance(lowering.values.get(whole), Map):
        raise NotLowered("a part of what is computed meanwhile")
    lowering.values[variable] = _lying(
        lowering, _whole(lowering, step), step.node.op.name
    )
    lowering.join(variable, whole)


def _whole(lowering: Lowering, step: Step) -> Array:
    array = lowering.array_of(step.inputs[0])
    if array.dtype.kind != "c":
        raise NotLowered("a part of real numbers")
    return array


def _lying(lowering: Lowering, array: Array, name: str) -> Array:
    dtype = np.dtype(array.dtype.char.lower())
    data = moved(lowering, array.data, int(name == "imag"), dtype.itemsize)
    return replace(array, dtype=dtype, data=data, is_view=True)


def with_part(lowering: Lowering, step: Step) -> None:
    """A store of a part where it lies, which may be there already."""
    target, content = step.inputs
    array = _whole(lowering, step)
    if not step.in_place or (array.is_view and not is_put_back(step)):
        raise NotLowered("a part that is put into a copy, or into a view")
    value = lowering.operand(content)
    if not ((step.there or step.lent) and lies_in(value, array)):
        place = _lying(lowering, array, step.node.attributes["part"])
        if isinstance(value, Number) or value.dtype != place.dtype:
            raise NotLowered("what is no part of the same dtype")
        if len(value.dims) != len(place.dims):
            raise NotLowered("a part of other dims")
        for size, known in zip(value.dims, place.dims, strict=True):
            lowering.leave_unless_equal(known, size)
        store_map(lowering, place, value)
    note_written(lowering, step, target)


OF_ARRAYS |= {"real": part, "imag": part, "with_part": with_part}
