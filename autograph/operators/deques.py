"""Deques whose length depends on data: the methods that lists do not have."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators import lists
from autograph.operators.lists import held_by, items_of
from tracer.list_objects import made_like, put
from tracer.staged_list import StagedList

Deque = deque[Any]


def method(of: Deque, name: str) -> Callable[..., Any] | None:
    """What the method of a deque becomes, if it is one that is staged."""
    found = _METHODS.get(name)
    if found is not None:
        return partial(found, of)
    return lists.method(of, name) if name in _OF_LISTS else None


# What they do, and say where they fail, is the same for both.
_OF_LISTS = frozenset({"append", "extend", "insert", "clear", "reverse", "count"})


def _held(of: Deque) -> StagedList:
    held = held_by(of)
    assert held is not None, "only of those that hold a StagedList"
    return held


def _append_left(of: Deque, item: Any, /) -> None:
    put(of, _held(of).insert(0, item))


def _extend_left(of: Deque, iterable: Any, /) -> None:
    items = items_of(iterable)
    if isinstance(items, StagedList):
        put(of, items.reverse().extend(_held(of)))
        return
    for item in items:
        _append_left(of, item)


def _pop(of: Deque, /) -> Any:
    return _taken(of, -1)


def _pop_left(of: Deque, /) -> Any:
    return _taken(of, 0)


def _taken(of: Deque, at: int) -> Any:
    rest, item = _held(of).pop_of_deque(at)
    put(of, rest)
    return item


def _rotate(of: Deque, n: Any = 1, /) -> None:
    put(of, _held(of).rotate(n))


def _copy(of: Deque, /) -> Any:
    return made_like(of, _held(of))


_METHODS: dict[str, Callable[..., Any]] = {
    "appendleft": _append_left,
    "extendleft": _extend_left,
    "pop": _pop,
    "popleft": _pop_left,
    "rotate": _rotate,
    "copy": _copy,
}
