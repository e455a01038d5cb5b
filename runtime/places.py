"""Places: where a view lies in the array that it is a part of.

A view that a branch or a round of a loop takes by what it computes ends with it: how it
is taken is known there alone. Where it lies is told by a few numbers (`runtime.ops.
places`), which the graph hands on as it does any others, so that what follows can read
and write the very part.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from runtime import build
from runtime.build import Frame, building
from runtime.dtypes import same_dtype
from runtime.graph import Value
from runtime.location import here
from runtime.ops.places import (
    own_place,
    part_at,
    place_of,
    sliced_place,
    stand_in,
    standing,
    with_part_at,
)
from runtime.picked import Own, Pick, Side, one_of, select
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from runtime.tensor_view import View


class NoPlacesError(Exception):
    """A view lies otherwise than that, or nobody can tell where."""


# Where a tensor without a view lies, as far as that is known already.
# WHOLE: nothing else matters, it counts as an array of its own.
Known = Callable[[Tensor], "Tensor | Whole | None"]


class Whole(enum.Enum):
    """What stands for the place of all of an array."""

    WHOLE = enum.auto()


WHOLE = Whole.WHOLE


def places(tensor: Tensor, known: Known) -> Tensor:
    """Where a tensor lies in `tensor.root`: see `runtime.ops.places`.

    Of what is one of several arrays, in that which it is; where `known` has an answer
    for the root, in what that means.
    NoPlacesError: nobody can tell.
    """
    root = tensor.root
    start = known(root)
    if start is None:
        start = _of_pick(root._pick, root, known) if root._pick else WHOLE
    return along(tensor, start)


def own(tensor: Tensor) -> Tensor:
    """The place of an array in memory of its own."""
    if build.require_current("a view").trace.guards or tensor.spec.shape is None:
        raise NoPlacesError  # in a try, what is read again would be watched again
    return _array(own_place(tensor).value)


def along(tensor: Tensor, start: Tensor | Whole) -> Tensor:
    """The place of a view whose root lies at `start`."""
    parts: list[Tensor] = []
    of = tensor
    while of._view is not None:
        if start is WHOLE and of._view.handed and of._view.base._view is None:
            start = _array(of._view.handed)
            break
        parts.append(of)
        of = of._view.base
    where = own(of) if isinstance(start, Whole) else start
    for by_index, group in groupby(reversed(parts), _is_by_index):
        move = _by_index if by_index else _taken
        where = move(where, [*group])
    return where


def _is_by_index(part: Tensor) -> bool:
    return part._view is not None and part._view.key is not None


def _by_index(where: Tensor, parts: Sequence[Tensor]) -> Tensor:
    for part in parts:
        assert part._view is not None
        key = part._view.key
        where = _array(sliced_place(where, *key.dynamic, index=key.index).value)
    return where


def _taken(where: Tensor, parts: Sequence[Tensor]) -> Tensor:
    """The same of views that NumPy takes, of what stands for the array."""
    views = [part._view for part in parts if part._view is not None]
    kept, dtype = _dtypes(parts, views[0].base)
    shape = views[0].base.spec.shape
    if shape is None:
        raise NoPlacesError
    whole = made = _array(stand_in(where, shape=shape, dtype=dtype).value)
    for view in views:
        if view.flat:
            raise NoPlacesError
        # In another memory order it is a copy, which lies nowhere in the array.
        build.require_current("a view").trace.asks_layout |= view.by_layout
        made = view.read(made)
        if made.spec.shape is None or (kept and made.spec.dtype != dtype):
            raise NoPlacesError
    return _array(place_of(made, whole, where).value)


def _dtypes(parts: Sequence[Tensor], base: Tensor) -> tuple[bool, np.dtype[Any]]:
    """Whether all are of one dtype, and that of what stands for the array."""
    dtype = base.spec.dtype
    if all(same_dtype(part.spec.dtype, dtype) for part in parts):
        return True, standing(dtype)
    if dtype is None or not _is_numeric(base.spec):
        raise NoPlacesError
    return False, dtype


def _is_numeric(spec: TensorSpec) -> bool:
    return not spec.kinds and spec.dtype is not None and spec.dtype.kind in "biufc"


def _of_pick(pick: Pick, tensor: Tensor, known: Known) -> Tensor:
    def of(side: Side) -> Value:
        if isinstance(side, Own):
            return own(tensor).value
        if isinstance(side, Pick):
            return _of_pick(side, tensor, known).value
        return places(side, known).value

    then, orelse = pick.sides
    if all(map(is_sure, pick.sides)):
        return _array(select(pick.predicate.value, of(then), of(orelse)))
    either = one_of(pick.predicate.value, lambda: of(then), lambda: of(orelse))
    return _array(either)


def is_sure(side: Side) -> bool:
    """False for what may be a copy where nobody asks for it, and then lies nowhere."""
    tensor = side
    while isinstance(tensor, Tensor) and tensor._view is not None:
        if tensor._view.by_layout:
            return False
        tensor = tensor._view.base
    return True


def has_places(tensor: Tensor, frame: Frame) -> bool:
    """True where `places` would not raise; nothing is added to the graph."""
    with building(Frame("tried", frame)):
        try:
            places(tensor, own)
        except NoPlacesError:
            return False
    return True


def part(root: Tensor, at: Value, spec: TensorSpec, locked: bool) -> Tensor:
    """The view of `root` that lies there; spec: its own, as far as that is known."""
    view = part_view(root, at, spec, locked)
    made = Tensor(view.read(root).value, scalar=False, view=view)
    made._cache = root.value
    return made


def part_view(root: Tensor, at: Value, spec: TensorSpec, locked: bool) -> View:
    """How that is taken."""
    where, shape = _array(at), spec.shape
    same = spec.dtype is None or same_dtype(spec.dtype, root.spec.dtype)
    dtype = None if same or not _is_numeric(spec) else spec.dtype

    def read(whole: Tensor) -> Tensor:
        return part_at(whole, where, shape=shape, dtype=dtype)

    def write(whole: Tensor, content: Tensor) -> Tensor:
        return with_part_at(whole, content, where)

    before, place = root.spec.shape, here()
    return View(
        *(root, read, write), locked=locked, shape=before, handed=at, location=place
    )


def _array(value: Value) -> Tensor:
    return Tensor(value, scalar=False)
