"""Indexing: reading and writing parts of an array, taking and choosing elements.

A key is the attribute `index`: a tuple of int, slice, None, Ellipsis and `Input(k)`,
the place of the k-th dynamic input: an integer (a tensor of no dims counts as an int),
an array of integers, or a mask. What a key selects is checked when the program runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import op, outputs
from runtime.ops.inference import INDEX, axis_of, sampled_dtype
from runtime.ops.template import Input, fill
from runtime.shapes import Dim, Shape
from runtime.spec import TensorSpec, result_dtype
from runtime.structs import struct

Index = tuple[Any, ...]


def _read(
    x: Any, *dynamic: Any, index: Index, flat: bool = False, taken: bool = False
) -> Any:
    try:
        return (x.flat if flat else x)[_key(index, dynamic)]
    except IndexError:
        if not taken:
            raise
        dims = indexed(x.shape, tuple(fill(index, dynamic)), ()) or ()
        return np.broadcast_to(np.zeros((), x.dtype), [int(dim or 0) for dim in dims])


def _key(index: Index, dynamic: tuple[Any, ...]) -> Any:
    """The key: a name, or a list of names, for fields of a structured array."""
    if not is_field(index):
        return fill(index, dynamic)
    return index[0] if isinstance(index[0], str) else list(index[0])


def is_field(index: Index) -> bool:
    """True for the key of a field, ("a",), or of several, (("a", "b"),)."""
    return len(index) == 1 and isinstance(index[0], (str, tuple))


def _field(x: TensorSpec, index: Index) -> TensorSpec:
    if x.dtype is None:
        return TensorSpec(None, None)
    found = x.dtype[index[0] if isinstance(index[0], str) else list(index[0])]
    dims = None if x.shape is None else (*x.shape, *found.shape)
    return TensorSpec(dims, found.base)


@op("slice", kernel=_read, view=True)
def slice_(
    x: TensorSpec,
    *dynamic: TensorSpec,
    index: Index,
    flat: bool = False,
    taken: bool = False,
) -> TensorSpec:
    """`x[index]` with ints and slices only: a view of x, or one element.

    flat:  x is the row of what `.flat` goes through, of which NumPy says it otherwise
           that an index is out of bounds
    taken: a turn of a loop has taken it; where none has nobody reads it
    IndexError: an int lies outside of its axis.
    """
    if is_field(index):
        return _field(x, index)
    return TensorSpec(indexed(x.shape, index, dynamic), x.dtype)


@op("index", kernel=_read)
def index_(
    x: TensorSpec, *dynamic: TensorSpec, index: Index, flat: bool = False
) -> TensorSpec:
    """`x[index]` with arrays of integers or masks: a new array.

    flat: as for `slice`
    IndexError: an integer lies outside of its axis, or a mask has another shape.
    """
    return TensorSpec(indexed(x.shape, index, dynamic), x.dtype)


def _store(
    x: Any,
    content: Any,
    *dynamic: Any,
    index: Index,
    path: tuple[Index, ...] = (),
    flat: bool = False,
) -> Any:
    part = made = np.array(x)
    for step in path:
        part = part[_key(step, dynamic)]
    (part.flat if flat else part)[_key(index, dynamic)] = content
    return made


@op(kernel=_store)
def store(
    x: TensorSpec,
    content: TensorSpec,
    *dynamic: TensorSpec,
    index: Index,
    path: tuple[Index, ...] = (),
    flat: bool = False,
) -> TensorSpec:
    """`x` with `content` at `index`, cast to x's dtype as an assignment does.

    path: indices of ints and slices, each of what the one before gives: it is stored
          into the view that they lead to
    flat: as for `slice`
    IndexError: the key lies outside. ValueError: content does not fit there.
    """
    dims = x.shape
    for step in path:
        dims = indexed(dims, step, dynamic)
    field = is_field(index)
    place = _field(x, index).shape if field else indexed(dims, index, dynamic)
    known = content.shape is None or None not in (*content.shape, *(place or ()))
    if known and not _broadcasts(content.shape, place):
        # Else the run raises, which knows the sizes that NumPy names.
        raise ValueError(
            "could not broadcast input array from shape "
            f"{shapes.shape_text(content.shape)} into shape {shapes.shape_text(place)}"
        )
    return x


def _broadcasts(content: Shape, place: Shape) -> bool:
    if content is None or place is None:
        return True
    # An assignment lets content have further axes of size 1 in front.
    while len(content) > len(place) and content[0] in (1, None):
        content = content[1:]
    if len(content) > len(place):
        return False
    pairs = zip(reversed(content), reversed(place), strict=False)
    known = [(a, b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]
    return all(a in (1, b) for a, b in known)


@struct
class _Part:
    """One part of a key: how many axes it takes, and what it leaves in their place.

    array: the dims of an array of integers or a mask, which join those of the others
    """

    takes: int
    leaves: tuple[Dim, ...]
    array: Shape = None
    is_array: bool = False


def is_advanced(index: Index, dynamic: tuple[TensorSpec, ...]) -> bool:
    """True when the key holds a mask or an array with dims, so selects by content."""
    return any(_is_array(dynamic[part.k]) for part in index if type(part) is Input)


def _is_array(spec: TensorSpec) -> bool:
    return spec.shape != () or spec.dtype == bool


def indexed(shape: Shape, index: Index, dynamic: tuple[TensorSpec, ...]) -> Shape:
    """The shape of `x[index]` for an x of `shape`.

    IndexError: there are more parts than axes.
    """
    if shape is None or any(
        type(part) is Input and dynamic[part.k].shape is None for part in index
    ):
        return None
    parts = _parts(shape, index, dynamic)
    if not is_advanced(index, dynamic):
        return tuple(dim for part in parts for dim in part.leaves)
    return _advanced(parts)


def _parts(
    shape: tuple[Dim, ...], index: Index, dynamic: tuple[TensorSpec, ...]
) -> list[_Part]:
    taken = sum(_takes(part, dynamic) for part in index)
    if taken > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, "
            f"but {taken} were indexed"
        )
    whole = index if any(part is Ellipsis for part in index) else (*index, Ellipsis)
    parts: list[_Part] = []
    axis = 0
    for part in whole:
        if part is Ellipsis:
            count = len(shape) - taken
            parts.append(_Part(count, shape[axis : axis + count]))
        else:
            dim = shape[axis] if axis < len(shape) else None
            parts.append(_part(part, dim, dynamic))
        axis += parts[-1].takes
    return parts


def _takes(part: Any, dynamic: tuple[TensorSpec, ...]) -> int:
    if part is None or part is Ellipsis:
        return 0
    if type(part) is Input and dynamic[part.k].dtype == bool:
        return dynamic[part.k].rank or 0
    return 1


def _part(part: Any, dim: Dim, dynamic: tuple[TensorSpec, ...]) -> _Part:
    if part is None:
        return _Part(0, (1,))
    if isinstance(part, slice):
        return _Part(1, (_sliced(dim, part),))
    if type(part) is Input:
        spec = dynamic[part.k]
        if spec.dtype == bool:
            return _Part(spec.rank or 0, (), (None,), True)
        return _Part(1, (), spec.shape, True)
    return _Part(1, (), (), True)


def _sliced(dim: Dim, part: slice) -> Dim:
    bounds = (part.start, part.stop, part.step)
    if part.start is None and part.stop is None and part.step in (None, 1, -1):
        return dim
    if not all(bound is None or isinstance(bound, int) for bound in bounds):
        return None
    if not isinstance(dim, int):
        return None
    if part.step == 0:
        return None
    return len(range(*part.indices(dim)))


def _advanced(parts: list[_Part]) -> Shape:
    arrays = [i for i, part in enumerate(parts) if part.is_array]
    try:
        joined = shapes.broadcast(*(parts[i].array for i in arrays))
    except ValueError as error:
        text = str(error).split("shapes")[1]
        raise IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with "
            f"shapes{text}"
        ) from None
    assert joined is not None
    before = tuple(d for part in parts[: arrays[0]] for d in part.leaves)
    # An Ellipsis that stands for no axis still parts the arrays on its two sides.
    inside = parts[arrays[0] : arrays[-1] + 1]
    after = tuple(d for part in parts[arrays[0] :] for d in part.leaves)
    if len(inside) == len(arrays):
        return before + joined + after
    return joined + before + after


@op(numpy=np.take, out=True)
def take(x: TensorSpec, indices: TensorSpec, *, axis: int | None = None) -> TensorSpec:
    """The elements of x at `indices` along `axis`, of the flat array if None.

    indices: integers of any shape, negative ones count from the end
    IndexError: an index lies outside.
    """
    if indices.shape is None:
        return TensorSpec(None, x.dtype)
    if axis is None:
        return TensorSpec(indices.shape, x.dtype)
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    at = axis_of(axis, len(x.shape))
    return TensorSpec((*x.shape[:at], *indices.shape, *x.shape[at + 1 :]), x.dtype)


@op(numpy=np.take_along_axis)
def take_along_axis(
    x: TensorSpec, indices: TensorSpec, *, axis: int | None
) -> TensorSpec:
    """For each line along `axis` the elements at that line's `indices`.

    IndexError: an index lies outside.
    """
    if axis is None or x.shape is None or indices.shape is None:
        return TensorSpec(indices.shape, x.dtype)
    at = axis_of(axis, len(x.shape))
    pairs = zip(x.shape, indices.shape, strict=False)
    dims = [
        b if i == at else shapes.broadcast((a,), (b,))[0]  # type: ignore[index] # both shapes are known here
        for i, (a, b) in enumerate(pairs)
    ]
    return TensorSpec(dims, x.dtype)


def _put_along_axis(x: Any, indices: Any, content: Any, *, axis: int | None) -> Any:
    np.put_along_axis(x, indices, content, axis)
    return x


@op(into=_put_along_axis)
def put_along_axis(
    x: TensorSpec, indices: TensorSpec, content: TensorSpec, *, axis: int | None
) -> TensorSpec:
    """`x` with `content` at `indices` of each line along `axis`."""
    return x


@op(numpy=np.where)
def where(condition: TensorSpec, x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """`x` where condition is not zero, else y; all three are broadcast."""
    shape = shapes.broadcast(condition.shape, x.shape, y.shape)
    if x.weak and y.weak:
        x, y = x.strong(), y.strong()
    return TensorSpec(shape, result_dtype(x, y))


def _nonzero(x: Any, *, rank: int) -> Any:
    return outputs(np.nonzero(x))


@op(kernel=_nonzero, numpy=np.nonzero)
def nonzero(x: TensorSpec, *, rank: int) -> tuple[TensorSpec, ...]:
    """The indices of the elements that are not zero, one array for each axis.

    rank: x's number of dims
    """
    return (TensorSpec((None,), INDEX),) * rank


@op(numpy=np.flatnonzero)
def flatnonzero(x: TensorSpec) -> TensorSpec:
    """The indices in the flat array of the elements that are not zero."""
    return TensorSpec((None,), INDEX)


@op(numpy=np.argwhere)
def argwhere(x: TensorSpec) -> TensorSpec:
    """The indices of the elements that are not zero, one row for each."""
    return TensorSpec((None, x.rank), INDEX)


def _clip(x: Any, low: Any, high: Any, out: Any = None) -> Any:
    return np.clip(x, low, high, out=out)


@op(kernel=_clip, numpy=np.clip, out=True)
def clip(x: TensorSpec, low: TensorSpec, high: TensorSpec) -> TensorSpec:
    """`x` with what is below `low` or above `high` set to that bound."""
    shape = shapes.broadcast(x.shape, low.shape, high.shape)
    return TensorSpec(shape, sampled_dtype(np.clip, x, low, high))


@op(numpy=np.round, out=True)
def round_(x: TensorSpec, *, decimals: int = 0) -> TensorSpec:
    """`x` to so many decimals, halves to even."""
    return TensorSpec(x.shape, sampled_dtype(np.round, x, decimals=decimals))
