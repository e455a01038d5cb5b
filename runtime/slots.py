"""What a frame under construction is told of, and whom it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from runtime.effects import Effect
from runtime.graph import Node

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


class Watch(Protocol):
    """Who is told, in a try statement's body, that a node is added which may fail."""

    def about_to_fail(self, frame: Frame, node: Node) -> Effect | None:
        """The effect that keeps the node; called before `frame` gets it."""
