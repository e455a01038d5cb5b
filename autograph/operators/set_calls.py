"""Methods of the user's sets whose items depend on data.

Those that take any iterable are made of those that take a set, in the steps in which
Python makes them, so that what comes out is in Python's order, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.dicts import (
    add,
    combined,
    contains,
    delete,
    discard,
    require_own,
    set_item,
    set_method,
)
from autograph.operators.for_ import iterate
from autograph.operators.registry import staging_of
from autograph.operators.tensors import staged_iterable
from runtime.ops import lists as list_ops
from runtime.tensor import Tensor
from tracer import collecting, places, tree
from tracer.cond import cond
from tracer.dict_objects import is_keyed, now, put
from tracer.dict_rows import DictView
from tracer.exits import Exit
from tracer.for_loop import Rows
from tracer.item_type import ItemShape, type_of_item
from tracer.list_objects import staged
from tracer.staged_dict import StagedDict
from tracer.staged_list import StagedList
from tracer.state import EMPTY

# Of more items, whose number is known, the trace does not write out each.
MOST_WRITTEN = 16


def items_of(iterable: Any) -> Any:
    """The items of an iterable: a StagedList, or a list of few."""
    held = staged(iterable)
    if held is not None:
        return held
    rows = staged_iterable(iterable)
    if type(rows) is Rows and rows.tensor.spec.rank == 1:
        part: Tensor = list_ops.list_from_array(rows.tensor)
        part.scalar = True
        return StagedList(ItemShape(tree.leaf(), (None,)), [part])
    if staging_of(rows) is None:
        return list(rows)
    length = rows.length()
    if isinstance(length, Tensor) or length > MOST_WRITTEN:
        return collecting.collected(rows)
    return list(rows)


def set_of(given: Any = ()) -> Any:
    """`set(given)`."""
    made: set[Any] = places.created(set())
    _add_all(made, given)
    return made


def clear(of: Any) -> None:
    """`of.clear()`, of a dict, too."""
    places.changing(of)
    of.clear()


def _copied(of: Any) -> Any:
    return combined(set(), "union", of)


def _pop_member(of: Any, /) -> Any:
    held = now(of)
    if held.is_nothing:
        return set().pop()
    rest, at = held.delete_last()
    put(of, rest)
    return held.keys.get(at)


def _add_all(of: Any, /, *others: Any) -> None:
    require_own(of)
    for other in others:
        if type(other) in (set, dict):
            # Python makes room for all of them before it adds the first.
            put(of, now(of).combined("update", _members(other)))
            continue
        items = items_of(DictView(other) if is_keyed(other) else other)
        if isinstance(items, StagedList):
            put(of, now(of).put_all(items, _nothing(items.length())))
        else:
            for item in items:
                add(of, item)


def _members(of: Any) -> StagedDict:
    """What a set holds, or the keys of a dict as a set holds them."""
    held = now(of)
    if type(of) is set:
        return held
    return StagedDict(held.table, held.keys, _nothing(held.keys.length()))


def _nothing(times: Any) -> StagedList:
    return StagedList.of([None], type_of_item(None)).repeat(times)


def _as_set(other: Any) -> Any:
    return other if type(other) is set else set_of(other)


def _change(of: Any, word: str, other: Any) -> None:
    require_own(of)
    put(of, now(of).combined(word, now(_as_set(other))))


def _union(of: Any, /, *others: Any) -> Any:
    made = _copied(of)
    _add_all(made, *(other for other in others if other is not of))
    return made


def _difference(of: Any, /, *others: Any) -> Any:
    if not others or type(others[0]) not in (set, frozenset, dict):
        made = _copied(of)
        _difference_update(made, *others)
        return made
    # The order is another one where Python can ask what is in the other.
    made = combined(of, "difference", _as_set(others[0]))
    _difference_update(made, *others[1:])
    return made


def _difference_update(of: Any, /, *others: Any) -> None:
    for other in others:
        _change(of, "difference_update", other)


def _intersection(of: Any, /, *others: Any) -> Any:
    made = of if others else _copied(of)
    for other in others:
        made = _common(made, other)
    return made


def _common(of: Any, other: Any) -> Any:
    """`of.intersection(other)`: of what is no set, the items are the other's."""
    if type(other) is set:
        return combined(of, "intersection", other)
    made: set[Any] = places.created(set())

    def keep(item: Any) -> Exit:
        # Whether a constant is in it depends on data, too.
        cond(
            contains(item, of), lambda: set_item(None, made, item), lambda: None, EMPTY
        )
        return None

    iterate(other, keep)
    return made


def _intersection_update(of: Any, /, *others: Any) -> None:
    require_own(of)
    put(of, now(_intersection(of, *others)))


def _symmetric_difference(of: Any, other: Any, /) -> Any:
    if type(other) is set:
        return combined(of, "symmetric_difference", other)
    made = set_of(other)
    _change(made, "symmetric_difference_update", of)
    return made


def _asked(word: str) -> Callable[[Any, Any], Any]:
    return lambda of, other, /: set_method(word, of, _as_set(other))


METHODS: dict[str, Callable[..., Any]] = {
    "add": lambda of, item, /: add(of, item),
    "discard": lambda of, item, /: discard(of, item),
    "remove": delete,
    "pop": _pop_member,
    "clear": clear,
    "copy": _copied,
    "__contains__": lambda of, key: contains(key, of),
}
# Those that take iterables.
OF_ITERABLES: dict[str, Callable[..., Any]] = {
    "update": _add_all,
    "union": _union,
    "difference": _difference,
    "difference_update": _difference_update,
    "intersection": _intersection,
    "intersection_update": _intersection_update,
    "symmetric_difference": _symmetric_difference,
    "symmetric_difference_update": lambda of, other, /: _change(
        of, "symmetric_difference_update", other
    ),
    **{word: _asked(word) for word in ("issubset", "issuperset", "isdisjoint")},
}
METHODS |= OF_ITERABLES
