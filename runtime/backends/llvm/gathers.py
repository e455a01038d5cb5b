"""gathers: `x[rows, columns]`, `x[:, indices]`, `np.take(x, indices)`: what is picked.

Parts of an array in the order that arrays of ints say, or where truths hold. All
indices are looked at before anything is made, so that Python raises where one lies
outside, and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from runtime.backends.llvm import countings
from runtime.backends.llvm.arrays import give_array, load, moved, put
from runtime.backends.llvm.blocks import MakeArray, choice, compute_into, new_array
from runtime.backends.llvm.chains import result_of
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.keyed import TRUTHS, Picked, Row, along, picked, without_axis
from runtime.backends.llvm.library import OPS
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import (
    all_of,
    are_in_order,
    flat,
    is_one_piece,
    product,
)
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.llvm.views import require_inside
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input
from runtime.structs import replace


def gather(lowering: Lowering, step: Step) -> None:
    """`x[...]` by arrays of ints, or of truths."""
    if _is_by_truths(step):
        countings.by_truths(lowering, step)
        return
    found = picked(lowering, step)
    if found.at:
        require_inside(lowering, step)
    # What is left of the axes NumPy lays as they lie, within what is picked.
    _give(lowering, step, found, are_in_order(lowering, found.rest), 0)


def take(lowering: Lowering, step: Step) -> None:
    """`np.take(x, indices, axis)`, which lies in C's order."""
    array, axis = whole(lowering, step.inputs[0]), step.node.attributes.get("axis")
    if not isinstance(array, Array) or not array.dims:
        raise NotLowered("what is taken of a number")
    known: Operand = True
    if axis is None and len(array.dims) > 1:
        known = is_one_piece(lowering, array)
        array = flat(array, product(lowering, array.dims))
    axis = (axis or 0) % len(array.dims)
    size, stride = array.dims[axis], array.strides[axis]
    if step.inputs[1].spec.dtype == TRUTHS:
        raise NotLowered("truths in place of indices")
    rest = without_axis(array, axis)
    found = along(lowering, step.inputs[1], size, stride, rest)
    _give(lowering, step, replace(found, at=axis), known, axis)


def _is_by_truths(step: Step) -> bool:
    """Whether truths say of each element whether it is picked."""
    index, known = step.node.attributes["index"], step.node.attributes
    if len(index) != 1 or not isinstance(index[0], Input) or known.get("flat"):
        return False
    shapes = [one.spec.shape for one in (step.inputs[0], step.inputs[1 + index[0].k])]
    ranks = {None if shape is None else len(shape) for shape in shapes}
    is_one = len(ranks) == 1 and ranks.isdisjoint({None, 0})
    return is_one and step.inputs[1 + index[0].k].spec.dtype == TRUTHS


def _give(
    lowering: Lowering, step: Step, found: Picked, known: Operand, place: int
) -> None:
    """The result, in memory with what is picked at an axis; else by Python.

    known: whether it is known where NumPy lays it
    """
    (variable,) = step.outputs
    if found.laid is not None:
        known = all_of(lowering, [known, is_one_piece(lowering, found.laid)])
    if known is False:
        raise NotLowered("parts of an array in another order than C's")
    if known is True:
        _leave_unless_within(lowering, found)
        make = partial(result_of, variable)
        give_array(lowering, step, _gathered(lowering, found, place, make))
        return
    made = lowering.entering(variable)
    assert isinstance(made, Array)

    def here() -> None:
        _leave_unless_within(lowering, found)
        one = _gathered(lowering, found, place, new_array)
        lowering.assign(operands_of(made), operands_of(one))

    choice(lowering, known, here, lambda: call_python(lowering, step, (made,)))()
    give_array(lowering, step, replace(made, is_view=found.at != place))


def _gathered(lowering: Lowering, found: Picked, place: int, make: MakeArray) -> Array:
    """The elements, or parts, in an array of their own."""
    rest, width = found.rest.dims, len(found.dims)
    inner = (*rest[:place], *found.dims, *rest[place:])
    made = make(lowering, found.rest.dtype, inner)
    # What is picked, as one axis: its elements lie one after the other.
    at, last = lowering.local(INT), place + width - 1
    line = replace(
        made,
        dims=(*rest[:place], *rest[place:]),
        strides=(*made.strides[:place], *made.strides[last + 1 :]),
        is_view=True,
    )

    def one() -> None:
        source = found.rest.data
        for row in found.rows:
            index = _index(lowering, row, at)
            source = lowering.compute("address", POINTER, source, index, row.stride)
        part = replace(found.rest, data=source)
        target = replace(line, data=moved(lowering, made.data, at, made.strides[last]))
        if part.dims:
            compute_into(lowering, target, part)
        else:
            put(lowering, target, load(lowering, part))

    count = product(lowering, found.dims)
    lowering.emit("for", at, count, blocks=(lowering.within(one),))
    return made if found.at == place else _moved_to(made, place, width, found.at)


def _moved_to(made: Array, place: int, width: int, at: int) -> Array:
    """The array with so many axes from a place on at another one."""

    def order(parts: Sequence[Operand]) -> tuple[Operand, ...]:
        rest = (*parts[:place], *parts[place + width :])
        return (*rest[:at], *parts[place : place + width], *rest[at:])

    return replace(
        made, dims=order(made.dims), strides=order(made.strides), is_view=True
    )


def _leave_unless_within(lowering: Lowering, found: Picked) -> None:
    """Go on as Python where an index lies outside."""
    for row in found.rows:
        if not row.is_within:
            lowering.leave_if(_is_outside(lowering, row))


def _is_outside(lowering: Lowering, row: Row) -> Local:
    """Whether an index of a row does."""
    outside, at = lowering.local(BIT), lowering.local(INT)
    lowering.assign([outside], [False])

    def one() -> None:
        index = _index(lowering, row, at)
        far = lowering.compute("icmp uge", BIT, index, row.size, type=INT)
        some = lowering.compute("or", BIT, outside, far, type=BIT)
        lowering.assign([outside], [some])

    blocks = (lowering.within(one),)
    lowering.emit("for", at, row.ints.dims[0], blocks=blocks)
    return outside


def _index(lowering: Lowering, row: Row, at: Operand) -> Operand:
    """An index, counted from the front."""
    ints = row.ints
    place = lowering.compute("address", POINTER, ints.data, at, ints.strides[0])
    kind = machine_type(ints.dtype)
    found = lowering.compute("load", kind, place)
    if kind != INT:
        word = "sext" if ints.dtype.kind == "i" else "zext"
        found = lowering.compute(word, INT, found, type=kind)
    if ints.dtype.kind == "u" or row.is_within:
        return found
    below = lowering.compute("icmp slt", BIT, found, 0, type=INT)
    from_end = lowering.compute("add", INT, found, row.size, type=INT)
    return lowering.compute("select", INT, below, from_end, found)


OPS |= {"index": gather, "take": take}
