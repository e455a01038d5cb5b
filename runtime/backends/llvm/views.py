"""views: an array's own elements: its axes in another order, or with one more.

Where nothing but further operations of elements takes what has one more, it is an
expression still: `pull[:, None]`.
"""

from __future__ import annotations

from dataclasses import replace

from runtime.backends.llvm import arrays
from runtime.backends.llvm.chains import give, is_left
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.loops import Map
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import with_axis
from runtime.backends.llvm.meeting import axes_added
from runtime.backends.llvm.pieces import dropped, inside, is_dropped, is_folded
from runtime.backends.numpy.program import Step


def transpose(lowering: Lowering, step: Step) -> None:
    """`x.T`, `x.transpose(axes)`: a view."""
    array = lowering.array_of(step.inputs[0])
    rank, axes = len(array.dims), step.node.attributes.get("axes")
    order = [axis % rank for axis in (axes or range(rank)[::-1])]
    dims = tuple(array.dims[axis] for axis in order)
    strides = tuple(array.strides[axis] for axis in order)
    (variable,) = step.outputs
    lowering.values[variable] = replace(array, dims=dims, strides=strides, is_view=True)
    lowering.join(variable, step.inputs[0])


def slice_(lowering: Lowering, step: Step) -> None:
    """`x[...]`, which may be an expression where it adds axes alone."""
    if not _is_expression(lowering, step):
        arrays.slice_(lowering, step)


def expand_dims(lowering: Lowering, step: Step) -> None:
    """`np.expand_dims(x, axis)`: a view."""
    if _is_expression(lowering, step):
        return
    array = lowering.array_of(step.inputs[0])
    for at in axes_added(step) or ():
        dims = (*array.dims[:at], 1, *array.dims[at:])
        strides = (*array.strides[:at], 0, *array.strides[at:])
        array = replace(array, dims=dims, strides=strides, is_view=True)
    (variable,) = step.outputs
    lowering.values[variable] = array
    lowering.join(variable, step.inputs[0])


def _is_expression(lowering: Lowering, step: Step) -> bool:
    """Give the expression with the axes; else its operand is an array from now on."""
    value, places = lowering.values.get(step.inputs[0]), axes_added(step)
    if not isinstance(value, Map):
        return False
    made = None if places is None else _with_axes(lowering, value, places)
    if made is not None and is_left(lowering, step, made, step.inputs[:1]):
        give(lowering, step, made, step.inputs[:1])
        return True
    whole(lowering, step.inputs[0])
    return False


def _with_axes(lowering: Lowering, value: Map, places: list[int]) -> Map | None:
    """The expression with axes at these places; None where rows would be none."""
    for place in places:
        after = len(value.dims) - place
        if not is_dropped(value):
            if not after and is_folded(value):
                return None
            value = with_axis(value, after, lowering.widened)
            continue
        rows = inside(value)
        assert isinstance(rows, Map)
        if after:
            rows = dropped(with_axis(rows, after + 1, lowering.widened))
        value = rows
    return value


LOWER["slice"] = slice_
OF_ARRAYS |= {"transpose": transpose, "slice": slice_, "expand_dims": expand_dims}
