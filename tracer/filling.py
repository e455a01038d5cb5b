"""filling: the container that a comprehension makes, before anybody else sees it.

While nothing staged stands between the comprehension and an item, the container is the
frame's own, and taking the item back is all that going back needs. An item that is
added in a staged branch or loop is a change like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime import build
from runtime.build import Frame
from runtime.structs import struct
from tracer import places
from tracer.choice import varying
from tracer.frozen import made_in
from tracer.list_objects import put, staged
from tracer.varied import with_each


def append(made: list[Any], item: Any) -> None:
    """`made.append(item)`."""
    if varying(made) is not None:
        with_each(made, lambda: append(made, item))
        return
    held = staged(made)
    if held is not None:
        put(made, held.append(item))
        return
    if not _is_own(made):
        places.watched(made.append, (item,))
        return
    made.append(item)
    _note(made, made.pop)


def add(made: set[Any], item: Any) -> None:
    """`made.add(item)`."""
    if varying(made) is not None:
        with_each(made, lambda: add(made, item))
    elif not _is_own(made):
        places.watched(made.add, (item,))
    elif item not in made:
        made.add(item)
        _note(made, partial(made.discard, item))


def set_item(made: dict[Any, Any], key: Any, item: Any) -> bool:
    """`made[key] = item`; False, with nothing done, if it has to be seen."""
    if not _is_own(made):
        return False
    if key in made:
        _note(made, partial(made.__setitem__, key, made[key]))
    else:
        _note(made, partial(made.pop, key, None))
    made[key] = item
    return True


def _is_own(made: Any) -> bool:
    frame = build.current()
    return frame is None or made_in(made, frame)


def _note(made: Any, undo: Callable[[], Any]) -> None:
    frame = build.current()
    if frame is not None:
        frame.changes.append((_Filled(made, undo), None))


@struct(eq=False)
class _Filled:
    """An item that was added to a container of the frame's own."""

    made: Any
    undo: Callable[[], Any]

    def get(self) -> None:
        """Nothing: what was there before is known to `undo`."""

    def set(self, held: None) -> None:
        """Take the item back; the log is undone from its end."""
        self.undo()

    def content(self) -> Any:
        """The container."""
        return self.made

    def change(self, frame: Frame, content: Any) -> None:
        """Never asked for: a container of the frame's own is no state."""
        raise AssertionError("a container of the frame's own is no state")

    def is_local(self, frame: Frame) -> bool:
        """True: only the frame that made the container logs this."""
        return True

    def holder(self) -> Any:
        """The container."""
        return self.made
