"""escaping: objects that a body has made and that are seen when it has ended.

What a body changes is undone when it ends, the attributes of its own objects too. Those
of an object that a name, a place or the returned value leads to are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime import build
from runtime.build import Frame, Slot
from runtime.errors import StagingTypeError, with_notes
from runtime.location import Location, here
from runtime.tensor import Tensor
from tracer import tree
from tracer.choice import Choice
from tracer.contents import Held, hold, parts_of
from tracer.places import AttributeSlot, created_by, made_in


def is_outer(thing: Any) -> bool:
    """True for a list, dict or the like that the current body has not made itself.

    A name that refers to it goes on doing so; what is in it is a place of its own.
    """
    frame = build.require_current("a body")
    if not is_container(thing):
        return False
    if frame.parent is None or made_in(thing, frame):
        return False
    if any(slot.holder() is thing for slot, _ in frame.changes):
        return True
    # What a library made here holds tensors of the body.
    leaves = tree.flatten(thing)[0]
    return not any(isinstance(x, Tensor) and x._frame is frame for x in leaves)


def is_container(thing: Any) -> bool:
    """True for a list, dict or the like, which names refer to."""
    if isinstance(thing, (tuple, Choice)):
        return False
    return tree.children(thing) is not None


def hold_place(slot: Slot) -> Held:
    """What a place holds at the end of a body."""
    return hold(slot.content(), is_outer, place=True)


def hold_before(slot: Slot) -> Held:
    """What a place holds before a body: all that is in it is there already."""
    return hold(slot.content(), is_container, place=True)


def own(frame: Frame, seen: Sequence[Held]) -> dict[Slot, Held]:
    """The changed attributes of the frame's own objects that `seen` leads to."""
    changed: dict[int, list[AttributeSlot]] = {}
    for slot in frame.changed():
        if isinstance(slot, AttributeSlot) and slot.is_local(frame):
            changed.setdefault(id(slot.owner), []).append(slot)
    found: dict[Slot, Held] = {}
    waiting = _objects(seen) if changed else []
    while waiting:
        slots = changed.pop(id(waiting.pop()), ())
        inner: dict[Slot, Held] = {slot: hold_place(slot) for slot in slots}
        found.update(inner)
        waiting += _objects(inner.values())
    return found


def _objects(seen: Iterable[Held]) -> list[Any]:
    return [leaf for held in seen for leaf, value in parts_of(held) if value is None]


def refuse(ended_own: dict[Slot, Held], place: Location | None = None) -> None:
    """Refuse an object that each round of a loop, or level of a recursion, makes anew.

    place: where it is said to be, if not at the user's current line
    """
    if not ended_own:
        return
    *_, slot = ended_own
    raise with_notes(
        StagingTypeError(
            f"an object of {type(slot.holder()).__name__} is made anew by each round "
            "of a loop or recursion that depends on data, and used after it"
        ),
        place or here(),
        "Make it before and set its attributes, or make its class a dataclass without "
        "an `__init__` of its own.",
    )


def hand_over(slot: Slot, outer: Frame) -> None:
    """Take the object of a slot for one that the frame outside has made."""
    created_by(slot.holder(), outer)
