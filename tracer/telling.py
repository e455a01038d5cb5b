"""telling: objects that hold others and are no containers: partials, methods, views."""

from __future__ import annotations

import types
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import partial, partialmethod
from typing import Any

_CHANGING = (list, deque, bytearray, dict, set, types.MappingProxyType)
# Made anew each time that one is asked for.
BOUND = (types.BuiltinMethodType, types.MethodWrapperType, types.MethodType)
_DICTS: list[dict[Any, Any]] = [{}, OrderedDict()]
_VIEWS = [view for one in _DICTS for view in (one.keys(), one.values(), one.items())]
# What changes a list whatever it holds. A trace that calls it notes the change, one
# that hands it on (`ag.py_function(seen.append, x)`) has not read the items.
ADDING = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})


def _mapping_of(view: Any) -> Any:
    return view.mapping


def _bound_to(method: Any) -> Any:
    """The container whose method it is: what it gives is what that holds."""
    is_asked = isinstance(method.__self__, _CHANGING) and method.__name__ not in ADDING
    return method.__self__ if is_asked else None


# Objects that hold others and are no containers, with what tells what they hold.
_TELLS: dict[type, Callable[[Any], Any]] = {
    partial: lambda one: (one.func, one.args, one.keywords),
    partialmethod: lambda one: (one.func, one.args, one.keywords),
    **dict.fromkeys(BOUND, _bound_to),
    memoryview: lambda view: view.tobytes(),
    **dict.fromkeys(map(type, _VIEWS), _mapping_of),
}


def tells(thing: Any) -> Callable[[Any], Any] | None:
    """What tells what an object holds that is no container, if anything does."""
    found = _TELLS.get(type(thing))
    return found if found is not None and found(thing) is not None else None
