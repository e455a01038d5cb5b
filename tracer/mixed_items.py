"""mixed_items: lists of a length that depends on data, with items of several kinds.

Beside the parts of all kinds such a list holds a number for each item: its kind. The
parts of the other kinds are placeholders there. A single item is a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.errors import StagingTypeError, located
from runtime.graph import Value
from runtime.ops import lists
from runtime.ops.placeholder import placeholder
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, value_of
from tracer import item_type
from tracer.item_type import (
    COUNT,
    MOST_KINDS,
    ItemType,
    NoItemType,
    join,
    join_mixed,
    kinds_of,
    own_specs,
    type_of_item,
)
from tracer.rows import note_refusal

ELSE = (
    "Put numbers, texts, and tuples, lists, dicts and objects of them into it, of at "
    f"most {MOST_KINDS} kinds."
)
Widened = Callable[[Sequence[Tensor], ItemType, ItemType], tuple[Tensor, ...]]


def serving(kind: ItemType, wide: ItemType) -> list[int]:
    """For each kind of item in `kind` the one of `wide` that serves it.

    NoItemType: there is none, or one serves two
    """
    options = kinds_of(wide)
    found = [_index(one, options) for one in kinds_of(kind)]
    if len(set(found)) < len(found):
        raise NoItemType
    return found


def _index(kind: ItemType, options: list[ItemType]) -> int:
    for at, option in enumerate(options):
        try:
            if join(option, kind) == option:
                return at
        except NoItemType:
            continue
    raise NoItemType


def parts_of(item: Any, kind: ItemType) -> Iterator[Value]:
    """The item's parts as values of the specs of `kind`, which serves it."""
    if not kind.shape.mixed:
        yield from item_type.parts_of(item, kind)
        return
    (at,) = serving(type_of_item(item), kind)
    yield value_of(at)
    for index, option in enumerate(kinds_of(kind)):
        specs = own_specs(option)
        if index == at and specs:
            yield from item_type.parts_of(item, option)
        else:
            yield from map(_nothing, specs)


def _nothing(spec: TensorSpec) -> Value:
    made: Tensor = placeholder(spec=spec)
    return made.value


def columns(
    parts: Sequence[Tensor], kind: ItemType, wide: ItemType, widened: Widened
) -> list[Tensor]:
    """The lists of a wider type, of a list whose items are of the type `kind`.

    widened: the parts of the items of one kind, as those of a wider kind
    """
    table, length, rest = serving(kind, wide), lists.list_len(parts[0]), iter(parts)
    found = [_tags(next(rest) if kind.shape.mixed else None, table, length)]
    mine = {}
    for at, one in zip(table, kinds_of(kind), strict=True):
        own = [next(rest) for _ in own_specs(one)]
        mine[at] = own or [found[0]], one
    for at, option in enumerate(kinds_of(wide)):
        if at not in mine:
            found += [_repeated(_nothing(x), x, length) for x in own_specs(option)]
        elif own_specs(option):
            found += widened(*mine[at], option)
    return found


def _repeated(value: Value, spec: TensorSpec, length: Tensor) -> Tensor:
    """A list of the graph that holds the value `length` times."""
    made: Tensor = lists.list_repeat(lists.list_of(Tensor(value), item=spec), length)
    return made


def _tags(of: Tensor | None, table: list[int], length: Tensor) -> Tensor:
    """The number of each item's kind in a wider type.

    of:    the numbers in the narrower one; None where it has one kind
    table: which kind each of them is in the wider one
    """
    if of is None:
        return _repeated(value_of(table[0]), COUNT, length)
    if table == list(range(len(table))):
        return of
    numbers = lists.list_of(*(Tensor(value_of(at)) for at in table), item=COUNT)
    made: Tensor = lists.list_take(numbers, of)
    return made


def no_type() -> StagingTypeError:
    """The error for items that no such list can hold."""
    note_refusal()
    return located(
        StagingTypeError(
            "a list whose length depends on data gets an item that it cannot hold"
        ),
        ELSE,
    )


def joined_with(kind: ItemType, item: Any) -> ItemType:
    """The type of items of one type, and of `item`."""
    try:
        return join_mixed(kind, type_of_item(item))
    except NoItemType:
        raise no_type() from None


def joined_types(a: ItemType, b: ItemType) -> ItemType:
    """The type of items of two types."""
    try:
        return join_mixed(a, b)
    except NoItemType:
        raise no_type() from None
