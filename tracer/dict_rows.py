"""dict_rows: going through a dict whose keys depend on data, as Python does."""

from __future__ import annotations

from typing import Any

from runtime.ongoing import Ongoing
from runtime.ops import lists, tables
from runtime.ops.template import Input
from runtime.structs import struct
from tracer import collecting
from tracer.dict_objects import now
from tracer.iterated import Iterated
from tracer.staged_dict import pairs_of
from tracer.staged_list import StagedList

# The template of an index that is the first of a node's dynamic inputs.
_FIRST = (Input(0),)
# What a view of a dict gives.
KEYS, VALUES, ITEMS = "keys", "values", "items"


@struct(eq=False)
class DictView(Iterated, Ongoing):
    """`d.keys()`, `d.values()` or `d.items()`: what is in the dict when it is asked."""

    of: Any
    what: str = KEYS

    def rows(self) -> DictRows:
        """It, gone through from here on."""
        return DictRows(self, now(self.of).order())

    def length(self) -> Any:
        """How many keys there are now."""
        return now(self.of).length()

    def is_true(self) -> Any:
        """Whether there are any."""
        return self.length() > 0

    def item(self, index: Any) -> Any:
        """The item that stands there now."""
        return self.at(lists.list_get(now(self.of).order(), index, index=_FIRST))

    def at(self, place: Any) -> Any:
        """The item at a place."""
        held = now(self.of)
        if self.what == KEYS:
            return held.keys.get(place)
        value = held.values.get(place)
        return value if self.what == VALUES else (held.keys.get(place), value)

    def listed(self) -> StagedList:
        """All items in a list."""
        keys, values = now(self.of).columns()
        if self.what != ITEMS:
            return keys if self.what == KEYS else values
        pairs = pairs_of(keys, values)
        return collecting.collected(self.rows()) if pairs is None else pairs


@struct(eq=False)
class DictRows(Iterated):
    """A view that is gone through, in the order of places when that began.

    RuntimeError: the keys are others now.
    """

    view: DictView
    order: Any

    @property
    def live(self) -> bool:
        """True: before each item Python looks whether the keys are others."""
        return True

    def length(self) -> Any:
        """How many keys there are, as when it began."""
        table = now(self.view.of).table
        word = "Set" if type(self.view.of) is set else "dictionary"
        return tables.table_same(table, self.order, word=word)

    def item(self, index: Any) -> Any:
        """The item at `index`, with what it holds now."""
        return self.view.at(lists.list_get(self.order, index, index=_FIRST))
