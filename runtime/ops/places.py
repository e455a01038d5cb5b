"""Places: where a part lies in the array that it is taken of, as a few numbers.

An int64 vector says it: the order of the array's axes in memory, the bytes before the
first element, for each axis of the part the bytes from one element to the next, and its
sizes. All is told of an array without gaps in that order; the array at hand may have
some, or lie in another order.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np

from runtime.errors import UnforeseenTypeError
from runtime.op import op
from runtime.ops.index import Index, indexed
from runtime.ops.inference import INDEX
from runtime.ops.place_numbers import (
    Place,
    axes_of,
    nowhere,
    order_of,
    read,
    steps_of,
    told,
    vector,
)
from runtime.ops.template import fill
from runtime.shapes import Shape
from runtime.spec import TensorSpec


def standing(dtype: np.dtype[Any] | None) -> np.dtype[Any]:
    """The dtype of what stands for an array: with its bytes nobody computes."""
    return np.dtype((np.void, 1 if dtype is None else dtype.itemsize))


def where_spec(shape: Shape) -> TensorSpec:
    """The spec of the place of a part of this shape."""
    return TensorSpec((None if shape is None else 2 + 2 * len(shape),), INDEX)


def _own_place(x: Any) -> Any:
    x = np.asarray(x)
    order = 0 if x.flags.c_contiguous else order_of(x)
    steps = steps_of(axes_of(order, x.ndim), x.shape, x.itemsize)
    return vector(Place(order, 0, steps, list(x.shape)))


@op(kernel=_own_place)
def own_place(x: TensorSpec) -> TensorSpec:
    """The place of a whole array."""
    return where_spec(x.shape)


# Since NumPy 2.1.
_COPIES_ARE_TOLD = [*map(int, np.__version__.split(".")[:2])] >= [2, 1]

# Addresses, and memory that nobody has touched, so there is none.
_space: list[Any] = []


def _addresses(count: int) -> Any:
    if not _space or len(_space[0]) < count:
        # Few programs need it.
        import mmap

        _space[:] = [mmap.mmap(-1, max(2 * count, 1 << 20))]
    return _space[0]


def untouched(sizes: list[int], dtype: np.dtype[Any]) -> Any:
    """An array of these sizes that takes no memory, as long as nobody touches it."""
    return np.ndarray(sizes, dtype, _addresses(math.prod(sizes) * dtype.itemsize))


def _stand_in(where: Any, *, shape: Shape, dtype: np.dtype[Any]) -> Any:
    place = told(where)
    low, high = place.ends(dtype.itemsize)
    space = _addresses(high - low + dtype.itemsize)
    return np.ndarray(place.sizes, dtype, space, place.start - low, place.steps)


@op(kernel=_stand_in)
def stand_in(where: TensorSpec, *, shape: Shape, dtype: np.dtype[Any]) -> TensorSpec:
    """An array that lies as the part at `where`, for views of it to be taken of.

    shape: as far as it is known
    """
    return TensorSpec(shape, dtype)


def _place_of(view: Any, whole: Any, where: Any) -> Any:
    view, place = np.asarray(view), told(where)
    # Of what has no elements nobody asks for a part that has some.
    if view.size and whole.size and not np.may_share_memory(view, whole):
        raise UnforeseenTypeError("what was a view is a copy in this run")
    here, there = (one.__array_interface__["data"][0] for one in (view, whole))
    start = place.start + (0 if place.is_nowhere else here - there)
    return vector(Place(place.order, start, [*view.strides], [*view.shape]))


@op(kernel=_place_of)
def place_of(view: TensorSpec, whole: TensorSpec, where: TensorSpec) -> TensorSpec:
    """The place of a view of `whole`, the `stand_in` for what is at `where`."""
    return where_spec(view.shape)


def _sliced(where: Any, *dynamic: Any, index: Index) -> Any:
    place, key = told(where), [*fill(index, dynamic)]
    taken = sum(part is not None and part is not Ellipsis for part in key)
    key += [] if Ellipsis in key else [Ellipsis]
    if taken > len(place.sizes):
        raise IndexError(
            f"too many indices for array: array is {len(place.sizes)}-dimensional, "
            f"but {taken} were indexed"
        )
    order, start, steps, sizes = place.order, place.start, [], []
    axes = enumerate(zip(place.steps, place.sizes, strict=True))
    for part in key:
        if part is Ellipsis:
            rest = [*islice(axes, len(place.sizes) - taken)]
            steps += [step for _, (step, _) in rest]
            sizes += [size for _, (_, size) in rest]
        elif part is None:
            steps.append(0)
            sizes.append(1)
        else:
            axis, (step, size) = next(axes)
            if isinstance(part, slice):
                inside = range(size)[part]
                way = step * inside.start if inside else 0
                steps.append(step * inside.step)
                sizes.append(len(inside))
            elif -size <= part < size:
                way = step * range(size)[part]
            else:
                way = 0
                if order >= 0:
                    order, start = nowhere(axis, size), part
            start += 0 if order < 0 else way
    return vector(Place(order, start, steps, sizes))


@op(kernel=_sliced)
def sliced_place(where: TensorSpec, *dynamic: TensorSpec, index: Index) -> TensorSpec:
    """The place of `part[index]`, with ints and slices only, of the part at `where`.

    Where there is no such part, whoever takes it raises IndexError; nobody does of what
    a branch that is not taken, or a loop without a turn, would have taken.
    """
    given = where.shape[0] if where.shape else None
    if not isinstance(given, int):
        return where_spec(None)
    return where_spec(indexed((None,) * (given // 2 - 1), index, dynamic))


def _part_at(x: Any, where: Any, *, shape: Shape, dtype: Any = None) -> Any:
    if type(x) is np.ndarray and x.flags.c_contiguous:
        order, start, *rest = where.tolist()
        rank = len(rest) // 2
        if not order:
            # Most do, and NumPy looks whether it lies within x.
            try:
                kind = dtype or x.dtype
                return np.ndarray(rest[rank:], kind, x, start, rest[:rank])
            except (TypeError, ValueError):
                pass
    x, place = np.asarray(x), read(where)
    dtype = x.dtype if dtype is None else dtype
    if place.is_empty or not x.size:
        return np.zeros(place.sizes, dtype)
    found = _in_memory(x, place, dtype)
    if found is not None:
        return found
    if not _is_inside(x, place, dtype):
        return _anything(x, place, dtype)
    return _in_order(_without_gaps(x, place), place, dtype)


def _is_inside(x: Any, place: Place, dtype: np.dtype[Any]) -> bool:
    """Whether it may be a place in x, and is not one of an array of more axes."""
    low, high = place.ends(dtype.itemsize)
    axes = sorted(axes_of(place.order, x.ndim))
    return low >= 0 and high <= x.nbytes and axes == list(range(x.ndim))


def _anything(x: Any, place: Place, dtype: np.dtype[Any]) -> Any:
    """An array of these sizes.

    Of what stands for an array in its memory, where a view of it is looked for.
    """
    if x.dtype.kind == "V" and not x.dtype.names and x.itemsize >= dtype.itemsize:
        here = Place(0, 0, [0] * len(place.sizes), place.sizes)
        return np.asarray(_Memory(x, here, dtype)).view(dtype)
    return np.broadcast_to(np.zeros((), dtype), place.sizes)


@op(kernel=_part_at, view=True)
def part_at(
    x: TensorSpec, where: TensorSpec, *, shape: Shape, dtype: Any = None
) -> TensorSpec:
    """The part of x at `where`; where that is no place in x, anything: nobody asks.

    shape: as far as it is known
    dtype: the part's, where that is not x's
    """
    return TensorSpec(shape, x.dtype if dtype is None else dtype)


def _in_memory(x: Any, place: Place, dtype: np.dtype[Any]) -> Any:
    """The part in the memory of x; None: it is none, or does not lie in equal steps."""
    if not _is_inside(x, place, dtype):
        return None
    turned = x.transpose(axes_of(place.order, x.ndim)) if place.order else x
    if turned.flags.c_contiguous:
        return _in_order(turned, place, dtype)
    moved = _with_gaps(turned, place, dtype)
    if moved is None:
        return None
    return np.asarray(_Memory(x, moved, dtype)).view(dtype)


def _in_order(x: Any, place: Place, dtype: np.dtype[Any]) -> Any:
    return np.ndarray(place.sizes, dtype, x, place.start, place.steps)


def _with_gaps(x: Any, place: Place, dtype: np.dtype[Any]) -> Place | None:
    """The same in an array that has gaps, whose axes follow one another."""
    if dtype.itemsize > x.itemsize:
        return None
    # Each byte has an index: that of its element, and its place in there.
    sizes, real = [*x.shape, x.itemsize], [*x.strides, 1]
    first = low = high = np.array(np.unravel_index(place.start, sizes))
    steps = []
    for step, size in zip(place.steps, place.sizes, strict=True):
        end = place.start + step * (size - 1)
        if not 0 <= end < x.nbytes:
            return None
        far = np.array(np.unravel_index(end, sizes)) - first
        if size > 1 and (far % (size - 1)).any():
            return None
        steps.append(int(far @ real) // max(size - 1, 1))
        low, high = low + np.minimum(far, 0), high + np.maximum(far, 0)
    if (low < 0).any() or (high >= sizes).any():
        return None
    return Place(0, int(first @ real), steps, place.sizes)


class _Memory:
    """What NumPy makes an array of, in the memory of another one."""

    def __init__(self, of: Any, place: Place, dtype: np.dtype[Any]) -> None:
        start, is_locked = of.__array_interface__["data"]
        self.base = of
        self.__array_interface__ = {
            "version": 3,
            "data": (start + place.start, is_locked),
            "typestr": f"|V{dtype.itemsize}",
            "shape": tuple(place.sizes),
            "strides": tuple(place.steps),
        }


def _without_gaps(x: Any, place: Place) -> Any:
    """A copy of x, with its axes as they follow one another, without gaps."""
    return np.array(x.transpose(axes_of(place.order, x.ndim)), order="C")


def _with_part_at(x: Any, part: Any, where: Any) -> Any:
    place, part = read(where), np.asarray(part)
    if place.is_empty or not x.size or not part.size:
        return x
    there = _in_memory(x, place, part.dtype)
    if there is not None:
        _put(there, part)
        return x
    if _is_inside(x, place, part.dtype):
        whole = _without_gaps(x, place)
        _put(_in_order(whole, place, part.dtype), part)
        x.transpose(axes_of(place.order, x.ndim))[...] = whole
    return x


def put_back(x: Any, part: Any, where: Any) -> None:
    """Put a part there that has been taken of there, if it is a copy: it is none."""
    base = part.base
    if base is None or (base is not x and base is not x.base):
        _with_part_at(x, part, where)


def _put(there: Any, part: Any) -> None:
    here, mine = there.__array_interface__, part.__array_interface__
    if any(here[one] != mine[one] for one in ("data", "strides", "shape")):
        there[...] = part.copy() if np.may_share_memory(there, part) else part


@op(into=_with_part_at)
def with_part_at(x: TensorSpec, part: TensorSpec, where: TensorSpec) -> TensorSpec:
    """The array x with `part` at `where`; x where that is no place in it."""
    return x


def _has_no_dims(x: Any) -> bool:
    return np.ndim(x) == 0


@op(kernel=_has_no_dims)
def has_no_dims(x: TensorSpec) -> TensorSpec:
    """Whether an array of an unknown number of dims has none: it is an element."""
    return TensorSpec((), bool, weak=True)


def _apart(x: Any, other: Any) -> Any:
    return x.copy("K") if np.may_share_memory(x, other) else x


@op(kernel=_apart)
def apart(x: TensorSpec, other: TensorSpec) -> TensorSpec:
    """`x`, which lies in no memory of `other`, or a copy of it."""
    return x


def _is_reshaped(where: Any, made: Any, ravels: bool) -> bool:
    place = read(where)
    if place.is_empty:
        return False  # nobody can tell
    before = _stand_in(where, shape=None, dtype=standing(made.dtype))
    if ravels:
        return bool(before.flags.c_contiguous)
    try:
        if _COPIES_ARE_TOLD:
            before.reshape(made.shape, copy=False)
        else:
            before.shape = made.shape  # NumPy makes the copy that it refuses
    except (AttributeError, ValueError):
        return False
    return True


@op(kernel=_is_reshaped)
def is_reshaped(where: TensorSpec, made: TensorSpec, *, ravels: bool) -> TensorSpec:
    """Whether NumPy reshapes what lies at `where` to `made` without a copy.

    ravels: what is not in one piece is copied even where strides would do
    """
    return TensorSpec((), bool, weak=True)
