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
from tracer import places, tree
from tracer.item_type import (
    ItemShape,
    ItemType,
    NoItemType,
    join,
    join_mixed,
    type_of_item,
)
from tracer.mixed_items import no_type
from tracer.staged_list import StagedList

# What may hold a StagedList for all its items.
SEQUENCES = frozenset({list, tuple, deque})


def is_staged(thing: Any) -> bool:
    """True for a list, tuple or deque whose length depends on data."""
    if type(thing) not in SEQUENCES or build.current() is None:
        return False
    return any(type(item) is StagedList for item in thing)


def staged(thing: Any) -> StagedList | None:
    """What a list or tuple holds whose length depends on data; None for others.

    Python's own `xs + ys`, `[*xs, y]`, `xs * 2` put a StagedList beside items, or two
    of them side by side: that is one list after another.
    """
    if not is_staged(thing):
        return None
    if len(thing) == 1:
        return thing[0]
    try:
        kind = content_type(thing, mixed=True)
    except NoItemType:
        raise no_type() from None
    assert kind is not None
    parts = [as_staged([item], kind) for item in thing]
    return reduce(StagedList.extend, parts)


def _type_of(item: Any) -> ItemType:
    return item.type if type(item) is StagedList else type_of_item(item)


def is_mixed(content: Sequence[Any]) -> bool:
    """True where a list of items of several kinds is what a list object holds."""
    return any(type(item) is StagedList and item.shape.mixed for item in content)


def holds_staged(thing: Any) -> bool:
    """True when a list whose length depends on data is in `thing`, at any depth."""
    kind = type(thing)
    if kind in SEQUENCES:
        return any(type(x) is StagedList or holds_staged(x) for x in thing)
    return kind is dict and any(map(holds_staged, thing.values()))


def wholes(thing: Any, stop: Collection[int] = ()) -> Any:
    """`thing` with such lists as single tensors, which are the lists at the run.

    stop: ids of what is left as it is
    """
    found, structure = tree.flatten_where(
        thing,
        lambda node: id(node) in stop or is_staged(node) or type(node) is StagedList,
    )
    for leaf in found:
        if type(leaf) is StagedList:
            # It is beside what it cannot be one list with.
            leaf.refuse()
    if not any(map(is_staged, found)):
        return thing
    leaves = (
        leaf if id(leaf) in stop or not is_staged(leaf) else _whole(leaf)
        for leaf in found
    )
    return tree.unflatten(structure, leaves)


def _whole(thing: Any) -> Tensor:
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
    places.changing(target)
    target.clear()
    target.extend([content] if isinstance(content, StagedList) else content)


def made(content: StagedList) -> list[Any]:
    """A new list object that holds `content`."""
    new: list[Any] = places.created([content])
    return new


def made_like(like: Any, content: StagedList) -> Any:
    """A new list, or a tuple or deque where `like` is one, that holds `content`."""
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


def of_tensor(part: Tensor) -> list[Any]:
    """A list object that holds the items of one list of the graph."""
    part.scalar = True
    return made(StagedList(ItemShape(tree.leaf(), (None,)), [part]))


objects.set_listed(of_tensor)


def as_staged(content: Sequence[Any], kind: ItemType) -> StagedList:
    """What a list object holds, staged or not, as a StagedList of the type `kind`."""
    held = staged(content)
    return StagedList.of(content, kind) if held is None else held.as_type(kind)
