"""StagedDict: what a dict holds when its keys depend on data.

A table of the graph says at which place a key stands (`runtime.ops.tables`), and two
StagedLists hold the keys and the values by their places. As a StagedList it does not
change: its methods give what the dict holds afterwards. The user's own dict object
stays the one that it is (see `dict_objects`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

import optree

from runtime import build
from runtime.build import note_varying
from runtime.errors import StagingTypeError, located
from runtime.graph import Value
from runtime.op import Op
from runtime.ops import tables
from runtime.ops.template import encode
from runtime.spec import ListSpec
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import plain, tree
from tracer.item_type import (
    COUNT,
    NOTHING,
    ItemShape,
    ItemType,
    NoItemType,
    flatten_own,
    join_mixed,
    type_of_item,
)
from tracer.mixed_items import ELSE
from tracer.rows import known, note_refusal
from tracer.staged_list import StagedList
from tracer.unconverted import ForConverted


@struct
class DictType:
    """The type of the keys, and that of the values."""

    keys: ItemType
    values: ItemType


# Of a count, as a Counter makes it.
ONE = ItemType(ItemShape(tree.leaf(), (None,)), (COUNT,))


class StagedDict(ForConverted):
    """The content of a dict whose keys are known only when the graph runs."""

    __slots__ = ("keys", "table", "values")
    __hash__ = object.__hash__
    _ag_words = "a dict whose keys depend on data"

    def __init__(self, table: Any, keys: StagedList, values: StagedList) -> None:
        build.note_standing()
        self.table = table
        self.keys = keys
        self.values = values

    @classmethod
    def of(
        cls,
        items: Mapping[Any, Any],
        kind: DictType | None = None,
        of_set: bool = False,
    ) -> StagedDict:
        """The dict of these items; of_set: what a set holds, the values are None."""
        note_varying()
        kind = kind or DictType(NOTHING, NOTHING)
        table: Tensor = tables.table_of(of_set=of_set)
        columns = (StagedList.of([], one) for one in (kind.keys, kind.values))
        return reduce(
            lambda of, item: of.put(*item), items.items(), cls(_whole(table), *columns)
        )

    @property
    def is_nothing(self) -> bool:
        """True where there never was a key."""
        return self.keys.is_nothing

    @property
    def type(self) -> DictType:
        """The types of its keys and values."""
        return DictType(self.keys.type, self.values.type)

    def as_type(self, kind: DictType) -> StagedDict:
        """The same dict as one of wider types."""
        return StagedDict(
            self.table, self.keys.as_type(kind.keys), self.values.as_type(kind.values)
        )

    # What changes a dict, as what it holds afterwards.

    def put(self, key: Any, value: Any) -> StagedDict:
        """After `d[key] = value`."""
        template, dynamic = key_template(key)
        if (found := known()) is not None:
            found.require([value])
        _require(self.type, lambda: DictType(type_of_item(key), type_of_item(value)))
        new = self.keys.length()
        table, at = tables.table_put(self.table, new, *dynamic, key=template)
        keys = self.keys.put_item(_at(tables.list_put_new, at), key)
        return StagedDict(
            _whole(table), keys, self.values.put_item(_at(tables.list_put, at), value)
        )

    def put_all(self, keys: StagedList, values: StagedList) -> StagedDict:
        """After `d[key] = value` of each of these, in their order."""
        kind = _require(self.type, lambda: DictType(keys.type, values.type))
        table, at = tables.table_put_all(self.table, self.keys.length(), keys.zipped())
        return StagedDict(
            _whole(table),
            _all_at(tables.list_put_all_new, at, kind.keys, self.keys, keys),
            _all_at(tables.list_put_all, at, kind.values, self.values, values),
        )

    def counts_numbers(self) -> bool:
        """True where all values are numbers, or there never was one."""
        return self.is_nothing or self.values.shape == ONE.shape

    def counted(self, keys: StagedList) -> StagedDict:
        """After `d[key] = d.get(key, 0) + 1` of each of these, as a Counter counts."""
        kind = _require(self.type, lambda: DictType(keys.type, ONE))
        table, at = tables.table_put_all(self.table, self.keys.length(), keys.zipped())
        values = self.values.as_type(kind.values)
        return StagedDict(
            _whole(table),
            _all_at(tables.list_put_all_new, at, kind.keys, self.keys, keys),
            values.with_parts(tables.list_count_all(xs, at) for xs in values.lists),
        )

    def merged(self, other: StagedDict) -> StagedDict:
        """After `d.update(other)`."""
        if other.is_nothing:
            return self
        return other if self.is_nothing else self.put_all(*other.columns())

    def combined(self, word: str, other: StagedDict) -> StagedDict:
        """What a method of a set gives for another set."""
        kind = _require(self.type, lambda: other.type)
        table, order = tables.table_combined(
            self.table, other.table, self.keys.length(), word=word
        )
        columns = (
            mine.as_type(one).extend(others.as_type(one)).take(order)
            for mine, others, one in (
                (self.keys, other.keys, kind.keys),
                (self.values, other.values, kind.values),
            )
        )
        return StagedDict(_whole(table), *columns)

    def columns(self) -> tuple[StagedList, StagedList]:
        """The keys and the values, in the order of the dict."""
        order = self.order()
        return self.keys.take(order), self.values.take(order)

    def delete(self, key: Any) -> tuple[StagedDict, Any]:
        """After `del d[key]`, and the place where the key was. KeyError: it was not."""
        template, dynamic = key_template(key)
        table, at = tables.table_delete(self.table, *dynamic, key=template)
        return StagedDict(_whole(table), self.keys, self.values), at

    def delete_last(self) -> tuple[StagedDict, Any]:
        """After `d.popitem()`, and the place of the item. KeyError: it is empty."""
        table, at = tables.table_delete_last(self.table)
        return StagedDict(_whole(table), self.keys, self.values), at

    # What only reads it.

    def length(self) -> Any:
        """`len(d)`, a staged int."""
        return tables.table_len(self.table)

    def at(self, key: Any) -> Any:
        """The place of the key. KeyError: it is not there."""
        return self._asked(tables.table_at, key)

    def find(self, key: Any) -> Any:
        """The place of the key, -1 where it is not there."""
        return self._asked(tables.table_find, key)

    def has(self, key: Any) -> Any:
        """`key in d`, a staged bool."""
        return self._asked(tables.table_has, key)

    def order(self) -> Any:
        """The places of all keys, in the order in which Python goes through them."""
        return tables.table_order(self.table)

    def whole(self, like: Any) -> Tensor:
        """The dict itself, as it leaves the graph; like: a dict of its class."""
        if type(like) is set:
            return _whole(tables.table_members(self.table))
        made: Tensor = tables.table_whole(
            self.table, self.values.zipped(), make=Made.like(like)
        )
        return _whole(made)

    def _asked(self, op: Op, key: Any) -> Any:
        template, dynamic = key_template(key)
        return op(self.table, *dynamic, key=template)

    def __repr__(self) -> str:
        return f"{self.keys!r}: {self.values!r}"


@struct
class Made:
    """Makes a dict of a class of a table and the values at its places."""

    kind: Any
    factory: Any = None

    @classmethod
    def like(cls, thing: Any) -> Made:
        """What makes dicts of the class of this one."""
        return cls(type(thing), getattr(thing, "default_factory", None))

    def __call__(self, table: dict[Any, int], values: list[Any]) -> Any:
        """The dict."""
        items = {key: values[at] for key, at in table.items()}
        if self.kind is dict:
            return items
        if self.kind is defaultdict:
            return defaultdict(self.factory, items)
        return self.kind(items)


def key_template(key: Any) -> tuple[Any, list[Any]]:
    """A key with places for what the run knows of it. TypeError: it has no hash."""
    template, dynamic = encode(key, lambda part: isinstance(part, Tensor))
    if any(not part.scalar for part in dynamic):
        raise TypeError("unhashable type: 'numpy.ndarray'")
    hash(key if not dynamic else template)
    return template, dynamic


def _all_at(
    op: Op, at: Any, kind: ItemType, mine: StagedList, others: StagedList
) -> StagedList:
    """A list after `op` of each of the others at its place, both of the type `kind`."""
    wide = mine.as_type(kind)
    pairs = zip(wide.lists, others.as_type(kind).lists, strict=True)
    return wide.with_parts(op(xs, at, ys) for xs, ys in pairs)


def _at(op: Op, at: Any) -> Any:
    return lambda xs, part: op(xs, at, part)


def _require(known: DictType, other: Callable[[], DictType]) -> DictType:
    """The type that serves a dict and what it gets. TypeError: there is none.

    Objects of the user's are no keys: their hashes would not be converted.
    """
    try:
        kind = joined(known, other())
    except NoItemType:
        note_refusal()
        raise located(
            StagingTypeError(
                "a dict whose keys depend on data gets a key or value that it cannot "
                "hold"
            ),
            ELSE,
        ) from None
    if kind.keys.shape.has_objects():
        raise located(
            StagingTypeError(
                "an object is the key of a dict whose keys depend on data"
            ),
            "Use a number, a text, or a tuple of them as the key.",
        )
    return kind


def _whole(part: Any) -> Any:
    """A value of the graph that no operator changes in place."""
    part.scalar = True
    return part


def bare(kind: DictType) -> StagedDict:
    """Something that stands for a dict of the type, without nodes."""
    keys, values = (
        StagedList(one.shape, [Tensor(Value(ListSpec(spec))) for spec in one.specs])
        for one in (kind.keys, kind.values)
    )
    return StagedDict(Tensor(Value(tables.TABLE)), keys, values)


def joined(a: DictType, b: DictType) -> DictType:
    """The type that serves two dicts. NoItemType: there is none."""
    return DictType(join_mixed(a.keys, b.keys), join_mixed(a.values, b.values))


def pairs_of(keys: StagedList, values: StagedList) -> StagedList | None:
    """One list of tuples of two lists' items; None where one has several kinds."""
    if keys.shape.mixed or values.shape.mixed:
        return None
    zeros = (one.shape.whole([0] * one.shape.parts) for one in (keys, values))
    _, structure = flatten_own(tuple(zeros))
    fixed = (*keys.shape.fixed, *values.shape.fixed)
    own = [
        part
        for one in (keys, values)
        for part in (one.lists if None in one.shape.fixed else ())
    ]
    return StagedList(ItemShape(structure, fixed), own or keys.lists)


def columns_of(pairs: StagedList) -> tuple[StagedList, StagedList] | None:
    """The lists of the keys and of the values; None where items are no such tuples."""
    shape, rest = pairs.shape, iter(pairs.lists)
    if shape.mixed or shape.structure.type is not tuple or shape.parts < 1:
        return None
    children = shape.structure.children()
    if len(children) != 2 or None not in shape.fixed:
        return None
    found, at = [], 0
    for child in children:
        fixed = shape.fixed[at : at + child.num_leaves]
        at += child.num_leaves
        own = [next(rest) for leaf in fixed if leaf is None]
        found.append(StagedList(ItemShape(child, fixed), own or pairs.lists[:1]))
    return found[0], found[1]


def _split(content: StagedDict) -> tuple[tuple[Any, ...], None]:
    return (content.table, content.keys, content.values), None


def _join(_: None, parts: Iterable[Any]) -> Any:
    table, keys, values = parts
    return (
        tree.Word("...")
        if isinstance(table, tree.Word)
        else StagedDict(table, keys, values)
    )


_register: Any = optree.register_pytree_node  # its types say collections only
_register(StagedDict, _split, _join, namespace=plain.NAMESPACE)
