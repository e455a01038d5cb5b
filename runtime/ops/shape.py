"""Shape: the same elements in another arrangement.

A new shape is a template of ints and places for staged ints. Ops marked as views may
share memory with their first input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import op
from runtime.ops.inference import (
    axes_of,
    axis_of,
    refuse_as_numpy,
    stand_in,
    static_shape,
)
from runtime.ops.template import Input, fill
from runtime.shapes import Dim, Shape
from runtime.spec import TensorSpec


def _reshape(
    x: Any,
    *sizes: Any,
    shape: tuple[Any, ...],
    turned: bool = False,
    copies: bool = False,
) -> Any:
    dims = fill(shape, sizes)
    try:
        made = np.reshape(x, dims)
    except ValueError:
        if not turned:
            raise
        # NumPy names the sizes in the order in which they were given.
        return np.reshape(np.transpose(x), dims[::-1], order="F").T
    return _apart(made, x) if copies else made


def _apart(made: Any, x: Any) -> Any:
    """What is said to be no view of x; where x lies otherwise than the trace knew."""
    return made.copy() if np.may_share_memory(made, x) else made


@op(kernel=_reshape, numpy=np.reshape, view=True)
def reshape(
    x: TensorSpec,
    *sizes: TensorSpec,
    shape: tuple[Any, ...],
    turned: bool = False,
    copies: bool = False,
) -> TensorSpec:
    """The elements of x, in C order, in `shape`; one size may be -1 (what is left).

    turned: x and `shape` are the other way round than in the call
    copies: as x lies, NumPy copies them
    ValueError: the number of elements differs.
    """
    return TensorSpec(_reshaped(x.shape, static_shape(shape), turned), x.dtype)


def _reshaped(old: Shape, dims: Shape, turned: bool) -> Shape:
    if dims is None:
        return None
    count = shapes.size_of(old)
    if dims.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    if count is None or None in dims:
        return tuple(None if dim == -1 else dim for dim in dims)
    known = math.prod(dim for dim in dims if isinstance(dim, int) and dim != -1)
    fits = count == known if -1 not in dims else known and count % known == 0
    if not fits:
        given = dims[::-1] if turned else dims
        refuse_as_numpy(np.reshape, stand_in(TensorSpec((count,), bool)), given)
    return tuple(count // known if dim == -1 else dim for dim in dims)


def _reshape_like(x: Any, whole: Any) -> Any:
    return np.reshape(x, np.shape(whole))


@op(kernel=_reshape_like, view=True)
def reshape_like(x: TensorSpec, whole: TensorSpec) -> TensorSpec:
    """The elements of x, in C order, in the shape of `whole`, which has as many."""
    return TensorSpec(whole.shape, x.dtype)


def _ravel(x: Any, *, copies: bool = False) -> Any:
    made = np.ravel(x)
    return _apart(made, x) if copies else made


@op(kernel=_ravel, numpy=np.ravel, view=True)
def ravel(x: TensorSpec, *, copies: bool = False) -> TensorSpec:
    """The elements of x in one row, in C order; copies: NumPy copies them."""
    return TensorSpec((shapes.size_of(x.shape),), x.dtype)


@op(numpy=np.transpose, view=True)
def transpose(x: TensorSpec, *, axes: tuple[int, ...] | None = None) -> TensorSpec:
    """The axes of x in the order `axes`; None reverses them.

    ValueError: `axes` does not name each axis once.
    """
    if x.shape is None:
        return TensorSpec(None if axes is None else (None,) * len(axes), x.dtype)
    if axes is None:
        return x.strong().with_shape(x.shape[::-1])
    if len(axes) != len(x.shape):
        raise ValueError("axes don't match array")
    order = [axis_of(axis, len(x.shape)) for axis in axes]
    if len(set(order)) != len(order):
        raise ValueError("repeated axis in transpose")
    return TensorSpec([x.shape[axis] for axis in order], x.dtype)


def _sequence(axis: int | tuple[int, ...]) -> tuple[int, ...]:
    return axis if isinstance(axis, tuple) else (axis,)


@op(numpy=np.expand_dims, view=True)
def expand_dims(x: TensorSpec, *, axis: int | tuple[int, ...]) -> TensorSpec:
    """`x` with axes of size 1 put in at the places `axis` of the result."""
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    places = _sequence(axis)
    rank = len(x.shape) + len(places)
    new = axes_of(places, rank)
    old = iter(x.shape)
    return TensorSpec([1 if i in new else next(old) for i in range(rank)], x.dtype)


@op(numpy=np.squeeze, view=True)
def squeeze(x: TensorSpec, *, axis: int | tuple[int, ...] | None = None) -> TensorSpec:
    """`x` without the axes `axis`, which have size 1; without all such if None.

    ValueError: an axis has another size.
    """
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    if axis is None:
        certain = all(isinstance(dim, int) for dim in x.shape)
        left = [dim for dim in x.shape if dim != 1]
        return TensorSpec(left if certain else None, x.dtype)
    gone = axes_of(axis, len(x.shape))
    if any(isinstance(x.shape[i], int) and x.shape[i] != 1 for i in gone):
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one"
        )
    return TensorSpec([d for i, d in enumerate(x.shape) if i not in gone], x.dtype)


def _broadcast_to(x: Any, *sizes: Any, shape: tuple[Any, ...]) -> Any:
    return np.broadcast_to(x, fill(shape, sizes))


@op(kernel=_broadcast_to, numpy=np.broadcast_to, view=True)
def broadcast_to(
    x: TensorSpec, *sizes: TensorSpec, shape: tuple[Any, ...]
) -> TensorSpec:
    """`x` repeated along axes of size 1 and new leading axes up to `shape`.

    ValueError: x does not fit.
    """
    dims = static_shape(shape)
    if dims is not None and x.is_static and shapes.is_static(dims):
        if not _fits(x.shape or (), dims):
            refuse_as_numpy(np.broadcast_to, stand_in(x), dims)
    return TensorSpec(dims, x.dtype)


def _fits(old: Sequence[Dim], new: Sequence[Dim]) -> bool:
    if len(old) > len(new):
        return False
    pairs = zip(reversed(old), reversed(new), strict=False)
    return all(
        not (isinstance(a, int) and isinstance(b, int)) or a in (1, b) for a, b in pairs
    )


@op(numpy=np.flip, view=True)
def flip(x: TensorSpec, *, axis: int | tuple[int, ...] | None = None) -> TensorSpec:
    """`x` backwards along `axis`, along all axes if None."""
    if x.shape is not None:
        axes_of(axis, len(x.shape))
    return x.strong()


def _roll(x: Any, *shifts: Any, shift: Any, axis: Any = None) -> Any:
    return np.roll(x, fill(shift, shifts), axis)


@op(kernel=_roll, numpy=np.roll)
def roll(
    x: TensorSpec,
    *shifts: TensorSpec,
    shift: Any,
    axis: int | tuple[int, ...] | None = None,
) -> TensorSpec:
    """`x` moved on by `shift` places along `axis`, round the end; flat if None."""
    if x.shape is not None and axis is not None:
        for one in _sequence(axis):
            axis_of(one, len(x.shape))
    return x.strong()


@op(numpy=np.rot90, view=True)
def rot90(x: TensorSpec, *, k: int = 1, axes: tuple[int, int] = (0, 1)) -> TensorSpec:
    """`x` turned by k quarters in the plane of `axes`, from the first to the second."""
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    first, second = (axis_of(axis, len(x.shape)) for axis in axes)
    dims = list(x.shape)
    if k % 2:
        dims[first], dims[second] = dims[second], dims[first]
    return TensorSpec(dims, x.dtype)


def _times(dim: Dim, count: Any) -> Dim:
    if isinstance(dim, int) and isinstance(count, int):
        return dim * count
    return dim if count == 1 else None


def _tile(x: Any, *counts: Any, reps: Any) -> Any:
    return np.tile(x, fill(reps, counts))


@op(kernel=_tile, numpy=np.tile)
def tile(
    x: TensorSpec, *counts: TensorSpec, reps: tuple[Any, ...] | Input
) -> TensorSpec:
    """`x` laid `reps[i]` times along each axis i."""
    if x.shape is None or isinstance(reps, Input):
        return TensorSpec(None, x.dtype)
    rank = max(len(x.shape), len(reps))
    dims = (1,) * (rank - len(x.shape)) + x.shape
    times = (1,) * (rank - len(reps)) + reps
    return TensorSpec([_times(*p) for p in zip(dims, times, strict=True)], x.dtype)


def _repeat(x: Any, *counts: Any, repeats: Any, axis: int | None = None) -> Any:
    return np.repeat(x, fill(repeats, counts), axis)


@op(kernel=_repeat, numpy=np.repeat)
def repeat(
    x: TensorSpec, *counts: TensorSpec, repeats: Any, axis: int | None = None
) -> TensorSpec:
    """Each element `repeats` times along `axis`, of the flat array if None.

    repeats: an int, a tuple of ints, or an input
    """
    if axis is None:
        dims: Shape = (_times(shapes.size_of(x.shape), _count(repeats)),)
        return TensorSpec(dims, x.dtype)
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    at = axis_of(axis, len(x.shape))
    size = _times(x.shape[at], _count(repeats))
    return TensorSpec((*x.shape[:at], size, *x.shape[at + 1 :]), x.dtype)


def _count(repeats: Any) -> Any:
    return repeats if isinstance(repeats, int) else object()


def _padded(dim: Dim, before: int, after: int) -> Dim:
    if before == after == 0:
        return dim
    return dim + before + after if isinstance(dim, int) else None


def _pad(x: Any, *fills: Any, width: Any, mode: str, options: dict[str, Any]) -> Any:
    return np.pad(x, width, mode, **fill(options, fills))  # type: ignore[call-overload] # a mode known at the trace


@op(kernel=_pad, numpy=np.pad)
def pad(
    x: TensorSpec,
    *fills: TensorSpec,
    width: tuple[tuple[int, int], ...],
    mode: str,
    options: dict[str, Any],
) -> TensorSpec:
    """`x` with `width[i]` = (before, after) places added around each axis i.

    mode, options: as in np.pad
    """
    if x.shape is None:
        return TensorSpec((None,) * len(width), x.dtype)
    pairs = zip(x.shape, width, strict=True)
    return TensorSpec([_padded(dim, *around) for dim, around in pairs], x.dtype)
