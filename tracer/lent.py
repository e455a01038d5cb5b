"""lent: the caller's arrays in a recursive graph: which results and changes they meet.

Within the graph an argument is a placeholder. What the graph returns may be the very
array that was passed, which the caller may change later; and where it changes one in
place, no other name of it may be in use at any level.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from runtime.build import Frame, Slot
from runtime.errors import OnlyPythonError, PythonValueError, located
from runtime.graph import Value
from runtime.picked import possible
from runtime.tensor import Tensor, tensor
from runtime.tensor_slot import TensorSlot
from tracer import marks
from tracer.passing import is_array

# For a leaf of the result, by key: positions of arguments, or arrays from outside.
Sources = dict[int, "int | Tensor"]


def note_sources(
    sources: list[Sources], leaves: Sequence[Any], passed: Sequence[Any], outer: Frame
) -> bool:
    """Add which arrays the leaves of a result may be; True when some were new.

    passed: the placeholders of the arguments
    outer:  the frame around the graph
    """
    while len(sources) < len(leaves):
        sources.append({})
    before = sum(map(len, sources))
    positions = {id(made): at for at, made in enumerate(passed)}
    for found, leaf in zip(sources, leaves, strict=False):
        if not isinstance(leaf, Tensor) or leaf.scalar:
            continue
        for root in possible(leaf):
            if id(root) in positions:
                found[positions[id(root)]] = positions[id(root)]
            elif outer.sees(root._value):
                found[id(root)] = root
    return sum(map(len, sources)) > before


def overlap(leaves: Sequence[Any]) -> bool:
    """Whether two of the leaves may be one array, or parts of one."""
    return bool(marks.overlapping([[leaf] for leaf in leaves]))


def as_given(sources: Sources, given: Sequence[Any]) -> tuple[Tensor, ...]:
    """The arrays that a leaf of a call's result may be; `given` are its arguments."""
    each = [given[s] if isinstance(s, int) else s for s in sources.values()]
    return tuple(
        root for one in each if is_array(one) for root in possible(tensor(one))
    )


def refuse_stale(
    name: str, stale: Iterable[Tensor], passed: Sequence[Any], outer: Frame
) -> None:
    """Refuse a graph that may change an array through a name that may be another."""
    mine = {id(made) for made in passed}
    if any(id(made) in mine or outer.sees(made._value) for made in stale):
        raise located(
            PythonValueError(
                f"`{name}` may change an array through another name, depending on "
                "data, at each level of its recursion"
            ),
            "Copy the array first (`x = x.copy()`).",
        )


def refuse_shared(
    name: str,
    given: Sequence[Any],
    written: Collection[int],
    slots: Iterable[Slot],
    seen: Collection[Value],
    outer: Frame,
) -> None:
    """Refuse arguments in the memory of what a level changes under another name.

    OnlyPythonError: one that it changes may be read-only, of which no level knows

    written: the positions of the arguments that are changed in place
    slots:   the places from outside that are changed
    seen:    the values of the frame around, `outer`, that the graph reads
    """
    if any(_may_be_locked(tensor(given[at])) for at in written):
        words = f"`{name}` changes what may be a read-only view, at some level"
        raise located(OnlyPythonError(words), "Copy the view first (`x = x.copy()`).")
    roots = {at: tensor(leaf).root for at, leaf in enumerate(given) if is_array(leaf)}
    changed = {id(slot.tensor) for slot in slots if isinstance(slot, TensorSlot)}
    mine = {id(roots[at]): given[at] for at in written}
    for at, root in roots.items():
        itself = at in written and mine[id(root)] is given[at]
        for one in possible(root):
            if id(one) in changed or (id(one) in mine and not itself):
                raise _shared(name)
    for at in written:
        value = roots[at]._value
        if (outer.seen_as(value) or value) in seen:
            raise _shared(name)


def lost(name: str) -> OnlyPythonError:
    """The error for a call inside a try, of what changes arrays or places.

    What a level has changed when it fails, the handlers of a level around it read, and
    of that no checkpoint is told.
    """
    words = f"`{name}` changes, inside a try, what a handler of another level reads"
    return located(OnlyPythonError(words), "Call it outside of the try.")


def _may_be_locked(array: Tensor) -> bool:
    pick = array.root._pick
    return array.is_locked or (pick is not None and pick.may_be_locked)


def _shared(name: str) -> PythonValueError:
    return located(
        PythonValueError(
            f"`{name}` changes an array that it also has under another name, in a "
            "recursion that depends on data"
        ),
        "Pass the array once, with the bounds of the part, or copy the part.",
    )
