"""rows_made: rows as Python's lists, where lists leave the graph or are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime import build
from runtime.ops import lists, rows
from runtime.ops.template import rebuild
from runtime.tensor import Tensor
from tracer.item_type import NOTHING, ItemShape
from tracer.rows import Numbered, Region


def whole_items(
    shape: ItemShape, parts: Sequence[Tensor]
) -> tuple[Sequence[Tensor], Any]:
    """The parts of a list's items with lists for numbers of rows, and a template."""
    template, regions = _placed(shape)
    if not regions:
        return parts, template
    made = made_rows(dict.fromkeys(regions.values()))
    return [
        rows.rows_at(made[regions[k]], part) if k in regions else part
        for k, part in enumerate(parts)
    ], template


def whole_row(region: Region, number: Any) -> Tensor:
    """The list that is the row `number`."""
    of = made_rows([region])[region]
    made: Tensor = rows.rows_at(of, lists.list_of(number, item=number.spec))
    first: Tensor = lists.list_get(made, index=(0,))
    return first


def made_rows(regions: Iterable[Region]) -> dict[Region, Tensor]:
    """For each region Python's lists of all its rows, and so for those in its items.

    What leaves the trace is made by one node: a list under two names is one list.
    """
    known = build.require_current("a list").trace.rows
    order = list(known.regions if known.leaving else regions)
    templates = []
    for region in order:
        shape = region.held[0].shape
        template, inner = _placed(shape)
        order += [one for one in dict.fromkeys(inner.values()) if one not in order]
        count = len(region.held[0].lists)
        templates.append((template, tuple(inner.get(k) for k in range(count))))
    columns = [region.held[0].lists for region in order]
    key = tuple(part.value for column in columns for part in column)
    if key in known.made and known.leaving:
        return dict(zip(order, known.made[key], strict=True))
    items = tuple(
        (template, tuple(None if one is None else order.index(one) for one in inner))
        for template, inner in templates
    )
    counts = tuple(map(len, columns))
    parts = [part for column in columns for part in column]
    found = rows.rows_made(*parts, counts=counts, items=items)
    known.made[key] = [found] if len(order) == 1 else found
    return dict(zip(order, known.made[key], strict=True))


def _placed(shape: ItemShape) -> tuple[Any, dict[int, Region]]:
    """A template of an item, and for each place that is a row's number its region."""
    if (
        shape.structure == NOTHING.shape.structure
        and shape.fixed == NOTHING.shape.fixed
    ):
        return None, {}
    regions: dict[int, Region] = {}

    def place(part: Any) -> Any:
        if type(part) is list and len(part) == 1 and type(part[0]) is Numbered:
            regions[part[0].number.k] = part[0].region
            return part[0].number
        return rebuild(part, place)

    return place(shape.template()), regions
