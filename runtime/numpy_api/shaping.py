"""NumPy's functions that rearrange an array, views where NumPy gives views."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime import build, shapes
from runtime.layouts import Unknown, axes_gone_through, is_contiguous, lying
from runtime.numpy_api import faults, host
from runtime.numpy_api.create import as_indices
from runtime.numpy_api.host_views import Call, refuse_overlapping
from runtime.numpy_api.indexing import layout, view
from runtime.numpy_api.operands import (
    Axis,
    array_tensor,
    as_array,
    has_tensor,
    sizes,
    static_axis,
)
from runtime.numpy_api.orders import as_order
from runtime.numpy_api.perhaps import perhaps
from runtime.numpy_api.table import call_function, implements
from runtime.ops import shape
from runtime.ops.inference import axes_of, axis_of
from runtime.ops.template import encode
from runtime.spec import TensorSpec, object_type
from runtime.tensor import Tensor
from runtime.written import note_copies


@implements(np.reshape, operands=2)
def reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    """`np.reshape`: a view of an array that lies in C order, else a copy."""
    base = as_array(a)
    if copy is not None or order not in ("C", "A", "F"):
        return NotImplemented
    if order == "F" or (order == "A" and _is_fortran(base)):
        dims = shape[::-1] if isinstance(shape, (tuple, list)) else shape
        return transpose(_in_c_order(turned(base), dims, turned=True))
    return _in_c_order(base, shape)


def _in_c_order(base: Tensor, dims: Any, **words: bool) -> Tensor:
    template, found = sizes(dims)
    found = [Tensor(size.value) for size in found]
    return _reshaped(base, lambda x: shape.reshape(x, *found, shape=template, **words))


def _reshaped(
    base: Tensor, read: Callable[[Tensor], Tensor], ravels: bool = False
) -> Tensor:
    made = read(base)
    many = ravels or base.spec.rank != 1
    found = _is_view(base, made, ravels)
    if found:
        told: dict[str, Any] = {"contiguous": is_contiguous(base), "by_layout": many}
        return view(base, made, read, restore_shape, **told)
    made.scalar, frame = False, build.require_current("an array")
    frame.trace.asks_layout |= many
    if found is False:
        return note_copies(frame, made)
    here = partial(view, base, made, read, restore_shape, by_layout=True)
    return perhaps(base, made, here, ravels)


def _is_fortran(base: Tensor) -> bool:
    """True when it lies in the order of Fortran, and not in C order too."""
    build.require_current("an array").trace.asks_layout = True
    found = layout(base)
    return found is not None and found.flags.fnc


def _is_view(base: Tensor, made: Tensor, ravels: bool) -> bool | None:
    """True when NumPy reshapes `base` to `made` without a copy; None: not known.

    ravels: what is not in one piece is copied even where strides would do
    """
    if base.spec.rank == 1 and not ravels:
        return True  # whatever lies between its elements
    before = layout(base)
    if before is None or not shapes.is_static(made.spec.shape):
        return is_contiguous(base) or None
    dims = [dim for dim in made.spec.shape or () if isinstance(dim, int)]
    after = before.ravel() if ravels else before.reshape(dims)
    return np.may_share_memory(before, after)


def restore_shape(whole: Tensor, part: Tensor) -> Tensor:
    """All elements of `whole`, which `part` has in another shape, in its own shape."""
    if whole.spec.shape is None:
        return shape.reshape_like(part, whole)
    template, found = sizes(whole.shape)
    return shape.reshape(part, *found, shape=template)


@implements(np.ravel)
def ravel(a: Any, order: str = "C") -> Any:
    """`np.ravel`: a view of an array that lies in C order, else a copy."""
    base, order = as_array(a), as_order(order, "C")
    if order in "AK" and lying(base) is Unknown.LAYOUT:
        return host.call(np.ravel, (base, order), {})
    if order == "F" or (order == "A" and _is_fortran(base)):
        base = turned(base)
    elif order == "K":
        base = _as_it_lies(base)
    return _reshaped(base, shape.ravel, ravels=True)


def turned(base: Tensor) -> Tensor:
    """With the axes the other way round; one axis is the same either way."""
    if base._view is not None and base._view.turned:
        return base._view.base
    return base if base.spec.rank in (0, 1) else transpose(base)


def _as_it_lies(base: Tensor) -> Tensor:
    """The axes in the order in which NumPy goes through the array as it lies."""
    build.require_current("an array").trace.asks_layout = True
    axes = axes_gone_through(layout(base))
    return base if axes is None else _transposed(base, axes)


def _transposed(a: Any, axes: tuple[int, ...] | None) -> Tensor:
    """A view with the axes in another order; writing it puts them back."""
    base = as_array(a)
    if base.scalar:
        return shape.transpose(base, axes=axes)
    back = None if axes is None else tuple(map(int, np.argsort(axes)))
    return view(
        base,
        shape.transpose(base, axes=axes),
        lambda whole: shape.transpose(whole, axes=axes),
        lambda _, part: shape.transpose(part, axes=back),
        contiguous=base.spec.rank == 1 and is_contiguous(base),
        turned=axes is None,
        how=("transpose", axes),
    )


@implements(np.transpose)
def transpose(a: Any, axes: Sequence[int] | None = None) -> Any:
    """`np.transpose`."""
    if axes is None:
        return _transposed(a, None)
    base = as_array(a)
    order = tuple(operator.index(axis) for axis in axes)
    if base.spec.rank is not None and len(order) == base.spec.rank:
        order = tuple(axis_of(axis, base.spec.rank) for axis in order)
    return _transposed(base, order)


def transposed(tensor: Tensor, *axes: Any) -> Any:
    """`a.transpose(axes)` or `a.transpose(*axes)`."""
    order = axes[0] if len(axes) == 1 else axes or None
    if has_tensor(order):
        return call_function(np.transpose, (tensor, order), {})
    return transpose(tensor, (order,) if isinstance(order, int) else order)


def _by_run(function: Callable[..., Any], base: Tensor, *axes: Any) -> Tensor:
    """A view whose axes, or how many there are, the run finds."""
    args, inputs = encode((base, *axes), lambda part: isinstance(part, Tensor))
    now = (Tensor(one.value, scalar=one.scalar) for one in inputs[1:])
    rank = base.spec.rank
    attributes = {
        "function": function,
        "args": args,
        "kwargs": {},
        "results": (
            TensorSpec(None if rank is None else (None,) * rank, base.spec.dtype),
        ),
        "writes": False,
    }
    return Call((base, *now), attributes).view()


@implements(np.swapaxes, operands=3)
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """`np.swapaxes`."""
    base = as_array(a)
    if base.spec.rank is None or has_tensor(axis1, axis2):
        return _by_run(np.swapaxes, base, axis1, axis2)
    order = list(range(base.ndim))
    i, j = axis_of(axis1, len(order)), axis_of(axis2, len(order))
    order[i], order[j] = order[j], order[i]
    return _transposed(base, tuple(order))


@implements(np.moveaxis, operands=3)
def moveaxis(a: Any, source: Axis, destination: Axis) -> Any:
    """`np.moveaxis`."""
    base = as_array(a)
    if base.spec.rank is None or has_tensor(source, destination):
        return _by_run(np.moveaxis, base, source, destination)
    rank = base.ndim
    moved = axes_of(static_axis(source), rank)
    places = axes_of(static_axis(destination), rank)
    if len(moved) != len(places):
        raise ValueError(
            "`source` and `destination` arguments must have the same number of elements"
        )
    order = [axis for axis in range(rank) if axis not in moved]
    for place, axis in sorted(zip(places, moved, strict=True)):
        order.insert(place, axis)
    return _transposed(base, tuple(order))


def matrix_transpose(a: Any) -> Any:
    """`a.mT`: the last two axes swapped."""
    if a.spec.rank is not None and a.spec.rank < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    known = a.spec.rank is not None
    return swapaxes(a, -1, -2) if known else _by_run(operator.attrgetter("mT"), a)


@implements(np.expand_dims)
def expand_dims(a: Any, axis: Axis) -> Any:
    """`np.expand_dims`."""
    places = static_axis(axis)
    return _sizes_of_one(as_array(a), lambda x: shape.expand_dims(x, axis=places))


@implements(np.squeeze)
def squeeze(a: Any, axis: Axis = None) -> Any:
    """`np.squeeze`."""
    base, gone = as_array(a), static_axis(axis)
    if base.spec.rank == 0 and gone in (0, -1):
        gone = ()  # which NumPy takes for an axis of an array that has none
    if gone == () or (base.spec.is_static and gone is None and 1 not in base.shape):
        return base  # itself
    return _sizes_of_one(base, lambda x: shape.squeeze(x, axis=gone))


def _sizes_of_one(base: Tensor, read: Callable[[Tensor], Tensor]) -> Tensor:
    """Axes of size 1 come and go without moving an element."""
    if base.scalar:
        return read(base)
    return view(base, read(base), read, restore_shape, contiguous=is_contiguous(base))


def _at_least(a: Any, rank: int, index: Callable[[int], tuple[Any, ...]]) -> Any:
    base = as_array(a)
    if base.spec.rank is None or (base.scalar and object_type(base.spec)):
        return NotImplemented  # how wide a text is, the run finds as well
    if base.spec.rank >= rank:
        return base
    return base[index(base.spec.rank)]


# Where the new axes go, by the number of dims that there are.
_TWO_DIMS: tuple[Any, ...] = ((None, None), (None, slice(None)))
_THREE_DIMS: tuple[Any, ...] = (
    (None, None, None),
    (None, slice(None), None),
    (slice(None), slice(None), None),
)


@implements(np.atleast_1d)
def atleast_1d(a: Any) -> Any:
    """`np.atleast_1d` of one array."""
    return _at_least(a, 1, lambda _: (None,))


@implements(np.atleast_2d)
def atleast_2d(a: Any) -> Any:
    """`np.atleast_2d` of one array."""
    return _at_least(a, 2, _TWO_DIMS.__getitem__)


@implements(np.atleast_3d)
def atleast_3d(a: Any) -> Any:
    """`np.atleast_3d` of one array."""
    return _at_least(a, 3, _THREE_DIMS.__getitem__)


@implements(np.broadcast_to, operands=2)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """`np.broadcast_to`: a read-only view."""
    base = as_array(array)
    single = isinstance(shape, (bool, float))
    template, found = sizes((shape,) if single else shape)
    found = [Tensor(size.value) for size in found]
    return _broadcast(base, template, found)


def _broadcast(base: Tensor, template: Any, found: list[Tensor]) -> Tensor:
    def read(x: Tensor) -> Tensor:
        return shape.broadcast_to(x, *found, shape=template)

    first = array_tensor(read(base))
    return view(base, first, read, refuse_overlapping, locked=True)


@implements(np.flip)
def flip(m: Any, axis: Axis = None) -> Any:
    """`np.flip`: a view."""
    base, along = as_array(m), static_axis(axis)

    def read(x: Tensor) -> Tensor:
        return shape.flip(x, axis=along)

    made = view(base, read(base), read, lambda _, part: read(part))
    return made[()] if base.spec.rank == 0 else made


@implements(np.flipud)
def flipud(m: Any) -> Any:
    """`np.flipud`: a view."""
    base = as_array(m)
    if base.spec.rank == 0:
        raise ValueError("Input must be >= 1-d.")
    return flip(base, 0)


@implements(np.fliplr)
def fliplr(m: Any) -> Any:
    """`np.fliplr`: a view."""
    base = as_array(m)
    if base.spec.rank is not None and base.spec.rank < 2:
        raise ValueError("Input must be >= 2-d.")
    if base.spec.rank is None:
        faults.ask(np.fliplr, (base,), {}, pure=True)
    return flip(base, 1)


@implements(np.rot90)
def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    """`np.rot90`: a view."""
    base = as_array(m)
    if base.spec.rank is None:
        return NotImplemented
    np.rot90(np.empty((1,) * base.spec.rank), k, axes)  # NumPy's own checks
    first, second = axes
    if k % 2 == 0:
        return flip(base, (first, second)) if k % 4 else base[:]
    if k % 4 == 1:
        return swapaxes(flip(base, second), first, second)
    return flip(swapaxes(base, first, second), second)


@implements(np.rollaxis)
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """`np.rollaxis`: a view."""
    base = as_array(a)
    if base.spec.rank is None:
        return NotImplemented
    # The axes are told apart by their sizes.
    order = np.rollaxis(np.empty(range(base.spec.rank)), axis, start).shape
    return _transposed(base, order) if list(order) != sorted(order) else base[...]


@implements(np.roll, operands=2)
def roll(a: Any, shift: Any, axis: Axis = None) -> Any:
    """`np.roll`; the shift may be staged."""
    template, found = encode(shift, lambda part: isinstance(part, Tensor))
    made = shape.roll(as_array(a), *found, shift=template, axis=static_axis(axis))
    return array_tensor(made)


@implements(np.tile, operands=2)
def tile(A: Any, reps: Any) -> Any:
    """`np.tile`; the counts may be staged."""
    # NumPy makes them ints itself, also bools.
    known = isinstance(reps, (bool, np.bool_))
    template, found = sizes(int(reps) if known else reps)
    return shape.tile(as_array(A), *found, reps=template)


@implements(np.repeat, operands=2)
def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """`np.repeat`; the counts may be staged."""
    is_many = isinstance(repeats, (list, tuple, np.ndarray))
    counts = as_indices(repeats) if is_many else repeats
    template, found = encode(counts, lambda part: isinstance(part, Tensor))
    along: Any = static_axis(axis)
    return shape.repeat(as_array(a), *found, repeats=template, axis=along)


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    """`np.pad` by a named mode."""
    x = as_array(array)
    if not x.spec.rank or not isinstance(mode, str) or isinstance(pad_width, dict):
        return NotImplemented
    pairs = np.broadcast_to(np.asarray(pad_width), (x.spec.rank, 2)).tolist()
    width = tuple((before, after) for before, after in pairs)
    return shape.pad(x, width=width, mode=mode, options=options)
