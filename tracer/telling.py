"""telling: what objects hold that are no containers: partials, methods, buffers."""

from __future__ import annotations

import types
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import partial, partialmethod
from typing import Any, cast

import numpy as np

from runtime.errors import OnlyPythonError
from runtime.spec import holds_objects

_CHANGING = (list, deque, bytearray, dict, set, types.MappingProxyType)
# Made anew each time that one is asked for.
BOUND = (types.BuiltinMethodType, types.MethodWrapperType, types.MethodType)
_DICTS: list[dict[Any, Any]] = [{}, OrderedDict()]
_VIEWS = [view for one in _DICTS for view in (one.keys(), one.values(), one.items())]
# What changes a list whatever it holds. A trace that calls it notes the change, one
# that hands it on (`ag.py_function(seen.append, x)`) has not read the items.
ADDING = frozenset({"append", "appendleft", "extend", "extendleft", "insert"})

# An OrderedDict keeps an order beside its dict.
_BUILTINS = (list, tuple, set, frozenset, deque, bytearray, OrderedDict, dict)


def builtin_of(container: Any) -> Any:
    """The builtin class that a container is of, or is derived from.

    Its methods do what they do, where a class of the user's has others of that name.

    >>> class Row(list):
    ...     def __iter__(self):
    ...         return iter(())
    >>> [*builtin_of(Row([1, 2])).__iter__(Row([1, 2]))]
    [1, 2]
    """
    return next(kind for kind in _BUILTINS if isinstance(container, kind))


def keyed(container: Any) -> dict[Any, Any]:
    """What a dict, or a `mappingproxy` of one, holds."""
    if isinstance(container, types.MappingProxyType):
        return dict(container)
    return dict(builtin_of(container).items(container))


def copied(container: Any) -> Any:
    """A shallow copy of a list, deque, dict or set; of the user's class a builtin one.

    C's `copy` calls classes, and asks an `__iter__` or `keys` of the user's.
    """
    kind, own = type(container), builtin_of(container)
    if kind is own or kind.__module__ in ("builtins", "collections"):
        return container.copy()
    if isinstance(container, dict):
        return keyed(container)
    return own(own.__iter__(container))


def refill(container: Any, content: Any) -> None:
    """Make a list, deque or dict hold this, past the methods of the user's class."""
    own = builtin_of(container)
    own.clear(container)
    if own is OrderedDict:
        # C's `update` asks a `__setitem__` of the user's.
        for key, part in builtin_of(content).items(content):
            own.__setitem__(container, key, part)
    elif isinstance(container, dict):
        dict.update(container, content)
    else:
        own.extend(container, content)


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
    np.ndarray: lambda array: array.tolist() if holds_objects(array.dtype) else None,
    **dict.fromkeys(map(type, _VIEWS), _mapping_of),
}


# Of classes that few programs load, by their names: their bases' tell, too.
_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "array.array": lambda one: (one.typecode, one.tobytes()),
    "contextvars.ContextVar": lambda one: (one.get(None),),
    "_contextvars.ContextVar": lambda one: (one.get(None),),
    "decimal.Context": repr,
    "numpy.poly1d": lambda one: one.coeffs.tolist(),
    "numpy.polynomial._polybase.ABCPolyBase": lambda one: one.coef.tolist(),
    "weakref.ReferenceType": lambda one: (one(),),
    "_queue.SimpleQueue": lambda one: one.qsize(),
    "_thread._local": vars,
    "_thread.lock": lambda one: one.locked(),
    **dict.fromkeys(
        (f"_ctypes.{kind}" for kind in ("_SimpleCData", "Array", "Structure", "Union")),
        bytes,
    ),
}


def _told_by_name(kind: type) -> Callable[[Any], Any] | None:
    names = (f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__)
    return next(filter(None, map(_BY_NAME.get, names)), None)


def tells(thing: Any) -> Callable[[Any], Any] | None:
    """What tells what an object holds that is no container, if anything does."""
    kind = type(thing)
    found = _TELLS.get(kind) or _told_by_name(kind)
    return found if found is not None and found(thing) is not None else None


def has_dict(thing: Any) -> bool:
    """Whether it has a `__dict__`, without a question to the user's functions."""
    if not type(thing).__dictoffset__:
        return False
    try:
        object.__getattribute__(thing, "__dict__")
    except AttributeError:
        # Python 3.12 keeps that of a TypeVar, say, to itself.
        return False
    return True


def own_dict(thing: Any) -> dict[str, Any]:
    """What an object holds itself, past a `__getattribute__` of the user's.

    TypeError: its class has a `__dict__` of its own, behind which nobody can look.
    """
    if not has_dict(thing):
        return {}
    held = object.__getattribute__(thing, "__dict__")
    if isinstance(held, (dict, types.MappingProxyType)):
        return cast(dict[str, Any], held)
    words = f"a {type(thing).__qualname__} hides what it holds by a `__dict__` of its"
    raise OnlyPythonError(f"{words} class")
