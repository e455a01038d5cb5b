"""list_objects: the user's lists and tuples whose length depends on data.

The list object stays the one that it is, and holds a StagedList as its only item:
`staged` finds it, `put` sets it, `made` makes a new list object. So it is undone,
joined and returned as any list is, by what it holds. A tuple is the same, and is never
changed: `(*xs,)` is it without our doing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from functools import partial, reduce
from typing import Any

from runtime import build, objects
from runtime.ops import tuples
from runtime.tensor import Tensor
from tracer import places, row_view, tree
from tracer.dict_objects import MAPPINGS, is_keyed, staged_dict
from tracer.item_type import (
    ItemShape,
    ItemType,
    NoItemType,
    join,
    join_mixed,
    type_of_item,
)
from tracer.mixed_items import no_type
from tracer.row_view import RowView, view
from tracer.rows import Row, known, row_in, site_here
from tracer.staged_dict import StagedDict
from tracer.staged_list import StagedList

_STANDING = frozenset({StagedList, Row, RowView, StagedDict})
# What may hold a StagedList for all its items.
SEQUENCES = frozenset({list, tuple, deque})


def is_staged(thing: Any) -> bool:
    """True for a list, tuple or deque whose length depends on data."""
    frame = build.current()
    if type(thing) not in SEQUENCES or frame is None or not frame.trace.stands:
        return False
    return not _STANDING.isdisjoint(map(type, thing))


def staged(thing: Any) -> StagedList | None:
    """What a list or tuple holds whose length depends on data; None for others.

    Python's own `xs + ys`, `[*xs, y]`, `xs * 2` put a StagedList beside items, or two
    of them side by side: that is one list after another.
    """
    if not is_staged(thing):
        return None
    if len(thing) == 1:
        return _as_content(thing[0])
    thing = [*map(_as_content, thing)]
    try:
        kind = content_type(thing, mixed=True)
    except NoItemType:
        raise no_type() from None
    assert kind is not None
    parts = [as_staged([item], kind) for item in thing]
    return reduce(StagedList.extend, parts)


def _as_content(item: Any) -> Any:
    return view(item) if type(item) is Row else item


def _type_of(item: Any) -> ItemType:
    return item.type if isinstance(item, StagedList) else type_of_item(item)


def is_mixed(content: Sequence[Any]) -> bool:
    """True where a list of items of several kinds is what a list object holds."""
    return any(type(item) is StagedList and item.shape.mixed for item in content)


def holds_staged(thing: Any) -> bool:
    """True when a list whose length depends on data is in `thing`, at any depth."""
    kind = type(thing)
    if kind in SEQUENCES:
        return any(type(x) in _STANDING or holds_staged(x) for x in thing)
    if kind not in MAPPINGS:
        return is_keyed(thing)
    return is_keyed(thing) or any(map(holds_staged, thing.values()))


def wholes(thing: Any, stop: Collection[int] = ()) -> Any:
    """`thing` with such lists as single tensors, which are the lists at the run.

    stop: ids of what is left as it is
    """
    found, structure = tree.flatten_where(
        thing,
        lambda node: (
            id(node) in stop
            or is_staged(node)
            or is_keyed(node)
            or type(node) in _STANDING
        ),
    )
    for leaf in found:
        if type(leaf) in _STANDING:
            # It is beside what it cannot be one list with.
            leaf.refuse()
    ours = [is_staged(leaf) or is_keyed(leaf) for leaf in found]
    if not any(ours):
        return thing
    pairs = zip(found, ours, strict=True)
    leaves = (_whole(x) if own and id(x) not in stop else x for x, own in pairs)
    return tree.unflatten(structure, leaves)


def _whole(thing: Any) -> Tensor:
    if (of := staged_dict(thing)) is not None:
        return of.whole(thing)
    held = staged(thing)
    assert held is not None
    whole = held.zipped()
    leave = _LEAVING.get(type(thing))
    if leave is not None:
        whole = leave(whole)
        whole.scalar = True
    return whole


# What a list of the graph is made when it leaves as something else.
_LEAVING: dict[type, Any] = {tuple: tuples.list_tuple, deque: tuples.list_deque}


def put(target: Any, content: StagedList | list[Any]) -> None:
    """Make the list or deque hold `content`, logged."""
    row = row_in(target)
    if row is not None:
        row_view.put(row, content)
        return
    if type(content) is RowView:
        content = content.plain()
    places.changing(target)
    target.clear()
    target.extend([content] if isinstance(content, StagedList) else content)


def made(content: StagedList) -> list[Any]:
    """A new list object that holds `content`."""
    new: list[Any] = places.created([content])
    return new


def made_like(like: Any, content: StagedList) -> Any:
    """A new list, or a tuple or deque where `like` is one, that holds `content`."""
    if type(content) is RowView:
        content = content.plain()
    if type(like) is tuple:
        return (content,)
    return places.created(deque([content])) if type(like) is deque else made(content)


def content_type(
    content: Sequence[Any], texts: bool = True, mixed: bool = False
) -> ItemType | None:
    """The type of the items of a list, staged or not; None for an empty one.

    texts: constant texts that differ become texts of the run
    mixed: items may be of several kinds
    NoItemType: no list whose length is staged can hold them.
    """
    # Without nodes: it is asked of what only stands for a list, too.
    types = [_type_of(item) for item in content]
    joining = join_mixed if mixed else partial(join, texts=texts)
    return reduce(joining, types) if types else None


def joined_type(
    a: ItemType | None, b: ItemType | None, texts: bool = True, mixed: bool = False
) -> ItemType | None:
    """The type that serves two lists. NoItemType: there is none."""
    if a is None or b is None:
        return a or b
    return join_mixed(a, b) if mixed else join(a, b, texts)


def _born(thing: list[Any]) -> None:
    """A list that is made here is a row, if its place is one of theirs."""
    found = known()
    if found is None or row_in(thing) is not None:
        return
    if any(type(item) in _STANDING for item in thing):
        whole = staged(thing)
        thing[:] = [whole.plain() if type(whole) is RowView else whole]
    site = site_here()
    if site is None:
        return
    region = found.region_at(site)
    if region is None:
        found.note(thing, (frozenset({site}), frozenset()))
    else:
        row_view.make(thing, region)


places.set_born(_born)


def plain_content(content: Any) -> Any:
    """What a list holds, of a row as a list of its own."""
    return content.plain() if type(content) is RowView else content


def of_display(display: Any) -> Any:
    """What a display or operator gave: `[*row]` holds what the row does now."""
    row = row_in(display)
    return display if row is None else [view(row).plain()]


def of_tensor(part: Tensor) -> list[Any]:
    """A list object that holds the items of one list of the graph."""
    part.scalar = True
    return made(StagedList(ItemShape(tree.leaf(), (None,)), [part]))


objects.set_listed(of_tensor)


def as_staged(content: Sequence[Any], kind: ItemType) -> StagedList:
    """What a list object holds, staged or not, as a StagedList of the type `kind`."""
    held = staged(content)
    return StagedList.of(content, kind) if held is None else held.as_type(kind)
