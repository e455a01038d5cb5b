"""gathers: `x[indices]`: elements, or rows, in the order that an array of ints says.

All indices are looked at before anything is made, so that Python raises where one lies
outside, and nothing has happened.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from runtime.backends.llvm import library
from runtime.backends.llvm.arrays import give_array, load, put
from runtime.backends.llvm.blocks import MakeArray, choice, compute_into, new_array
from runtime.backends.llvm.chains import result_of
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.pieces import is_one_piece
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input


def gather(lowering: Lowering, step: Step) -> None:
    """`x[indices]` of one row of indices, along the first axis; or of truths."""
    if _is_by_truths(step):
        library.op(lowering, step)
        return
    x, indices = _operands(lowering, step)
    _leave_unless_within(lowering, indices, x.dims[0])
    (variable,) = step.outputs
    make = partial(result_of, variable)
    # NumPy lays the rows as those of `x` lie.
    piece = is_one_piece(lowering, x) if len(x.dims) > 1 else True
    if not isinstance(piece, Local):
        if not piece:
            raise NotLowered("rows of an array in another order than C's")
        give_array(lowering, step, _gathered(lowering, x, indices, make))
        return
    made = lowering.entering(variable)

    def here() -> None:
        found = _gathered(lowering, x, indices, new_array)
        lowering.assign(operands_of(made), operands_of(found))

    choice(lowering, piece, here, lambda: call_python(lowering, step, (made,)))()
    assert isinstance(made, Array)
    give_array(lowering, step, made)


def _is_by_truths(step: Step) -> bool:
    """Whether an index is one row of truths, into one row."""
    index, known = step.node.attributes["index"], step.node.attributes
    if len(index) != 1 or not isinstance(index[0], Input) or known.get("flat"):
        return False
    specs = step.inputs[0].spec, step.inputs[1 + index[0].k].spec
    is_one = all(len(one.shape or ()) == 1 for one in specs)
    return is_one and specs[1].dtype == np.dtype(bool)


def _gathered(lowering: Lowering, x: Array, indices: Array, make: MakeArray) -> Array:
    """The elements, or rows, in an array of their own."""
    dims = (indices.dims[0], *x.dims[1:])
    made = make(lowering, x.dtype, dims)
    at = lowering.local(INT)

    def one() -> None:
        index = _index(lowering, indices, at, x.dims[0])
        source = _row(lowering, x, index)
        place = _row(lowering, made, at)
        if source.dims:
            compute_into(lowering, place, source)
        else:
            put(lowering, place, load(lowering, source))

    blocks = (lowering.within(one),)
    lowering.emit("for", at, dims[0], blocks=blocks)
    return made


def _operands(lowering: Lowering, step: Step) -> tuple[Array, Array]:
    """The array and the row of indices."""
    variable, *dynamic = step.inputs
    index = step.node.attributes["index"]
    if len(index) != 1 or not isinstance(index[0], Input):
        raise NotLowered("several indices, or a mask")
    spec = dynamic[index[0].k].spec
    if spec.dtype is None or spec.dtype.kind not in "iu" or spec.dtype.char in "LQ":
        raise NotLowered("a mask, or indices of uint64")
    if spec.shape is None or len(spec.shape) != 1:
        raise NotLowered("indices of several dims")
    found = [whole(lowering, one) for one in (variable, dynamic[index[0].k])]
    x, indices = found
    if not isinstance(x, Array) or not isinstance(indices, Array) or not x.dims:
        raise NotLowered("indices into no array")
    if step.node.attributes.get("flat") or step.outputs[0].spec.shape is None:
        raise NotLowered("indices into what is flat")
    return x, indices


def _leave_unless_within(lowering: Lowering, indices: Array, size: Operand) -> None:
    """Go on as Python where an index lies outside."""
    outside, at = lowering.local(BIT), lowering.local(INT)
    lowering.assign([outside], [False])

    def one() -> None:
        index = _index(lowering, indices, at, size)
        far = lowering.compute("icmp uge", BIT, index, size, type=INT)
        some = lowering.compute("or", BIT, outside, far, type=BIT)
        lowering.assign([outside], [some])

    blocks = (lowering.within(one),)
    lowering.emit("for", at, indices.dims[0], blocks=blocks)
    lowering.leave_if(outside)


def _index(lowering: Lowering, indices: Array, at: Operand, size: Operand) -> Operand:
    """An index, counted from the front."""
    place = lowering.compute("address", POINTER, indices.data, at, indices.strides[0])
    kind = machine_type(indices.dtype)
    found = lowering.compute("load", kind, place)
    if kind != INT:
        word = "sext" if indices.dtype.kind == "i" else "zext"
        found = lowering.compute(word, INT, found, type=kind)
    if indices.dtype.kind == "u":
        return found
    below = lowering.compute("icmp slt", BIT, found, 0, type=INT)
    from_end = lowering.compute("add", INT, found, size, type=INT)
    return lowering.compute("select", INT, below, from_end, found)


def _row(lowering: Lowering, x: Array, index: Operand) -> Array:
    """The row, or the element, at an index."""
    data = lowering.compute("address", POINTER, x.data, index, x.strides[0])
    return Array(x.dtype, x.object, data, x.dims[1:], x.strides[1:], True)


LOWER["index"] = OF_ARRAYS["index"] = gather
