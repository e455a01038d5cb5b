"""rows_made: rows as Python's lists, where lists leave the graph or are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime import build
from runtime.ops import lists, rows
from runtime.ops.template import rebuild
from runtime.tensor import Tensor
from tracer.item_type import NOTHING, ItemShape
from tracer.rows import Numbered, Region, Rows


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
    return dict(zip(order, _made(order, known), strict=False))


def rows_left(known: Rows) -> list[Tensor]:
    """At the end of a trace, what the caller's lists are to hold: pairs in a list.

    None where no list among them may have been changed.
    """
    return [_made([*known.regions], known)[-1]] if known.given_changed() else []


def _made(order: list[Region], known: Rows) -> Sequence[Tensor]:
    """The lists of these regions, and of those that they hold; then what is left."""
    templates = []
    for region in order:
        shape = region.held[0].shape
        template, inner = _placed(shape)
        order += [one for one in dict.fromkeys(inner.values()) if one not in order]
        count = len(region.held[0].lists)
        templates.append((template, tuple(inner.get(k) for k in range(count))))
    columns = [region.held[0].lists for region in order]
    # What was made before is not the caller's own lists.
    key = known.leaving, *(part.value for column in columns for part in column)
    if key in known.made and known.leaving:
        return known.made[key]
    items = tuple(
        (template, tuple(None if one is None else order.index(one) for one in inner))
        for template, inner in templates
    )
    counts = tuple(map(len, columns))
    parts = [part for column in columns for part in column]
    own = [region.given if known.leaving else [] for region in order]
    given = tuple((len(of), one.is_changed) for of, one in zip(own, order, strict=True))
    parts += [part for of in own for part in of]
    made = rows.rows_made(*parts, counts=counts, items=items, given=given)
    known.made[key] = made
    return made


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
