"""Place numbers: a place in an array as the numbers of a vector, written and read.

What they say of an array, and what is done by them, is in `runtime/ops/places.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.inference import INDEX
from runtime.structs import struct

# An order of axes is one number for so many of them; of more it is said to be C's.
_MOST_AXES = 10
_DIGIT = 64


@struct
class Place:
    """A place, read.

    Of a part that is not there the order is below 0, and says of which axis, of what
    size, the index was outside that the start is then.
    """

    order: int
    start: int
    steps: list[int]
    sizes: list[int]

    @property
    def is_empty(self) -> bool:
        return 0 in self.sizes

    @property
    def is_nowhere(self) -> bool:
        return self.order < 0

    def ends(self, itemsize: int) -> tuple[int, int]:
        """The first byte of all its elements in memory, and the one after the last."""
        if self.is_empty:
            return self.start, self.start
        pairs = zip(self.steps, self.sizes, strict=True)
        ways = [step * (size - 1) for step, size in pairs]
        low = self.start + sum(way for way in ways if way < 0)
        return low, self.start + sum(way for way in ways if way > 0) + itemsize


def told(where: Any) -> Place:
    """The place that a vector says, of a part that may not be there."""
    order, start, *rest = where.tolist()
    rank = len(rest) // 2
    return Place(order, start, rest[:rank], rest[rank:])


def read(where: Any) -> Place:
    """The place of a part that is there. IndexError: it is not."""
    place = told(where)
    if place.is_nowhere:
        size, axis = divmod(~place.order, _DIGIT)
        words = f"index {place.start} is out of bounds for axis {axis} with size {size}"
        raise IndexError(words)
    return place


def nowhere(axis: int, size: int) -> int:
    """The order that says that an index was outside of an axis."""
    return ~(size * _DIGIT + axis)


def vector(place: Place) -> Any:
    """The numbers of a place."""
    return np.array([place.order, place.start, *place.steps, *place.sizes], INDEX)


def order_of(x: Any) -> int:
    """The order of an array's axes in memory; 0: that of C."""
    axes = np.argsort([-abs(step) for step in x.strides], kind="stable").tolist()
    if axes == sorted(axes) or x.ndim > _MOST_AXES:
        return 0
    order = 0
    for axis in reversed(axes):
        order = order * _DIGIT + axis
    return order


def axes_of(order: int, rank: int) -> list[int]:
    """The axes as they follow one another in memory."""
    if not order:
        return list(range(rank))
    axes = []
    for _ in range(rank):
        order, axis = divmod(order, _DIGIT)
        axes.append(axis)
    return axes


def steps_of(axes: list[int], sizes: Any, itemsize: int) -> list[int]:
    """The steps of an array without gaps whose axes follow one another so."""
    steps, step = [0] * len(axes), itemsize
    for axis in reversed(axes):
        steps[axis] = step
        step *= sizes[axis]
    return steps
