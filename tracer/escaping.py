"""escaping: objects that a body has made and that are seen when it has ended.

What a body changes is undone when it ends, the attributes of its own objects too. Those
of an object that a name, a place or the returned value leads to are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.build import Frame, Slot
from tracer.contents import Held, hold, parts_of
from tracer.places import AttributeSlot, created_by


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
        inner: dict[Slot, Held] = {slot: hold(slot.content()) for slot in slots}
        found.update(inner)
        waiting += _objects(inner.values())
    return found


def _objects(seen: Iterable[Held]) -> list[Any]:
    return [leaf for held in seen for leaf, value in parts_of(held) if value is None]


def hand_over(slot: Slot, outer: Frame) -> None:
    """Take the object of a slot for one that the frame outside has made."""
    created_by(slot.holder(), outer)
