"""escaping: objects that a body has made and that are seen when it has ended.

What a body changes is undone when it ends, the attributes of its own objects too. Those
of an object that a name, a place or the returned value leads to are carried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from runtime import build
from runtime.build import Frame, Slot
from runtime.errors import StagingTypeError, with_notes
from runtime.location import Location, here
from runtime.staged_text import StagedText
from runtime.tensor import Tensor
from tracer import tree
from tracer.choice import Choice, Varying
from tracer.contents import Held, hold, parts_of
from tracer.leaves import a
from tracer.places import (
    CONTAINERS,
    AttributeSlot,
    ContainerSlot,
    created_by,
    made_in,
)
from tracer.staged_list import StagedList


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
    if isinstance(thing, _VALUES):
        return False
    return tree.children(thing) is not None


# Nested structures that do not change.
_VALUES = (tuple, Choice, Varying, StagedText, StagedList)


class Seen:
    """What is seen from outside when a body ends, and how its containers are held.

    One that a single place refers to is held by what is in it; one that is there
    already, or that two places refer to, as itself.
    """

    def __init__(self, contents: Iterable[Any], places: Iterable[Any]) -> None:
        self._count: Counter[int] = Counter()
        # What a place holds is a copy, which nobody else refers to.
        inside = (child for held in places for child in tree.children(held) or [held])
        for content in (*contents, *inside):
            self._look(content)

    def _look(self, thing: Any) -> None:
        children = tree.children(thing)
        if children is None or is_outer(thing):
            return
        self._count[id(thing)] += is_container(thing)
        if self._count[id(thing)] < 2:
            for child in children:
                self._look(child)

    def is_shared(self, thing: Any) -> bool:
        """True for a container of the body that two places refer to."""
        return self._count[id(thing)] > 1

    def is_reference(self, thing: Any) -> bool:
        """True when the object itself is held."""
        return self.is_shared(thing) or is_outer(thing)

    def hold_place(self, content: Any) -> Held:
        """What a place holds at the end of the body."""
        return hold(content, self.is_reference, place=True)

    def own(self, frame: Frame, held: Sequence[Held]) -> dict[Slot, Held]:
        """The places in the frame's own objects that what is held leads to."""
        changed: dict[int, list[Slot]] = {}
        for slot in frame.changed():
            if slot.is_local(frame):
                changed.setdefault(id(slot.holder()), []).append(slot)
        found: dict[Slot, Held] = {}
        waiting, known = _objects(held), set[int]()
        while waiting:
            thing = waiting.pop()
            if id(thing) in known:
                continue
            known.add(id(thing))
            slots = changed.get(id(thing), [])
            if self.is_shared(thing):
                slots = _slots_of(thing)
            inner = {slot: self.hold_place(slot.content()) for slot in slots}
            found.update(inner)
            waiting += _objects(inner.values())
        return found


def _slots_of(container: Any) -> list[Slot]:
    if isinstance(container, CONTAINERS):
        return [ContainerSlot(container)]
    return [AttributeSlot(container, name) for name in vars(container)]


def hold_place(slot: Slot) -> Held:
    """What a place holds now, in a body that goes on."""
    return hold(slot.content(), is_outer, place=True)


def hold_before(slot: Slot) -> Held:
    """What a place holds before a body: all that is in it is there already."""
    return hold(slot.content(), is_container, place=True)


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
            f"{a(slot.holder())} is made anew by each round of a loop or recursion "
            "that depends on data, and used after it"
        ),
        place or here(),
        "Give one of its names a copy."
        if isinstance(slot.holder(), CONTAINERS)
        else "Make it before and set its attributes, or make its class a dataclass "
        "without an `__init__` of its own.",
    )


def hand_over(slot: Slot, outer: Frame) -> None:
    """Take the object of a slot for one that the frame outside has made."""
    created_by(slot.holder(), outer)
