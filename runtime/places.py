"""Places: where the elements of a view lie in the array that it is a part of.

A view that a branch or a round of a loop takes by what it computes ends with it: how it
is taken is known there alone. The places of its elements are numbers, which the graph
hands on as it does any others, so that what follows can read and write the very part.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime import build
from runtime.build import Frame, building
from runtime.graph import Value
from runtime.location import here
from runtime.ops.inference import INDEX
from runtime.ops.places import own_places, part_at, with_part_at
from runtime.picked import Own, Pick, select
from runtime.tensor import Tensor
from runtime.tensor_view import View


class NoPlacesError(Exception):
    """The elements of a view are no elements of its array, or nobody can tell which."""


# The places at which a tensor without a view lies, where that is known already.
Known = Callable[[Tensor], Tensor | None]


def places(tensor: Tensor, known: Known) -> Tensor:
    """For each element of an array its place in `tensor.root`, in C order.

    Of what is one of several arrays, in that which it is; where `known` has an answer
    for the root, in what that means.
    NoPlacesError: it is the real part of one, or its bytes as other numbers, say.
    """
    root = tensor.root
    if tensor.spec.dtype != root.spec.dtype:
        raise NoPlacesError
    start = known(root)
    if start is None:
        start = own(root) if root._pick is None else _of_pick(root._pick, root, known)
    return along(tensor, start)


def own(tensor: Tensor) -> Tensor:
    """The places of an array in memory of its own."""
    if build.require_current("a view").trace.guards or tensor.spec.shape is None:
        raise NoPlacesError  # in a try, what is read again would be watched again
    return _array(own_places(tensor).value)


def along(tensor: Tensor, start: Tensor) -> Tensor:
    """The places of a view's elements where its root has those at `start`."""
    views: list[View] = []
    while tensor._view is not None:
        views.append(tensor._view)
        tensor = tensor._view.base
    for view in reversed(views):
        if view.flat:
            raise NoPlacesError
        # In another memory order it is a copy, which lies nowhere in the array.
        build.require_current("a view").trace.asks_layout |= view.by_layout
        start = view.read(start)
        if start.spec.dtype != INDEX or start.spec.shape is None:
            raise NoPlacesError
    return _array(start.value)


def _of_pick(pick: Pick, tensor: Tensor, known: Known) -> Tensor:
    found = []
    for side in pick.sides:
        if isinstance(side, Own):
            found.append(own(tensor))
        elif isinstance(side, Pick):
            found.append(_of_pick(side, tensor, known))
        else:
            found.append(places(side, known))
    return _array(select(pick.predicate.value, *(one.value for one in found)))


def has_places(tensor: Tensor, frame: Frame) -> bool:
    """True where `places` would not raise; nothing is added to the graph."""
    with building(Frame("tried", frame)):
        try:
            places(tensor, own)
        except NoPlacesError:
            return False
    return True


def part(root: Tensor, at: Value, locked: bool) -> Tensor:
    """The view of `root` whose elements lie at these places."""
    where = _array(at)

    def read(whole: Tensor) -> Tensor:
        return part_at(whole, where)

    def write(whole: Tensor, content: Tensor) -> Tensor:
        return with_part_at(whole, content, where)

    shape, place = root.spec.shape, here()
    view = View(
        *(root, read, write), locked=locked, shape=shape, handed=True, location=place
    )
    made = Tensor(read(root).value, scalar=False, view=view)
    made._cache = root.value
    return made


def _array(value: Value) -> Tensor:
    return Tensor(value, scalar=False)
