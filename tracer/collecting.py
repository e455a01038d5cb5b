"""collecting: the items of a staged iterable as a list, gone through by a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.build import Frame, building
from tracer.exits import Exit
from tracer.for_loop import for_loop
from tracer.item_type import ItemType, type_of_item
from tracer.iterated import StagedIterable
from tracer.staged_list import StagedList
from tracer.state import EMPTY, Box, with_boxes


def _same(item: Any) -> Any:
    return item


def collected(
    rows: StagedIterable, function: Callable[[Any], Any] = _same
) -> StagedList:
    """`[function(item) for item in rows]`."""
    found = Box(StagedList.of([], _item_type(rows, function)))

    def body(item: Any) -> Exit:
        found.content = found.content.append(function(item))
        return None

    for_loop(rows, body, with_boxes(EMPTY, {"the list": found}))
    made: StagedList = found.content
    return made


def _item_type(rows: StagedIterable, function: Callable[[Any], Any]) -> ItemType:
    """The type of what is collected, found by trying with one item."""
    frame = Frame("try", build.require_current("a list"))
    try:
        with building(frame):
            return type_of_item(function(rows.item(0)))
    finally:
        frame.undo_changes()
