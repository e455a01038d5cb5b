"""StagedList: what a list holds when its length depends on data.

One list of the graph for each part of an item, all of one length. A StagedList does not
change: its methods give what the list holds afterwards. The user's own list object
stays the one that it is (see `list_objects`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Any

import optree

from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.objects import held
from runtime.op import Op
from runtime.ops import lists, rows, tuples
from runtime.ops.template import encode
from runtime.spec import ListSpec, TensorSpec
from runtime.tensor import STANDS, Tensor
from tracer import frozen, mixed_items, places, plain
from tracer.choice import Choice, each
from tracer.item_type import (
    NOTHING,
    Fixed,
    ItemShape,
    ItemType,
    as_spec,
    of_rows,
    settled,
)
from tracer.marks import listed
from tracer.rows import known, see_names
from tracer.rows_made import whole_items
from tracer.stacking import stacked_spec
from tracer.unconverted import ForConverted


class StagedList(ForConverted):
    """The content of a list whose length is known only when the graph runs.

    known_length: how many items it has where that is known all the same: since it was
        made of them only items have changed, and no branch or loop was joined
    """

    __slots__ = ("known_length", "lists", "shape")

    def __init__(
        self, shape: ItemShape, parts: Iterable[Tensor], known_length: int | None = None
    ) -> None:
        build.note_standing()
        self.shape = shape
        self.lists = tuple(parts)
        self.known_length = known_length

    @classmethod
    def of(cls, items: Sequence[Any], kind: ItemType) -> StagedList:
        """The list of these items, which are of the type `kind`."""
        if (found := known()) is not None:
            found.require(items)
        if any(isinstance(x, Choice) and type(settled(x)) is Choice for x in items):
            made = reduce(cls.append, items, cls.of([], kind))
            made.known_length = len(items)
            return made
        columns = zip(
            *(mixed_items.parts_of(item, kind) for item in items), strict=True
        )
        parts = list(columns) or [()] * len(kind.specs)
        pairs = zip(parts, kind.specs, strict=True)
        return cls(
            kind.shape,
            (_whole(lists.list_of(*map(Tensor, c), item=s)) for c, s in pairs),
            len(items),
        )

    @property
    def live(self) -> bool:
        """False: it is what a list held at one moment."""
        return False

    @property
    def type(self) -> ItemType:
        """The type of the items."""
        return ItemType(self.shape, tuple(_item(part.spec) for part in self.lists))

    def as_type(self, kind: ItemType) -> StagedList:
        """The same list as one of a wider type, as `join` finds it."""
        if self.shape.rows:
            return self._rows_as_type(kind)
        if self.is_nothing and kind != NOTHING:
            return StagedList.of([], kind)
        if kind.shape.mixed:
            made = mixed_items.columns(self.lists, self.type, kind, _widened)
            return StagedList(kind.shape, map(_whole, made), self.known_length)
        mine = iter(self.lists)
        columns = [next(mine) if leaf is None else leaf for leaf in self.shape.fixed]
        pairs = zip(columns, kind.shape.fixed, strict=True)
        parts = [part for part, fixed in pairs if fixed is None] or self.lists
        wide = (
            as_spec(self._column(part).value, ListSpec(spec))
            for part, spec in zip(parts, kind.specs, strict=True)
        )
        whole = (_whole(Tensor(value)) for value in wide)
        return StagedList(kind.shape, whole, self.known_length)

    @property
    def is_nothing(self) -> bool:
        """True where there never was an item, so that nothing is known of them."""
        return self.shape == NOTHING.shape

    def _rows_as_type(self, kind: ItemType) -> StagedList:
        """The same rows as some of items of a wider type."""
        mine, wide = of_rows(self.type), of_rows(kind)
        if mine == wide:
            return self
        flat = StagedList(mine.shape, map(_whole, map(rows.rows_flat, self.lists)))
        like = self.lists[0]
        parts = (rows.rows_split(part, like) for part in flat.as_type(wide).lists)
        return StagedList(kind.shape, map(_whole, parts))

    def _column(self, part: Tensor | Fixed) -> Tensor:
        """The parts of the items; a constant as often as there are items."""
        if isinstance(part, Tensor):
            return part
        one = held(part.content)
        made: Tensor = lists.list_repeat(
            lists.list_of(one, item=one.spec), self.length()
        )
        return made

    # What changes a list, as what it holds afterwards.

    def append(self, item: Any) -> StagedList:
        """With `item` at the end."""
        return self.put_item(lists.list_append, item)

    def insert(self, at: Any, item: Any) -> StagedList:
        """With `item` before the position `at`."""
        return self.put_item(lambda xs, part: lists.list_insert(xs, at, part), item)

    def set(self, at: Any, item: Any, op: Op = lists.list_set) -> StagedList:
        """After `xs[at] = item`; for a slice, item is a StagedList."""
        (index,), dynamic = _template((at,))
        if type(at) is slice:
            return self._each(
                lambda xs, ys: lists.list_set(xs, ys, *dynamic, index=(index,)), item
            )
        made = self.put_item(
            lambda xs, part: op(xs, part, *dynamic, index=(index,)), item
        )
        if isinstance(made, StagedList):
            made.known_length = self.known_length
        return made

    def extend(self, other: StagedList) -> StagedList:
        """With the items of `other` at the end."""
        return self._each(lists.list_extend, other)

    def pop(self, at: Any = -1) -> tuple[StagedList, Any]:
        """Without the item at `at`, and that item."""
        if self.is_nothing:
            [].pop()
        pairs = [lists.list_pop(part, at) for part in self.lists]
        return self.with_parts(rest for rest, _ in pairs), self._whole(
            x for _, x in pairs
        )

    def pop_of_deque(self, at: int) -> tuple[StagedList, Any]:
        """The same for a deque, which says so where it is empty; at: 0 or -1."""
        pairs = [tuples.deque_pop(part, at) for part in self.lists]
        return self.with_parts(rest for rest, _ in pairs), self._whole(
            x for _, x in pairs
        )

    def rotate(self, n: Any) -> StagedList:
        """As a deque is rotated."""
        return self.with_parts(tuples.deque_rotate(part, n) for part in self.lists)

    def delete(self, at: Any, op: Op = lists.list_delete) -> StagedList:
        """After `del xs[at]`."""
        (index,), dynamic = _template((at,))
        return self.with_parts(
            op(part, *dynamic, index=(index,)) for part in self.lists
        )

    def remove(self, item: Any) -> StagedList:
        """Without the first item that equals `item`."""
        return self.delete(self._sought(lists.list_locate, (item,)))

    def reverse(self) -> StagedList:
        """In the opposite order."""
        return self.with_parts(map(lists.list_reverse, self.lists))

    def sort(self, keys: StagedList | None = None, reverse: Any = False) -> StagedList:
        """Sorted as `list.sort` does; keys: one for each item."""
        backwards, dynamic = _template(reverse)
        if keys is None and len(self.lists) == 1 and self.shape.structure.is_leaf():
            made = lists.list_sort(self.lists[0], *dynamic, reverse=backwards)
            return self.with_parts([made])
        by = (self if keys is None else keys).zipped()
        return self.take(lists.list_order(by, *dynamic, reverse=backwards))

    def take(self, order: Tensor) -> StagedList:
        """The items at these indices."""
        return self.with_parts(lists.list_take(part, order) for part in self.lists)

    def repeat(self, n: Any) -> StagedList:
        """`xs * n`."""
        return self.with_parts(lists.list_repeat(part, n) for part in self.lists)

    def slice(self, at: slice) -> StagedList:
        """`xs[at]`."""
        (index,), dynamic = _template((at,))
        return self.with_parts(
            lists.list_get(part, *dynamic, index=(index,)) for part in self.lists
        )

    # What only reads it.

    def length(self) -> Any:
        """`len(xs)`, a staged int."""
        if self.is_nothing:
            return 0
        made: Tensor = lists.list_len(self.lists[0])
        return made

    def get(self, at: Any, word: str = "list") -> Any:
        """The item at `at`, an int or a staged int; word: what an error calls this."""
        if self.is_nothing:
            raise IndexError(f"{word} index out of range")
        (index,), dynamic = _template((at,))
        named = {"index": (index,)} | ({} if word == "list" else {"word": word})
        get = lists.list_get if word == "list" else tuples.tuple_get
        return self._whole(get(part, *dynamic, **named) for part in self.lists)

    item = get

    def unpack(self, before: int, after: int | None) -> list[Any]:
        """What `a, b = xs` gives each target; with a star, a StagedList for that."""
        columns = [
            lists.list_unpack(part, before=before, after=after) for part in self.lists
        ]
        if before + (after or 0) + (after is not None) == 1:
            columns = [(column,) for column in columns]
        found: list[Any] = [*zip(*columns, strict=True)]
        if after is None:
            return [self._whole(parts) for parts in found]
        first, rest, last = found[:before], found[before], found[before + 1 :]
        whole = [self._whole(parts) for parts in (*first, *last)]
        return [*whole[:before], self.with_parts(rest), *whole[before:]]

    def index(self, *sought: Any, in_tuple: bool = False) -> Any:
        """`xs.index(item, start, stop)`; an error names list or tuple."""
        op = tuples.tuple_index if in_tuple else lists.list_index
        return self._sought(op, sought)

    def count(self, item: Any) -> Any:
        """`xs.count(item)`."""
        return self._sought(lists.list_count, (item,))

    def contains(self, item: Any) -> Any:
        """`item in xs`."""
        return self._sought(lists.list_contains, (item,))

    def compare(self, word: str, other: StagedList) -> Any:
        """`xs == other` and the like; word: eq, ne, lt, le, gt, ge."""
        self._require_told()
        return lists.list_compare(self.zipped(), other.zipped(), word=word)

    def zipped(self) -> Tensor:
        """One list of the graph that holds whole items: a list of its own."""
        parts, template = whole_items(self.shape, self.lists)
        return _whole(lists.list_zip(*parts, item=template))

    def stack(self, dtype: Any = None) -> Tensor:
        """`np.array(xs, dtype)`, of items that are numbers, arrays, or lists of them.

        TypeError: they are something else.
        """
        whole, spec = self.lists[0], stacked_spec(self.type, dtype)
        if not self.shape.structure.is_leaf():
            whole = self.zipped()
        if self.known_length is not None and spec.shape is not None:
            spec = spec.with_shape((self.known_length, *spec.shape[1:]))
        made: Tensor = lists.list_stack(whole, spec=spec, dtype=dtype)
        made.scalar = False
        return made

    # How it is done.

    def _require_told(self) -> None:
        if self.shape.has_objects():
            raise located(
                StagingTypeError(
                    "an object is looked for in a list whose length depends on data, "
                    "which holds what is in the objects"
                ),
                "Look for what the object holds, by a loop.",
            )

    def with_parts(self, parts: Iterable[Any]) -> StagedList:
        """Such a list of other parts."""
        return StagedList(self.shape, map(_whole, parts))

    def _whole(self, parts: Iterable[Any]) -> Any:
        borrowed = [*map(_borrowed, parts)]
        made = self.shape.whole(borrowed)
        if self.shape.has_objects():
            constants = (leaf.content for leaf in self.shape.fixed if leaf is not None)
            places.created_of(made, [*borrowed, *constants])
        frozen.freeze(made, frozen.ITEM)
        return made

    def put_item(
        self, change: Callable[[Tensor, Tensor], Tensor], item: Any
    ) -> StagedList:
        """After a change of each list by its part of the item."""
        if (found := known()) is not None:
            found.require([item])
        see_names(item)
        kind = mixed_items.joined_with(self.type, item)
        wide = self.as_type(kind)
        if isinstance(one := settled(item), Choice):
            return each(one, partial(wide.put_item, change))
        parts = zip(wide.lists, mixed_items.parts_of(item, kind), strict=True)
        frozen.freeze(item, frozen.ITEM)
        return wide.with_parts([change(xs, Tensor(part)) for xs, part in parts])

    def _each(self, change: Any, other: StagedList) -> StagedList:
        kind = mixed_items.joined_types(self.type, other.type)
        wide = self.as_type(kind)
        pairs = zip(wide.lists, other.as_type(kind).lists, strict=True)
        return wide.with_parts([change(xs, ys) for xs, ys in pairs])

    def _sought(self, op: Op, sought: tuple[Any, ...]) -> Any:
        self._require_told()
        template, dynamic = _template(sought)
        return op(self.zipped(), *dynamic, sought=template)

    def __hash__(self) -> int:
        raise located(
            StagingTypeError(
                "a set of values that are known only when the graph runs, or a dict "
                "with such keys"
            ),
            "Make a list, or take np.unique of an array.",
        )

    def __repr__(self) -> str:
        return ", ".join(map(repr, self.lists))


def _widened(
    parts: Sequence[Tensor], kind: ItemType, wide: ItemType
) -> tuple[Tensor, ...]:
    return StagedList(kind.shape, parts).as_type(wide).lists


def _whole(part: Any) -> Tensor:
    """A list of the graph as a value that no operator changes in place."""
    part.scalar = True
    return part


def _item(spec: TensorSpec) -> TensorSpec:
    assert isinstance(spec, ListSpec)
    return spec.item


def _borrowed(part: Any) -> Any:
    if isinstance(part, Tensor) and not part.scalar:
        part.sources = (listed(),)
    return part


def _template(parts: Any) -> tuple[Any, list[Any]]:
    return encode(parts, lambda part: isinstance(part, Tensor))


def _split(content: StagedList) -> tuple[tuple[Any, ...], ItemShape]:
    return content.lists, content.shape


def _join(shape: ItemShape, parts: Iterable[Any]) -> StagedList:
    return StagedList(shape, parts)


STANDS[StagedList] = StagedList.stack
_register: Any = optree.register_pytree_node  # its types say collections only
_register(StagedList, _split, _join, namespace=plain.NAMESPACE)
