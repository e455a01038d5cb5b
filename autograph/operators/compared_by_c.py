"""compared_by_c: what C compares by methods of the user's, which are not converted.

Such a method reads its object as it is while tracing: a list whose length only the run
knows has one item there (`list_objects.py`). What would come of it is wrong, so the
call is Python's.
"""

from __future__ import annotations

import bisect
import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from runtime import build
from runtime.errors import OnlyPythonError, located
from runtime.methods import is_users
from tracer.dict_objects import is_keyed
from tracer.list_objects import is_staged

# What compares the items of what it is given, or these themselves.
_FUNCTIONS = frozenset(
    {
        *(sorted, min, max, heapq.merge, heapq.nlargest, heapq.nsmallest),
        *(heapq.heapify, heapq.heappush, heapq.heappop, heapq.heapreplace),
        *(heapq.heappushpop, bisect.insort_left, bisect.insort_right),
        *(bisect.bisect_left, bisect.bisect_right),
    }
)
_METHODS = frozenset({"sort", "index", "count", "remove"})
_HOLDING = (list, tuple, deque)
_ASKED = ("__lt__", "__gt__", "__le__", "__ge__", "__eq__")


def refuse(function: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """OnlyPythonError: it compares objects that hold what has the run's length."""
    frame = build.current()
    if frame is None or not frame.trace.stands:
        return
    owner = getattr(function, "__self__", None)
    is_method = type(owner) in _HOLDING and function.__name__ in _METHODS
    if is_method or _is_known(function):
        things = (owner, *args, *named.values())
        _refuse(function.__name__, [*things, *_items(things)])


def refuse_items(word: str, *things: Any) -> None:
    """The same of the items of what an operator compares."""
    frame = build.current()
    if frame is not None and frame.trace.stands:
        _refuse(word, _items(things))


def _refuse(name: str, things: Iterable[Any]) -> None:
    for one in things:
        if _hides(one):
            words = f"`{name}` compares objects of `{type(one).__name__}`, which hold "
            raise located(
                OnlyPythonError(f"{words}a list whose length only the run knows"),
                "Compare them outside of the decorated function.",
            )


def _is_known(function: Any) -> bool:
    try:
        return function in _FUNCTIONS
    except TypeError:
        return False  # unhashable, so it is none of them


def _items(things: tuple[Any, ...]) -> Iterator[Any]:
    for thing in things:
        if type(thing) in _HOLDING and not is_staged(thing):
            yield from thing


def _hides(one: Any) -> bool:
    """Whether a method of the user's that compares it may read such a list or dict."""
    try:
        held = object.__getattribute__(one, "__dict__")  # its own methods are not asked
    except AttributeError:
        return False
    asked = (getattr(type(one), name, None) for name in _ASKED)
    if type(held) is not dict or not any(map(is_users, asked)):
        return False
    return any(is_staged(thing) or is_keyed(thing) for thing in held.values())
