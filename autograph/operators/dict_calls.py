"""Calls on dicts whose keys depend on data: their methods, and what makes them.

`dict`, `Counter` and the like go through what they are given as a whole where a run
tells how much there is, and item by item where that is known.
"""

from __future__ import annotations

import copy
import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from autograph.operators import lists, set_calls, stores
from autograph.operators.dicts import (
    can_be_keyed,
    contains,
    delete,
    each,
    get,
    get_item,
    make_missing,
    merge,
    refuse_method,
    set_item,
    taken,
    there,
)
from autograph.operators.for_ import iterate
from autograph.operators.registry import staging_of, staging_of_key
from autograph.operators.set_calls import clear, items_of, set_of
from autograph.operators.stars import unpack
from autograph.operators.tensors import TENSORS
from runtime.tensor import Tensor
from tracer import places, tree
from tracer.cond import choose
from tracer.dict_objects import MAPPINGS, is_keyed, made_like, now, put
from tracer.dict_rows import ITEMS, KEYS, VALUES, DictView
from tracer.exits import Exit
from tracer.grown_keys import grows
from tracer.item_type import type_of_item
from tracer.list_objects import made
from tracer.staged_dict import columns_of
from tracer.staged_list import StagedList

# Methods.


def method(of: Any, name: str) -> Callable[..., Any] | None:
    """What the method of a dict becomes, if it is one that is staged."""
    found = (set_calls.METHODS if type(of) is set else _METHODS).get(name)
    return None if found is None else partial(found, of)


def _set_default(of: Any, key: Any, default: Any = None, /) -> Any:
    def one_of(one: Any) -> Any:
        make_missing(of, one, lambda: default)
        return there(now(of), one)

    return each(key, one_of)


def _pop(of: Any, key: Any, *default: Any) -> Any:
    def one_of(one: Any) -> Any:
        held = now(of)
        if not default:
            return taken(of, one)
        if held.is_nothing:
            return default[0]
        return choose(held.has(one), lambda: taken(of, one), lambda: default[0])

    return each(key, one_of)


def _pop_item(of: Any) -> Any:
    held = now(of)
    if held.is_nothing:
        return {}.popitem()
    rest, at = held.delete_last()
    put(of, rest)
    return held.keys.get(at), held.values.get(at)


def _update(of: Any, other: Any = (), /, **named: Any) -> None:
    if isinstance(other, dict) and (can_be_keyed(other) or is_keyed(of)):
        merge(of, now(other))
    else:
        _put_pairs(of, other)
    for name, value in named.items():
        set_item(value, of, name)


def copied(of: Any) -> Any:
    """`of.copy()`."""
    return made_like(of, now(of))


_METHODS: dict[str, Callable[..., Any]] = {
    "get": get,
    "setdefault": _set_default,
    "pop": _pop,
    "popitem": _pop_item,
    "clear": clear,
    "update": _update,
    "copy": copied,
    **{what: partial(DictView, what=what) for what in (KEYS, VALUES, ITEMS)},
    "__contains__": lambda of, key: contains(key, of),
    "__getitem__": get_item,
    "__setitem__": lambda of, key, value: set_item(value, of, key),
    "__delitem__": delete,
}


# What makes dicts.


def call(
    function: Any, args: tuple[Any, ...], again: Callable[..., Any]
) -> Callable[..., Any] | None:
    """What a call becomes, if it is one on or of a dict whose keys depend on data.

    again: calls a function that converted code calls
    """
    owner = getattr(function, "__self__", None)
    if is_keyed(owner):
        return method(owner, function.__name__) or partial(
            refuse_method, function.__name__
        )
    known = type(owner) is set or type(owner) in MAPPINGS
    if known and _is_by_data(owner, function.__name__, args):
        return method(owner, function.__name__)
    try:
        made, at = _CALLS.get(function, (None, 0))
        if made is not None and any(map(_gives_keys, args[at : at + 1])):
            return made
        if not any(is_keyed(x) or type(x) is DictView for x in args):
            return None
        if function in _THROUGH:
            return lambda *args, **named: again(function, _listed(args), named)
        return _ASKED.get(function) if is_keyed(args[0]) else None
    except TypeError:
        # Unhashable, so it is in no table.
        return None


def _is_by_data(of: Any, name: str, args: tuple[Any, ...]) -> bool:
    """True for a method of a dict of constant keys that data give or ask for others."""
    if not args or name not in (set_calls.METHODS if type(of) is set else _METHODS):
        return False
    if type(of) is set:
        if name in set_calls.OF_ITERABLES:
            return any(map(_gives_keys, args))
        grown = name == "add" and len(args) == 1 and grows(of, args[0])
        return grown or staging_of_key(args[0]) is TENSORS
    if name == "update":
        return _gives_keys(args[0])
    by_key = type(args[0]) is tuple if name == "get" else name in ("pop", "setdefault")
    return by_key and staging_of_key(args[0]) is TENSORS


def _listed(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with lists for dicts and their views."""
    views = (DictView(arg) if is_keyed(arg) else arg for arg in args)
    return tuple(made(x.listed()) if type(x) is DictView else x for x in views)


def _gives_keys(given: Any) -> bool:
    """True for what gives keys that depend on data, or perhaps does."""
    if is_keyed(given):
        return True
    if staging_of(given) is not None:
        return not isinstance(given, dict)
    return type(given) in (list, tuple) and tree.holds_tensor(given)


def _dict(kind: Any, given: Any, /, **named: Any) -> Any:
    made = places.created(kind())
    _update(made, given, **named)
    return made


def _defaultdict(factory: Any, given: Any, /, **named: Any) -> Any:
    return _dict(partial(defaultdict, factory), given, **named)


def _put_pairs(of: Any, pairs: Any) -> None:
    """`of.update(pairs)`, of an iterable."""
    items = items_of(pairs)
    if isinstance(items, StagedList):
        columns = columns_of(items)
        if columns is not None:
            put(of, now(of).put_all(*columns))
            return

        def body(item: Any) -> Exit:
            key, value = unpack(item, 2)
            stores.set_item(value, of, key)
            return None

        iterate(made(items), body)
        return
    for item in items:
        key, value = unpack(item, 2)
        stores.set_item(value, of, key)


def _from_keys(keys: Any, value: Any = None, /) -> Any:
    made: dict[Any, Any] = places.created({})
    items = items_of(keys)
    if isinstance(items, StagedList):
        values = StagedList.of([value], type_of_item(value)).repeat(items.length())
        put(made, now(made).put_all(items, values))
    else:
        for key in items:
            stores.set_item(value, made, key)
    return made


def _count(of: Any, given: Any = None, /, **named: Any) -> None:
    """`Counter.update`."""

    def one_more(item: Any) -> Exit:
        stores.update_item(of, item, "iadd", lambda: 1)
        return None

    if isinstance(given, dict):

        def add(item: Any) -> Exit:
            key, count = item
            stores.update_item(of, key, "iadd", lambda: count)
            return None

        iterate(DictView(given, ITEMS) if is_keyed(given) else given.items(), add)
    elif given is not None:
        items = items_of(given)
        if isinstance(items, StagedList) and now(of).counts_numbers():
            put(of, now(of).counted(items))
        else:
            iterate(made(items) if isinstance(items, StagedList) else items, one_more)
    for name, value in named.items():
        stores.update_item(of, name, "iadd", partial(_itself, value))


def _itself(value: Any) -> Any:
    return value


def _counter(given: Any, /, **named: Any) -> Any:
    made = places.created(Counter())
    _count(made, given, **named)
    return made


def _most_common(of: Any, n: Any = None) -> Any:
    """The items by their counts, the greatest first."""
    items, counts = DictView(of, ITEMS).listed(), DictView(of, VALUES).listed()
    ordered = items.sort(counts, reverse=True)
    if n is None:
        return made(ordered)
    return made(ordered.slice(slice(None, _at_least_0(n))))


def _at_least_0(n: Any) -> Any:
    return choose(n > 0, lambda: n, lambda: 0) if isinstance(n, Tensor) else max(n, 0)


# For each what it becomes, and the argument that gives the keys.
_CALLS: dict[Any, tuple[Callable[..., Any], int]] = {
    dict: (partial(_dict, dict), 0),
    OrderedDict: (partial(_dict, OrderedDict), 0),
    defaultdict: (_defaultdict, 1),
    Counter: (_counter, 0),
    Counter.update: (_count, 1),
    dict.fromkeys: (_from_keys, 0),
    set: (set_of, 0),
}
# They go through a dict or a view as through a list of what is in it.
_THROUGH: frozenset[Any] = frozenset(
    {list, tuple, frozenset, deque, sorted, sum, min, max, any, all, reversed}
    | {map, filter, reduce, math.prod, math.fsum, iter}
)
_ASKED: dict[Any, Callable[..., Any]] = {
    len: lambda of: now(of).length(),
    bool: lambda of: now(of).length() > 0,
    copy.copy: copied,
    copy.deepcopy: copied,
    Counter.most_common: _most_common,
    Counter.total: lambda of: lists.call(sum, (DictView(of, VALUES),)),
}
