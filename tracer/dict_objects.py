"""dict_objects: the user's dicts whose keys depend on data.

The dict object stays the one that it is, and holds a StagedDict under a key that stands
for all of its keys: `staged_dict` finds it, `put` sets it, `made_like` makes a new
dict. So it is undone, joined and returned as any dict is, by what it holds.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from functools import reduce
from typing import Any

from runtime import build
from runtime.errors import OnlyPythonError, located
from tracer import places
from tracer.choice import Choice, each
from tracer.item_type import NOTHING, join_mixed, type_of_item
from tracer.staged_dict import DictType, StagedDict


class Keys:
    """Stands in a dict for all of its keys.

    Where paths meet all are alike; in a dict each is a key of its own, so that of
    `a | b` and `{**a, **b}` both are there.
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return type(other) is Keys

    def __repr__(self) -> str:
        return "..."


# What may hold a StagedDict for all its items.
MAPPINGS: tuple[type, ...] = (dict, defaultdict, OrderedDict, Counter)


def staged_dict(thing: Any) -> StagedDict | None:
    """What a dict holds whose keys depend on data; None for anything else.

    Python's own `a | b` puts the keys of several beside each other.
    """
    if type(thing) is set:
        return _of_set(thing)
    if type(thing) not in MAPPINGS or Keys not in map(type, thing):
        return None
    first, *others = thing.values()
    return reduce(_with_item, thing.items(), StagedDict.of({})) if others else first


def _with_item(of: StagedDict, item: tuple[Any, Any]) -> StagedDict:
    """With one item of a dict, which may stand for all items of another one."""
    key, value = item
    return of.merged(value) if type(key) is Keys else of.put(key, value)


def is_keyed(thing: Any) -> bool:
    """True for a dict whose keys depend on data."""
    kind = type(thing)
    if kind is not set and kind not in MAPPINGS:
        return False
    frame = build.current()
    if frame is not None and not frame.trace.stands:
        return False
    return (StagedDict if kind is set else Keys) in map(type, thing)


def _of_set(thing: set[Any]) -> StagedDict | None:
    if StagedDict not in map(type, thing):
        return None
    if len(thing) > 1:
        # Python's own `a | b` of such sets.
        for one in thing:
            if type(one) is StagedDict:
                one.refuse()
    (held,) = thing
    return held


def put(of: Any, content: StagedDict) -> None:
    """Make the dict hold `content`, logged.

    OnlyPythonError: see `require_own`
    """
    if staged_dict(of) is None:
        require_own(of)
    places.changing(of)
    of.clear()
    if type(of) is set:
        of.add(content)
    else:
        of[Keys()] = content


def require_own(of: Any) -> None:
    """Refuse a dict with values that somebody else may have, and change.

    They would be others in the dict of the run, which others do not see.
    """
    created = build.require_current("a dict").trace.created
    if any(_is_anothers(value, created) for value in _items(of).values()):
        raise located(
            OnlyPythonError(
                "a dict from outside that holds lists, dicts or sets gets keys that "
                "depend on data"
            ),
            "Make the dict and what it holds in the function.",
        )


def _is_anothers(value: Any, created: dict[int, Any]) -> bool:
    return isinstance(value, places.CONTAINERS) and id(value) not in created


def made_like(like: Any, content: StagedDict) -> Any:
    """A new dict of the class of `like` that holds `content`."""
    made = like.copy()
    made.clear()
    if type(made) is set:
        made.add(content)
    else:
        made[Keys()] = content
    return places.created(made)


def now(of: Any) -> StagedDict:
    """What the dict, or one of several, holds now, by keys of data or not."""
    if type(of) is Choice:
        joined: StagedDict = each(of, now)
        return joined
    held = staged_dict(of)
    if held is not None:
        return held
    return StagedDict.of(_items(of), of_set=isinstance(of, (set, frozenset)))


def _items(of: Any) -> dict[Any, Any]:
    """The items of a dict; of a set its members with nothing beside them."""
    return dict.fromkeys(of) if type(of) in (set, frozenset) else of


def dict_type(thing: Any) -> DictType:
    """The type of a dict, staged or not. NoItemType: none can hold its items."""
    held = staged_dict(thing)
    if held is not None:
        return held.type
    thing = _items(thing)
    keys, values = (
        reduce(join_mixed, map(type_of_item, items), NOTHING)
        for items in (thing, thing.values())
    )
    return DictType(keys, values)


def as_staged(thing: Any, kind: DictType) -> StagedDict:
    """What a dict holds, staged or not, as one of these types."""
    held = staged_dict(thing)
    if held is not None:
        return held.as_type(kind)
    return StagedDict.of(_items(thing), kind, of_set=type(thing) is set)
