"""Rows: lists that live as long as a run, each known by its number, as one value.

A list in a list may be changed by any name for it. So those are numbers in the graph,
and what they hold is one list of rows, of which an op gives a new one, or changes it in
place where nobody else can see it. Rows are copied in and out: only the list of rows
ever holds one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import spec as specs
from runtime.op import op
from runtime.ops.basic import WEAK_INT
from runtime.ops.lists import ANYTHING, MUTATES, List, scalar
from runtime.ops.template import Input, fill
from runtime.spec import ListSpec, TensorSpec

Rows = list[List]
# The ops that change a list of rows, by what changes it in place.
CHANGES: dict[str, Callable[..., Any]] = {}


def copied(rows: Rows) -> Rows:
    """The rows, each a list of its own."""
    return [[*row] for row in rows]


def _changes(name: str, change: Callable[..., Any]) -> Callable[..., Any]:
    CHANGES[name] = MUTATES[name] = change
    return lambda rows, *inputs, **attributes: change(
        copied(rows), *inputs, **attributes
    )


def _row(rows: TensorSpec) -> ListSpec:
    assert isinstance(rows, ListSpec)
    assert isinstance(rows.item, ListSpec)
    return rows.item


def _joined(rows: TensorSpec, item: TensorSpec) -> TensorSpec:
    return ListSpec(ListSpec(specs.join(_row(rows).item, item)))


# Changing rows.


def _add(rows: Rows, row: List) -> Rows:
    rows.append([*row])
    return rows


@op(kernel=_changes("row_add", _add))
def row_add(rows: TensorSpec, row: TensorSpec) -> TensorSpec:
    """The rows with one more, whose number is how many there were."""
    return _joined(rows, _row(ListSpec(row)).item)


def _set(rows: Rows, at: int, row: List) -> Rows:
    rows[at] = [*row]
    return rows


@op(kernel=_changes("row_set", _set))
def row_set(rows: TensorSpec, at: TensorSpec, row: TensorSpec) -> TensorSpec:
    """The rows with the one numbered `at` holding what `row` does."""
    return _joined(rows, _row(ListSpec(row)).item)


def _append(rows: Rows, at: int, item: Any) -> Rows:
    rows[at].append(scalar(item))
    return rows


@op(kernel=_changes("row_append", _append))
def row_append(rows: TensorSpec, at: TensorSpec, item: TensorSpec) -> TensorSpec:
    """The rows after `row.append(item)`."""
    return _joined(rows, item)


def _set_item(rows: Rows, at: int, item: Any, *dynamic: Any, index: tuple[Any]) -> Rows:
    (key,) = fill(index, dynamic)
    rows[at][key] = scalar(item)
    return rows


@op(kernel=_changes("row_set_item", _set_item))
def row_set_item(
    rows: TensorSpec,
    at: TensorSpec,
    item: TensorSpec,
    *dynamic: TensorSpec,
    index: tuple[Any],
) -> TensorSpec:
    """The rows after `row[index] = item`; index: a template of one number.

    IndexError: the row has no such item.
    """
    return _joined(rows, item)


def _pop(rows: Rows, at: int, key: int) -> tuple[Rows, Any]:
    item = rows[at].pop(key)
    return rows, item


@op(kernel=_changes("row_pop", _pop))
def row_pop(
    rows: TensorSpec, at: TensorSpec, key: TensorSpec
) -> tuple[TensorSpec, TensorSpec]:
    """The rows after `row.pop(key)`, and the item.

    IndexError: the row is empty, or has no such item.
    """
    return rows, _row(rows).item


# Reading rows.


@op(kernel=lambda rows, at: [*rows[at]], source="[*{0}[{1}]]")
def row_get(rows: TensorSpec, at: TensorSpec) -> TensorSpec:
    """What the row holds, in a list of its own."""
    return _row(rows)


@op(kernel=lambda rows, at: len(rows[at]), source="len({0}[{1}])")
def row_len(rows: TensorSpec, at: TensorSpec) -> TensorSpec:
    """`len(row)`, a Python int."""
    return WEAK_INT


def _item(rows: Rows, at: int, *dynamic: Any, index: tuple[Any]) -> Any:
    (key,) = fill(index, dynamic)
    return rows[at][key]


@op(kernel=_item)
def row_item(
    rows: TensorSpec, at: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]
) -> TensorSpec:
    """`row[index]`; index: a template of one number. IndexError: there is none."""
    return _row(rows).item


# The items of all rows as one list, where their type becomes wider.


@op(kernel=lambda rows: [item for row in rows for item in row])
def rows_flat(rows: TensorSpec) -> TensorSpec:
    """The items of all rows, one row after the other."""
    return _row(rows)


def _split(items: List, like: Rows) -> Rows:
    rest = iter(items)
    return [[next(rest) for _ in row] for row in like]


@op(kernel=_split)
def rows_split(items: TensorSpec, like: TensorSpec) -> TensorSpec:
    """The items in rows as long as those of `like`."""
    return ListSpec(items)


# Rows as they leave the graph.


Given = tuple[tuple[int, bool], ...]


def _made(
    *parts: Rows, counts: tuple[int, ...], items: tuple[Any, ...], given: Given
) -> Any:
    rest = iter(parts)
    columns = [[next(rest) for _ in range(count)] for count in counts]
    callers = [[row for _ in range(n) for row in next(rest)] for n, _ in given]
    made: list[Rows] = [
        [*rows, *([] for _ in of[0][len(rows) :])]
        for rows, of in zip(callers, columns, strict=True)
    ]
    left: list[tuple[List, List]] = []
    wholes = [_with_rows(item, made) for item in items]
    for rows, of, whole, own, (_, changed) in zip(
        made, columns, wholes, callers, given, strict=True
    ):
        first = 0 if changed else len(own)
        for at, row in enumerate(rows[first:], first):
            held = map(whole, zip(*(part[at] for part in of), strict=True))
            if at < len(own):
                left.append((row, [*held]))
            else:
                row += held
    return *made, left


def _with_rows(item: Any, made: list[Rows]) -> Callable[[tuple[Any, ...]], Any]:
    """What makes an item of its parts; where a part numbers a row, it is that row."""
    template, kinds = item
    if template == Input(0) and kinds == (None,):
        return lambda parts: parts[0]

    def part_of(part: Any, kind: int | None) -> Any:
        # That of a kind that the item is not of is anything.
        return part if kind is None else _row_at(made[kind], part)

    def whole(parts: tuple[Any, ...]) -> Any:
        return fill(template, tuple(map(part_of, parts, kinds)))

    return whole


def _row_at(rows: Rows, at: Any) -> List | None:
    return rows[at] if at < len(rows) else None


@op(kernel=_made)
def rows_made(
    *parts: TensorSpec,
    counts: tuple[int, ...],
    items: tuple[Any, ...],
    given: Given,
) -> tuple[TensorSpec, ...]:
    """Python's lists for all rows of several lists of rows: a list of them for each.

    The first rows of one may be a caller's own lists, which come behind the parts. What
    those that are changed are to hold is the last output: a list of pairs.

    counts: how many of the parts belong to each
    items:  for each a template of an item, and for each part which list of rows it is a
            number of, or None
    given:  for each how many of the caller's lists of rows, and whether it may hold
            something else than they do
    """
    return (ListSpec(ANYTHING),) * (len(counts) + 1)


@op(kernel=lambda rows, numbers: [_row_at(rows, at) for at in numbers])
def rows_at(rows: TensorSpec, numbers: TensorSpec) -> TensorSpec:
    """The rows with these numbers, as a list holds them."""
    return rows
