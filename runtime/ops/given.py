"""Lists that a caller passes, as they come into a graph: what is in them is copied.

A list of numbers is an input as it is. One of lists, or of tuples, is taken apart:
lists become rows (`runtime.ops.rows`), tuples a list for each of their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.op import op, outputs
from runtime.ops.basic import WEAK_INT
from runtime.ops.lists import List
from runtime.ops.rows import Rows
from runtime.spec import ListSpec, TensorSpec
from runtime.tuple_spec import TupleSpec


def parts_of(item: TensorSpec) -> tuple[TensorSpec, ...]:
    """The specs of the parts of an item: a number is its only one."""
    return item.parts if isinstance(item, TupleSpec) else (item,)


def _columns(items: Iterable[Any], width: int | None) -> list[List]:
    """The parts of the items, a list for each; width: None for numbers."""
    if width is None:
        return [[*items]]
    return [[*column] for column in zip(*items, strict=True)] or [[]] * width


def _item(given: TensorSpec) -> TensorSpec:
    assert isinstance(given, ListSpec)
    return given.item


@op(kernel=lambda given, *, width: outputs(_columns(given, width)))
def list_given(given: TensorSpec, *, width: int) -> tuple[TensorSpec, ...]:
    """For each part of the tuples in a caller's list a list of its own."""
    return tuple(map(ListSpec, parts_of(_item(given))))


def _rows(*lists: Rows, width: int | None) -> Any:
    *held, given = lists
    columns: Sequence[Rows] = [
        [*of] for of in zip(*(_columns(row, width) for row in given), strict=True)
    ]
    first = len(held[0])
    made = [[*a, *b] for a, b in zip(held, columns, strict=True)] if given else held
    return outputs((*made, [*range(first, first + len(given))]))


@op(kernel=_rows)
def rows_given(*lists: TensorSpec, width: int | None) -> tuple[TensorSpec, ...]:
    """The parts of rows, with those of the lists in a caller's list, and their numbers.

    lists: a list of rows for each part of an item, then the caller's
    width: how many parts the tuples have that are the items; None for numbers
    """
    return *lists[:-1], ListSpec(WEAK_INT)
