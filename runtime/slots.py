"""What a frame under construction is told of, and whom it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from runtime.effects import Effect
from runtime.graph import Node
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.build import Frame


class Slot(Protocol):
    """A place outside that a body may change; equal slots are one place."""

    def get(self) -> Any:
        """What the place holds now."""

    def set(self, held: Any) -> None:
        """Put back what `get` gave, without logging."""

    def content(self) -> Any:
        """What the place holds, as a name would hold it."""

    def change(self, frame: Frame, content: Any) -> None:
        """Make the place hold `content`, logged in `frame`."""

    def is_local(self, frame: Frame) -> bool:
        """True when the place was made in `frame`, so nobody outside sees it."""

    def holder(self) -> Any:
        """The object that the place is in."""


@struct
class ItemWas:
    """What one item of a list was, in a log: a long list is not copied for it."""

    at: int
    item: Any

    def put_into(self, items: list[Any]) -> None:
        """Let it be the item again, unless the list has been emptied."""
        # What stands for an argument is, when its trace is over.
        if -len(items) <= self.at < len(items):
            items[self.at] = self.item


Logged = Sequence[tuple[Slot, Any]]


def put_back(slot: Slot, old: Any) -> None:
    """Let the place hold what the log says of it."""
    if type(old) is ItemWas:
        old.put_into(slot.holder())
    else:
        slot.set(old)


def undo(changes: Logged) -> None:
    """Let all places hold what they did before these changes.

    What putting one back raises, by a property's own code, is raised after the others.
    """
    failed: BaseException | None = None
    for slot, old in reversed(changes):
        try:
            put_back(slot, old)
        except BaseException as error:
            failed = failed or error
    if failed is not None:
        raise failed


def held_before(changes: Logged) -> dict[Slot, Any]:
    """The places that these changes are of, with what they held before them."""
    before: dict[Slot, Any] = {}
    for slot, old in changes:
        before.setdefault(slot, old)
    for slot, old in before.items():
        if type(old) is ItemWas:
            before[slot] = _list_before(slot, changes)
    return before


def _list_before(slot: Slot, changes: Logged) -> Any:
    items: list[ItemWas] = []
    for changed, old in changes:
        if changed == slot and type(old) is not ItemWas:
            content = old.copy()
            break
        if changed == slot:
            items.append(old)
    else:
        # Nothing but items: it is as long as it was.
        content = slot.get()
    for item in reversed(items):
        item.put_into(content)
    return content


def is_latest(slot: Slot, latest: Logged) -> bool:
    """Whether the latest change remembers all that the place holds."""
    return any(one == slot and type(old) is not ItemWas for one, old in latest)


class Watch(Protocol):
    """Who is told, in a try statement's body, that a node is added which may fail.

    passes_on: the statement only raises again what it catches
    """

    passes_on: bool

    def about_to_fail(self, frame: Frame, node: Node) -> Effect | None:
        """The effect that keeps the node; called before `frame` gets it."""
