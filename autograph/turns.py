"""turns: the loops of `ag.vectorize` and `ag.vmap`, converted as a user's functions.

What a function gives for each turn goes into an array of the first turn's dtype, where
all turns are known to give it; else into a list that NumPy makes an array of.
"""

# Only the bodies run, in their converted form, with operators of the user's trace.
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import layouts


def over_elements(
    function: Callable[..., Any], elements: layouts.Elements
) -> Callable[..., Any]:
    """The function that `ag.vectorize` makes of one of numbers."""

    def vectorized(*args: Any, **kwargs: Any) -> Any:
        values, places = elements.operands(args, kwargs)
        arrays = [values[place] for place in places]
        shape = broadcast_shape(arrays)
        flat = arrays
        if len(arrays) != 1 or len(shape) != 1:
            flat = [np.broadcast_to(array, shape).flatten() for array in arrays]
        count = math.prod(shape)
        if elements.otypes is None and count == 0:
            raise ValueError(
                f"`{elements.name}` is called for no element, as the inputs have size "
                "0; otypes says what dtypes it would give"
            )

        def call(turn: Any) -> Any:
            given = list(values)
            for place, array in zip(places, flat, strict=True):
                given[place] = array[turn]
            named = dict(zip(kwargs, given[len(args) :], strict=True))
            return function(*given[: len(args)], **named)

        outs, structure = gathered(call, count, elements)
        if len(shape) != 1:
            outs = [out.reshape(shape)[()] for out in outs]
        return layouts.joined(structure, outs)

    return vectorized


def over_slices(
    function: Callable[..., Any], slices: layouts.Slices
) -> Callable[..., Any]:
    """The function that `ag.vmap` makes of one of slices."""

    def mapped(*args: Any, **kwargs: Any) -> Any:
        leaves, axes, structure = slices.operands(args, kwargs)
        moved = [
            leaf if axis is None else np.moveaxis(leaf, axis, 0)
            for leaf, axis in zip(leaves, axes, strict=True)
        ]
        sizes = [
            np.shape(leaf)[0]
            for leaf, axis in zip(moved, axes, strict=True)
            if axis is not None
        ]
        require_one_size(sizes, slices)

        def call(turn: Any) -> Any:
            given = [
                leaf if axis is None else leaf[turn]
                for leaf, axis in zip(moved, axes, strict=True)
            ]
            own, named = layouts.joined(structure, given)
            return function(*own, **named)

        outs, form = gathered(call, sizes[0], slices)
        placed = [
            out if axis == 0 else np.moveaxis(out, 0, axis)
            for out, axis in zip(outs, slices.places(form, outs), strict=True)
        ]
        return layouts.joined(form, placed)

    return mapped


def require_one_size(sizes: Any, slices: Any) -> None:
    """ValueError: the axes have several sizes, or no slices."""
    for size in sizes[1:]:
        if size != sizes[0]:
            raise ValueError(
                f"vmap of `{slices.name}` goes along axes of different sizes: "
                f"{sizes[0]} and {size}"
            )
    if sizes[0] == 0:
        raise ValueError(f"`{slices.name}` is called for no slice: the axis has size 0")


def broadcast_shape(arrays: Any) -> Any:
    """The shape that all are broadcast to. ValueError, as NumPy's: there is none."""
    shape = [1] * max([0, *map(np.ndim, arrays)])
    largest = [0] * len(shape)
    for at, array in enumerate(arrays):
        for axis in range(-np.ndim(array), 0):
            size = np.shape(array)[axis]
            if shape[axis] == 1:
                shape[axis] = size
                largest[axis] = at
            elif size != 1 and size != shape[axis]:
                first = largest[axis]
                raise ValueError(
                    "shape mismatch: objects cannot be broadcast to a single shape.  "
                    f"Mismatch is between arg {first} with shape "
                    f"{np.shape(arrays[first])} and arg {at} with shape "
                    f"{np.shape(array)}."
                )
    return tuple(shape)


def gathered(call: Any, count: Any, turns: Any) -> Any:
    """For each result an array of those of all turns; and how the results are held."""
    if turns.otypes is not None:
        structure, shapes, kinds = turns.structure, [()] * len(turns.otypes), None
        outs = [np.empty(count, otype) for otype in turns.otypes]
        begin = 0
    else:
        first, structure = turns.split(layouts.called(call, 0))
        shapes = [np.shape(one) for one in first]
        kinds = layouts.kinds_of(first)
        if kinds is None:
            return listed(call, count, turns, first, structure)
        outs = [
            np.empty((count, *shape), kind)
            for shape, kind in zip(shapes, kinds, strict=True)
        ]
        for out, one in zip(outs, first, strict=True):
            out[0] = one
        begin = 1
    for turn in range(begin, count):
        found = turns.split_like(layouts.called(call, turn), structure)
        require_shapes(found, shapes, turns)
        layouts.require_kinds(found, kinds)
        for out, one in zip(outs, found, strict=True):
            out[turn] = one
    return outs, structure


def listed(call: Any, count: Any, turns: Any, first: Any, structure: Any) -> Any:
    """The same, by lists, where the dtypes are known at the end alone."""
    shapes = [np.shape(one) for one in first]
    columns = [[one] for one in first]
    for turn in range(1, count):
        found = turns.split_like(layouts.called(call, turn), structure)
        require_shapes(found, shapes, turns)
        for column, one in zip(columns, found, strict=True):
            column.append(one)
    return [np.array(column) for column in columns], structure


def require_shapes(found: Any, shapes: Any, turns: Any) -> None:
    """ValueError: a result has another shape than the first turn's."""
    for one, shape in zip(found, shapes, strict=True):
        if np.shape(one) != shape:
            raise ValueError(
                f"`{turns.name}` gave an array of shape {np.shape(one)}, and of shape "
                f"{shape} at first"
            )
