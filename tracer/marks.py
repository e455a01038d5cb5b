"""marks: what is said of arrays that a list or another name may refer to as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime import build
from runtime.aliases import made_with
from runtime.build import Frame, Trace
from runtime.graph import Value
from runtime.picked import LOCKED, Own, Pick, Side, possible
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor_of_array

# Arrays in a list are references: a write to one would be seen in the list. So are
# those to which two names refer when a round of a loop ends.


def listed() -> Tensor:
    """What stands for the arrays in such lists: what may be one is not changed."""
    return _mark("an item of a list")


def doubled() -> Tensor:
    """The same for the arrays that a round of a loop leaves under two names."""
    return _mark("what another name got from a branch, loop or recursion")


def locked(leaf: Tensor) -> tuple[Tensor, ...]:
    """The same for what is a read-only view, on the path that it comes from."""
    return (_mark(LOCKED),) if leaf.is_locked else ()


def is_perhaps_locked(tensor: Tensor) -> bool:
    """True for what may be a read-only view, on a path that is not told apart."""
    mark = build.require_current("an array").trace.marks.get(LOCKED)
    return mark is not None and any(one is mark for one in tensor.root.sources)


def _mark(words: str) -> Tensor:
    known = build.require_current("a list").trace.marks
    if words not in known:
        known[words] = Tensor(Value(TensorSpec(None, None)))
        known[words].owner = words
    made: Tensor = known[words]
    return made


def note_listed(leaf: object) -> None:
    """Note that a list holds `leaf`: an array is not changed in place any more."""
    if isinstance(leaf, np.ndarray):
        leaf = tensor_of_array(leaf)
    if isinstance(leaf, Tensor) and not leaf.scalar:
        _note(leaf.root, listed())


def note_doubled(arrays: Sequence[Tensor], frame: Frame) -> None:
    """Note which arrays that `frame` has made may be left in two places."""
    roots = [leaf.root for leaf in arrays]
    for at, root in enumerate(roots):
        for other in roots[:at]:
            if _may_be_one(root, other, frame):
                _note(root, doubled())
                _note(other, doubled())


def _may_be_one(a: Side, b: Side, frame: Frame) -> bool:
    """True for two tensors that may be one array which `frame` has made."""
    if isinstance(a, Own) or isinstance(b, Own):
        return False
    if a is b:
        return isinstance(a, Pick) or _is_inside(a, frame)
    mine, other = _pick_of(a), _pick_of(b)
    if mine and other and mine.predicate is other.predicate:
        # The two are told apart by the same test.
        pairs = zip(mine.sides, other.sides, strict=True)
        return any(_may_be_one(x, y, frame) for x, y in pairs)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        # Those that one node gave are different arrays on every path.
        if _are_apart(frame.trace, a, b):
            return False
    return any(x is y for x in _known_as(a, frame) for y in _known_as(b, frame))


def overlapping(places: Sequence[Sequence[Any]]) -> set[int]:
    """The numbers of the places with an array that may overlap one of another place.

    places: what each holds, its leaves
    """
    held = [
        (at, leaf.root)
        for at, leaves in enumerate(places)
        for leaf in leaves
        if isinstance(leaf, Tensor) and not leaf.scalar
    ]
    found: set[int] = set()
    for one, (at, root) in enumerate(held):
        for place, other in held[:one]:
            if not {at, place} <= found and _may_overlap(root, other):
                found |= {at, place}
    return found


def _may_overlap(a: Side, b: Side) -> bool:
    """True unless two arrays have certainly no memory in common."""
    if isinstance(a, Own) or isinstance(b, Own):
        return False
    mine, other = _pick_of(a), _pick_of(b)
    if a is b:
        return True
    if mine and other and mine.predicate is other.predicate:
        # The two are told apart by the same test.
        return any(map(_may_overlap, mine.sides, other.sides))
    trace = build.require_current("an array").trace
    if isinstance(a, Tensor) and isinstance(b, Tensor) and _are_apart(trace, a, b):
        return False
    words = set(map(id, trace.marks.values()))
    return bool((_possible(a) & _possible(b)) - words)


def _possible(one: Tensor | Pick) -> set[int]:
    """The ids of the arrays that something may be."""
    roots = [one] if isinstance(one, Tensor) else one.roots()
    return {id(array) for root in roots for array in possible(root)}


def _are_apart(trace: Trace, a: Tensor, b: Tensor) -> bool:
    """True for two that one node gave, which are different arrays on every path."""
    made = made_with(trace, a)
    return made is not None and made == made_with(trace, b)


def _pick_of(one: Tensor | Pick) -> Pick | None:
    return one if isinstance(one, Pick) else one._pick


def _known_as(one: Tensor | Pick, frame: Frame) -> list[Tensor]:
    """The arrays made in the frame that it may be."""
    pick = _pick_of(one)
    found = list(pick.roots()) if pick else []
    if isinstance(one, Tensor):
        found += (one.root, *one.root.sources)
    return [root for root in found if _is_inside(root, frame)]


def _is_inside(tensor: Tensor, frame: Frame) -> bool:
    made = tensor._frame
    while made is not None and made is not frame:
        made = made.parent
    return made is frame


def _note(root: Tensor, mark: Tensor) -> None:
    if not any(source is mark for source in root.sources):
        root.sources = (*root.sources, mark)


def marks(leaf: Tensor) -> tuple[Tensor, ...]:
    """What says that a list, or another name, holds the array too, if one does."""
    return () if leaf.scalar else tuple(marks_among(leaf.root.sources))


def marks_among(sources: Iterable[Tensor]) -> Iterator[Tensor]:
    """Which of the sources are such words, and no arrays."""
    known = build.require_current("a list").trace.marks.values()
    return (source for source in sources if any(source is mark for mark in known))
