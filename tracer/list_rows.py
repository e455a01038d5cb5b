"""list_rows: going through a list while it may change, as Python does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.errors import StagingTypeError, located
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer.item_type import ItemType, NoItemType
from tracer.iterated import Iterated
from tracer.list_objects import as_staged, content_type, is_staged, staged
from tracer.mixed_items import no_type


@struct(eq=False)
class ListRows(Iterated):
    """A list gone through while it may change: it is looked at anew in each turn.

    start: how many of its items have been gone through already
    """

    of: Sequence[Any]
    start: int = 0

    @property
    def live(self) -> bool:
        """The length may be another one in each turn."""
        return True

    def length(self) -> Any:
        """How many items there are now, from `start` on."""
        held = staged(self.of)
        length = len(self.of) if held is None else held.length()
        return length - self.start if self.start else length

    def item(self, index: Any) -> Any:
        """The item that stands there now."""
        at = index + self.start if self.start else index
        held = staged(self.of)
        if held is None and isinstance(at, Tensor):
            return as_staged(self.of, _type_of(self.of)).get(at)
        return self.of[at] if held is None else held.get(at)


def _type_of(of: Sequence[Any]) -> ItemType:
    try:
        kind = content_type(of, mixed=True)
    except NoItemType:
        kind = None
    if kind is None:
        raise no_type()
    return kind


class Grown(StagingTypeError):
    """A list got a length that depends on data while it is gone through."""


class Items(Iterator[Any]):
    """Python's own iteration over a list, which sees what is added meanwhile.

    Grown: the list has become one whose length depends on data
    """

    def __init__(self, of: list[Any]) -> None:
        self.of = of
        self.at = 0
        # What depends on data comes with another length or as the first item: all of a
        # long list is not looked at for each of its items.
        self._length = -1
        # The loop may have been left before: what follows is no plain loop.
        self.guarded = False
        self.grown = False

    def __next__(self) -> Any:
        if len(self.of) != self._length or is_staged(self.of[:1]):
            self._length = len(self.of)
            self.grown = is_staged(self.of)
        if self.grown:
            raise located(
                Grown(
                    "a list is changed depending on data while something goes through "
                    "it"
                ),
                "Go through a copy (`list(x)`), or by a `for` over the list itself.",
            )
        if self.at >= len(self.of):
            # Ended for good, as Python's own is.
            self.of = []
            raise StopIteration
        self.at += 1
        return self.of[self.at - 1]
