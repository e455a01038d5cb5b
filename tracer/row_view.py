"""RowView: a row, as the StagedList that it holds at one moment.

Asked for an item or its length, and changed by one item, it asks and changes the rows
of its region; all else is done to a list of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from runtime import build
from runtime.ops import lists, rows
from runtime.ops.lists import list_set
from runtime.ops.template import encode
from runtime.spec import ListSpec
from runtime.tensor import STANDS, Tensor
from tracer import frozen, mixed_items, places
from tracer.choice import Choice
from tracer.item_type import (
    NOTHING,
    ItemShape,
    NoItemType,
    in_rows,
    join_mixed,
    of_rows,
    settled,
    type_of_item,
)
from tracer.rows import Region, Row, Rows, known
from tracer.rows_made import whole_row
from tracer.staged_list import StagedList

# The rows of a region in which there never was an item.
_NO_ROWS = in_rows(NOTHING)


class RowView(StagedList):
    """What a row holds: `held`, all rows of its region, and its number among them."""

    __slots__ = ("held", "number", "region")

    def __init__(self, region: Region, number: Any, held: StagedList) -> None:
        build.note_standing()
        self.region = region
        self.number = number
        self.held = held
        self.known_length = None

    @property
    def shape(self) -> ItemShape:  # type: ignore[override] # it is read only
        """The shape of the items."""
        return of_rows(self.held.type).shape

    @property
    def lists(self) -> tuple[Tensor, ...]:  # type: ignore[override] # as well
        """The parts of the items, in lists of their own."""
        made = [rows.row_get(part, self.number) for part in self.held.lists]
        for part in made:
            part.scalar = True
        return tuple(made)

    def plain(self) -> StagedList:
        """The same items, in lists of their own."""
        return StagedList(self.shape, self.lists)

    def _with_rows(self, parts: Sequence[Tensor], of: StagedList) -> RowView:
        for part in parts:
            part.scalar = True
        return RowView(self.region, self.number, StagedList(of.shape, parts))

    def _wide(self, item: Any) -> tuple[StagedList, list[Tensor]] | None:
        """All rows of a type that serves the item, and its parts."""
        if isinstance(settled(item), Choice):
            return None
        if (found := known()) is not None:
            found.require([item])
        kind = mixed_items.joined_with(of_rows(self.held.type), item)
        parts = [*map(Tensor, mixed_items.parts_of(item, kind))]
        frozen.freeze(item, frozen.ITEM)
        return self.held.as_type(in_rows(kind)), parts

    def append(self, item: Any) -> StagedList:
        """With `item` at the end."""
        found = self._wide(item)
        if found is None:
            return self.plain().append(item)
        of, parts = found
        pairs = zip(of.lists, parts, strict=True)
        return self._with_rows(
            [rows.row_append(xs, self.number, part) for xs, part in pairs], of
        )

    def set(self, at: Any, item: Any, op: Any = list_set) -> StagedList:
        """After `xs[at] = item`."""
        found = None if type(at) is slice else self._wide(item)
        if found is None:
            return self.plain().set(at, item, op)
        of, parts = found
        (index,), dynamic = _template(at)
        pairs = zip(of.lists, parts, strict=True)
        return self._with_rows(
            [
                rows.row_set_item(xs, self.number, part, *dynamic, index=(index,))
                for xs, part in pairs
            ],
            of,
        )

    def pop(self, at: Any = -1) -> tuple[StagedList, Any]:
        """Without the item at `at`, and that item."""
        if self.is_nothing:
            [].pop()
        pairs = [rows.row_pop(part, self.number, at) for part in self.held.lists]
        rest = self._with_rows([rest for rest, _ in pairs], self.held)
        return rest, self._whole(item for _, item in pairs)

    def length(self) -> Any:
        """`len(xs)`, a staged int; 0 where there never was an item."""
        if self.is_nothing:
            return 0
        made: Tensor = rows.row_len(self.held.lists[0], self.number)
        return made

    def get(self, at: Any, word: str = "list") -> Any:
        """The item at `at`, an int or a staged int."""
        if self.is_nothing:
            raise IndexError(f"{word} index out of range")
        (index,), dynamic = _template(at)
        return self._whole(
            rows.row_item(part, self.number, *dynamic, index=(index,))
            for part in self.held.lists
        )

    item = get

    def zipped(self) -> Tensor:
        """The list itself, as it leaves the graph."""
        if self.held is not self.region.held[0]:
            # It is to hold something else than its region has yet.
            return self.plain().zipped()
        made = whole_row(self.region, self.number)
        made.scalar = True
        return made


def _template(at: Any) -> tuple[Any, list[Any]]:
    return encode((at,), lambda part: isinstance(part, Tensor))


def view(row: Row) -> RowView:
    """What the row holds now."""
    return RowView(row.region, row.number, row.region.held[0])


STANDS[Row] = lambda row: view(row).stack()


def put(row: Row, content: StagedList | list[Any]) -> None:
    """Make the row hold `content`."""
    region = row.region
    if _is_change_of(content, row):
        assert isinstance(content, RowView)
        _hold(region, content.held)
        return
    of, new = _with_type(region, content)
    pairs = zip(of.lists, new.lists, strict=True)
    _hold(region, _rows(of, [rows.row_set(xs, row.number, ys) for xs, ys in pairs]))


def make(thing: list[Any], region: Region) -> None:
    """Make a list that nobody else knows yet a new row of the region."""
    content = [item.plain() if type(item) is RowView else item for item in thing]
    of, new = _with_type(region, content)
    number = lists.list_len(of.lists[0])
    pairs = zip(of.lists, new.lists, strict=True)
    _hold(region, _rows(of, [rows.row_add(xs, ys) for xs, ys in pairs]))
    thing[:] = [Row(region, number)]


def begin(found: Rows) -> None:
    """Make the regions of a trace, without rows."""
    for region in found.regions:
        (spec,) = _NO_ROWS.specs
        assert isinstance(spec, ListSpec)
        part = lists.list_of(item=spec)
        part.scalar = True
        region.held.append(StagedList(_NO_ROWS.shape, [part]))
        places.created(region.held)


def _is_change_of(content: Any, row: Row) -> bool:
    return (
        type(content) is RowView
        and content.region is row.region
        and content.number is row.number
    )


def _rows(of: StagedList, parts: Sequence[Tensor]) -> StagedList:
    for part in parts:
        part.scalar = True
    return StagedList(of.shape, parts)


def _hold(region: Region, of: StagedList) -> None:
    places.changing(region.held)
    region.held[:] = [of]


def _with_type(
    region: Region, content: StagedList | list[Any]
) -> tuple[StagedList, StagedList]:
    """All rows of a type that serves the content too, and the content so."""
    mine: StagedList = region.held[0]
    items = [content] if isinstance(content, StagedList) else content
    if (found := known()) is not None:
        found.require([item for item in items if not isinstance(item, StagedList)])
    try:
        types = [
            x.type if isinstance(x, StagedList) else type_of_item(x) for x in items
        ]
        kind = reduce(join_mixed, types, of_rows(mine.type))
    except NoItemType:
        raise mixed_items.no_type() from None
    parts = [
        x.as_type(kind) if isinstance(x, StagedList) else StagedList.of([x], kind)
        for x in items
    ]
    none = StagedList.of([], kind)
    return mine.as_type(in_rows(kind)), reduce(StagedList.extend, parts, none)
