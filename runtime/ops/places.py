"""Places: views by the places of their elements (see `runtime.places`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.op import op
from runtime.ops.inference import INDEX
from runtime.spec import TensorSpec


def _own_places(x: Any) -> Any:
    return np.arange(x.size).reshape(x.shape)


@op(kernel=_own_places)
def own_places(x: TensorSpec) -> TensorSpec:
    """For each element of x its place among them, in C order."""
    return TensorSpec(x.shape, INDEX)


def _part_at(x: Any, places: Any) -> Any:
    x, places = np.asarray(x), np.asarray(places)
    if not x.size:
        return np.zeros(places.shape, x.dtype)
    if not places.size:
        return x.reshape(-1)[:0].reshape(places.shape)
    found = np.unravel_index(places.clip(0, x.size - 1), x.shape)
    offsets = np.zeros_like(places)
    for at, step in zip(found, x.strides, strict=True):
        offsets += at * step
    start = (0,) * places.ndim
    steps = [_step(offsets, axis, x.itemsize) for axis in range(places.ndim)]
    regular = offsets[start]
    for ramp, step in zip(
        np.ogrid[tuple(map(slice, places.shape))], steps, strict=True
    ):
        regular = regular + ramp * step
    if not np.array_equal(regular, offsets):
        return x.reshape(-1).take(places, mode="clip")
    first = (slice(int(at[start]), int(at[start]) + 1) for at in found)
    return as_strided(x[(*first, ...)], places.shape, steps)


def _step(offsets: Any, axis: int, least: int) -> int:
    """How far the elements next to each other along an axis are in memory."""
    if offsets.shape[axis] == 1:
        return least
    row = offsets[tuple(slice(None) if at == axis else 0 for at in range(offsets.ndim))]
    return int(row[1] - row[0])


@op(kernel=_part_at, view=True)
def part_at(x: TensorSpec, places: TensorSpec) -> TensorSpec:
    """The elements of x at `places`, in C order; at others any of them: nobody asks."""
    return TensorSpec(places.shape, x.dtype)


def _has_no_dims(x: Any) -> bool:
    return np.ndim(x) == 0


@op(kernel=_has_no_dims)
def has_no_dims(x: TensorSpec) -> TensorSpec:
    """Whether an array of an unknown number of dims has none: it is an element."""
    return TensorSpec((), bool, weak=True)


def _is_reshaped(places: Any, made: Any, ravels: bool) -> bool:
    places = np.asarray(places)
    if not places.size:
        return False  # nobody can tell
    steps = [_step(places, axis, 1) for axis in range(places.ndim)]
    memory = np.empty(int(places.max()) + 1, "u1")
    before = as_strided(memory[int(places.flat[0]) :], places.shape, steps)
    after = before.ravel() if ravels else before.reshape(made.shape)
    return np.may_share_memory(before, after)


@op(kernel=_is_reshaped)
def is_reshaped(places: TensorSpec, made: TensorSpec, *, ravels: bool) -> TensorSpec:
    """Whether NumPy reshapes what lies at `places` to `made` without a copy.

    ravels: what is not in one piece is copied even where strides would do
    """
    return TensorSpec((), bool, weak=True)


def _with_part_at(x: Any, part: Any, places: Any) -> Any:
    if x.size:
        np.put(x, places, part, mode="clip")
    return x


@op(into=_with_part_at)
def with_part_at(x: TensorSpec, part: TensorSpec, places: TensorSpec) -> TensorSpec:
    """The array x with `part` at `places`, in C order."""
    return x
