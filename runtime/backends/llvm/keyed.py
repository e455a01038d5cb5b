"""keyed: what a key with arrays in it picks: `x[rows, columns]`, `x[:, indices]`.

Slices and ints of the key are a view; what is left are rows of ints, which go along
some of its axes side by side. Truths are the rows of where they hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm import countings
from runtime.backends.llvm.arrays import moved, part_of, within
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.handed import row
from runtime.backends.llvm.loops import Array, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import flat, is_one, product
from runtime.backends.llvm.slices import index_of
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input
from runtime.structs import replace, struct

TRUTHS = np.dtype(bool)


@struct
class Row:
    """A row of ints that goes along an axis.

    size, stride: of that axis
    is_within: nobody has to look whether they lie inside
    """

    ints: Array
    size: Operand
    stride: Operand
    is_within: bool = False


@struct
class Picked:
    """What is picked of an array.

    rows: that go along axes, all of the same size
    dims: of what they pick
    rest: the array without these axes, at their first element
    at:   the axis of the result where what they pick stands
    laid: the array whose elements the rows are, if it has several dims
    """

    rows: list[Row]
    dims: tuple[Operand, ...]
    rest: Array
    at: int
    laid: Array | None = None


def picked(lowering: Lowering, step: Step) -> Picked:
    """What the key of a step picks."""
    variable, *dynamic = step.inputs
    index, array = step.node.attributes["index"], whole(lowering, variable)
    if step.node.attributes.get("flat") or not isinstance(array, Array):
        raise NotLowered("indices into what is flat")
    if not array.dims or step.outputs[0].spec.shape is None:
        raise NotLowered("indices into what has any dims")
    if any(type(part) is bool for part in index):
        raise NotLowered("a truth as an axis")
    places = [at for at, part in enumerate(index) if isinstance(part, int | Input)]
    plain = [slice(None) if at in places else part for at, part in enumerate(index)]
    view = part_of(lowering, array, tuple(plain), dynamic)
    axes = _axes(index, len(view.dims))
    rest = _without(view, {axes[at] for at in places})
    data, found = rest.data, list[Picked]()
    for at in places:
        size, stride = view.dims[axes[at]], view.strides[axes[at]]
        number = index_of(lowering, index[at], dynamic)
        if number is None:
            one = along(lowering, dynamic[index[at].k], size, stride, rest)
            found.append(one)
        else:
            data = moved(lowering, data, within(lowering, number, size), stride)
    first = _same_dims(lowering, found)
    beside = places == [*range(places[0], places[-1] + 1)]
    return replace(
        first,
        rows=[one for each in found for one in each.rows],
        rest=replace(rest, data=data),
        at=axes[places[0]] if beside else 0,
    )


def along(
    lowering: Lowering, variable: Variable, size: Operand, stride: Operand, rest: Array
) -> Picked:
    """What one array of a key picks, along an axis."""
    spec = variable.spec
    if spec.dtype is None or spec.dtype.kind not in "biu" or spec.dtype.char in "LQ":
        raise NotLowered(f"indices of {spec.dtype}")
    if spec.dtype == TRUTHS:
        truths = row(lowering, lowering.operand(variable))
        lowering.leave_unless_equal(truths.dims[0], size)
        ints = countings.indices_of(lowering, truths)
        return Picked([Row(ints, size, stride, True)], ints.dims, rest, 0)
    array = whole(lowering, variable)
    if not isinstance(array, Array) or not array.dims:
        raise NotLowered("indices without dims")
    if len(array.dims) == 1:
        return Picked([Row(array, size, stride)], array.dims, rest, 0)
    line = flat(array, product(lowering, array.dims))
    return Picked([Row(line, size, stride)], array.dims, rest, 0, array)


def without_axis(array: Array, axis: int) -> Array:
    """What an array is at the first index of an axis."""
    return _without(array, {axis})


def _without(array: Array, axes: set[int]) -> Array:
    kept = [axis for axis in range(len(array.dims)) if axis not in axes]
    dims = tuple(array.dims[axis] for axis in kept)
    strides = tuple(array.strides[axis] for axis in kept)
    return replace(array, dims=dims, strides=strides, is_view=True)


def _axes(index: tuple[Any, ...], rank: int) -> list[int]:
    """The axis of the view that each part of a key leads to; of `...` the first."""
    missing = rank - len(index) + 1 if any(part is ... for part in index) else 0
    found, axis = [], 0
    for part in index:
        found.append(axis)
        axis += missing if part is ... else 1
    return found


def _same_dims(lowering: Lowering, found: list[Picked]) -> Picked:
    """The first of the arrays of a key; Python goes on where another has other dims."""
    if not found:
        raise NotLowered("a key without arrays")
    first = found[0]
    for one in found[1:]:
        if len(one.dims) > 1 or len(first.dims) > 1:
            raise NotLowered("several indices of several dims")
        (size,), (known,) = one.dims, first.dims
        if is_one(size) != is_one(known):
            raise NotLowered("an index that is repeated")
        lowering.leave_unless_equal(size, known)
    return first
