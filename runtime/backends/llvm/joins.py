"""joins: rows one after another, and numbers side by side, in a new array."""

from __future__ import annotations

from runtime.backends.llvm.arrays import give_array, moved, put
from runtime.backends.llvm.blocks import new_array, store_map
from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.loops import INT, Array, Local, Number, Operand
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import as_dtype
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step


def concatenate(lowering: Lowering, step: Step) -> None:
    """`np.concatenate((x, y))` of arrays of one dim.

    Of more dims the result lies in memory as the arrays do: that is Python's to tell.
    """
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    parts = [lowering.operand(one) for one in step.inputs]
    sizes: list[Operand] = []
    for part in parts:
        if isinstance(part, Number) or len(part.dims) != 1:
            raise NotLowered("arrays of more dims, or none, one after another")
        sizes.append(part.dims[0])
    if dtype is None:
        raise NotLowered("arrays of any dtype one after another")
    machine_type(dtype)
    total: Operand = 0
    starts: list[Operand] = []
    for size in sizes:
        starts.append(total)
        if isinstance(total, Local) or isinstance(size, Local):
            total = lowering.compute("add", INT, total, size, type=INT)
        else:
            total += size
    made = new_array(lowering, dtype, (total,))
    for part, start, size in zip(parts, starts, sizes, strict=True):
        data = moved(lowering, made.data, start, dtype.itemsize)
        place = Array(dtype, made.object, data, (size,), made.strides, True)
        store_map(lowering, place, as_dtype(lowering, part, dtype))
    give_array(lowering, step, made)


def stack(lowering: Lowering, step: Step) -> None:
    """`np.array([a, b])`, `np.stack((a, b))` of numbers."""
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    parts = [lowering.operand(one) for one in step.inputs]
    if dtype is None:
        raise NotLowered("numbers of any dtype side by side")
    machine_type(dtype)
    made = new_array(lowering, dtype, (len(parts),))
    for at, part in enumerate(parts):
        if not isinstance(part, Number):
            raise NotLowered("arrays side by side")
        data = moved(lowering, made.data, at, dtype.itemsize)
        put(
            lowering,
            Array(dtype, made.object, data, (), (), True),
            cast_parts(lowering, part, dtype),
        )
    give_array(lowering, step, made)


JOINS = {"concatenate": concatenate, "stack": stack}
LOWER |= JOINS
OF_ARRAYS |= JOINS
