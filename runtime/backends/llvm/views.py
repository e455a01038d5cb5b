"""views: an array's own elements, its axes in another order."""

from __future__ import annotations

from dataclasses import replace

from runtime.backends.llvm.lowering import OF_ARRAYS, Lowering
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


OF_ARRAYS["transpose"] = transpose
