"""collecting: the items of a staged iterable as a list, gone through by a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.build import Frame, building
from runtime.tensor import Tensor, tensor
from tracer.exits import Exit
from tracer.for_loop import for_loop
from tracer.item_type import ItemType, NoItemType, type_of_item
from tracer.iterated import StagedIterable
from tracer.mixed_items import no_type
from tracer.staged_list import StagedList
from tracer.state import EMPTY, Box, with_boxes


def _same(item: Any) -> Any:
    return item


# Items that a list is made of one by one, each of which its loops then trace anew.
UNROLLED = 100


def is_long(length: Any, of: Any = None) -> bool:
    """Whether a list of so many items is one of the run, as those of unknown length.

    of: what the items are of, where they may be arrays, which such a list does not let
        the program change in place

    Where what follows wants the items of a known number of them, the trace is made
    once more, all one by one.
    """
    if isinstance(length, Tensor):
        return True
    if of is not None and not (isinstance(of, Tensor) and of.ndim == 1):
        return False
    trace = build.require_current("a list").trace
    if length <= UNROLLED or trace.long_lists == "unrolled":
        return False
    trace.long_lists = "was made"
    return True


def items_of(rows: Any, of: Any) -> list[Any] | StagedList:
    """The items of what the user calls `of`, as a list where they are not many.

    rows: what goes through them, which Python's own iteration takes, too
    """
    return collected(rows) if is_long(rows.length(), of) else list(rows)


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
    length = rows.length()
    made.known_length = None if isinstance(length, Tensor) else length
    return made


def _item_type(rows: StagedIterable, function: Callable[[Any], Any]) -> ItemType:
    """The type of what is collected, found by trying with one item.

    TypeError: no such list can hold it.
    """
    frame = Frame("try", build.require_current("a list"))
    try:
        with building(frame):
            # As a turn of the loop asks: constants that an index tells are of the run.
            return type_of_item(function(rows.item(tensor(0))))
    except NoItemType:
        raise no_type() from None
    finally:
        frame.undo_changes()
