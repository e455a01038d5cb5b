"""rebasing: what a run gives as a part of new content, as the part of the array itself.

An argument that is not written where it lies has its new content elsewhere, which is
copied into it at the end. What the run has taken of that content (`x.T`, `z.real`) is
taken of the caller's array then: by the bytes at which its elements begin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from runtime.hushed import warnings_as


def rebased(output: Any, content: Any, array: Any) -> Any:
    """A view of `content` as the same view of `array`, which has this content now.

    Anything else, and what is no view of an array that lies as this one, as it is.
    """
    if not isinstance(output, np.ndarray) or not output.size:
        return output
    same = content.shape == array.shape and content.dtype == array.dtype
    if not same or not np.may_share_memory(output, content):
        return output
    (first, last), (start, end) = byte_bounds(output), byte_bounds(content)
    if first < start or last > end:
        return output
    place = _place(output, content, array)
    if place is None:
        return output
    made = _part(array, *place, output)
    if output.__array_interface__["data"][1]:
        with warnings_as("ignore"):
            # Of a look at what `np.broadcast_arrays` gives.
            made.flags.writeable = output.flags.writeable
    return made


def _place(output: Any, content: Any, array: Any) -> tuple[int, tuple[int, ...]] | None:
    """The address and strides of a view of `array`, as `output` is one of `content`.

    None where it would be no view.
    """
    if content.strides == array.strides:
        offset = _address(output) - _address(content)
        return _address(array) + offset, output.strides
    turned = tuple(slice(None, None, -1 if step < 0 else 1) for step in content.strides)
    content, array = content[turned], array[turned]
    axes = sorted(range(content.ndim), key=lambda axis: -content.strides[axis])
    content, array = content.transpose(axes), array.transpose(axes)
    if not content.flags.c_contiguous:
        return None
    begins = _ramps(_address(output) - _address(content), output, output.strides)
    numbers, offsets = np.divmod(begins, array.itemsize)
    if offsets.max() + output.itemsize > array.itemsize:
        return None  # it lies in more than one element
    for axis, at in enumerate(np.unravel_index(numbers, array.shape)):
        offsets += at * array.strides[axis]
    strides = tuple(_step(offsets, axis) for axis in range(output.ndim))
    start = int(offsets.flat[0])
    if not np.array_equal(offsets, _ramps(start, output, strides)):
        return None
    return _address(array) + start, strides


def _ramps(start: int, like: Any, strides: tuple[int, ...]) -> Any:
    """Where the elements of an array with these strides begin."""
    begins = np.full(like.shape, start)
    grid = np.ogrid[tuple(map(slice, like.shape))]
    for ramp, step in zip(grid, strides, strict=True):
        begins += ramp * step
    return begins


def _step(begins: Any, axis: int) -> int:
    """How far the elements next to each other along an axis are in memory."""
    row = begins[tuple(slice(None) if at == axis else 0 for at in range(begins.ndim))]
    return int(row[1] - row[0]) if len(row) > 1 else begins.itemsize


class _Memory:
    """Of an array, what lies at an address; it keeps the array."""

    def __init__(self, interface: dict[str, Any], array: Any) -> None:
        self.__array_interface__ = interface
        self.array = array


def _part(array: Any, address: int, strides: tuple[int, ...], like: Any) -> Any:
    if array.flags.c_contiguous:
        # The array is what its `.base` is.
        start = address - _address(array)
        return np.ndarray(like.shape, like.dtype, array, start, strides)
    where = {"data": (address, not array.flags.writeable), "strides": strides}
    made: Any = np.asarray(_Memory({**like.__array_interface__, **where}, array))
    if made.dtype != like.dtype:
        made.dtype = like.dtype  # of fields only the sizes are told
    return made


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
