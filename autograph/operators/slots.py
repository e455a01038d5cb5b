"""Slots: the Python functions of a user's class that Python calls by itself.

`a + b`, `x.area`, `if x:`, `len(x)` call methods that are found on the type. While a
trace is on they are found here as Python finds them, and called as calls in the text
are: converted.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph.rules import why_left_alone
from runtime import build
from tracer.function import Function
from tracer.reads import note_attribute

Call = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
_call: list[Call] = []
# Set on classes that a Python program can make; the slots of others are C's.
_HEAP_TYPE = 1 << 9


def set_call(call: Call) -> None:
    """Tell slots how a function is called converted (done once by calls)."""
    _call[:] = [call]


def call(function: Any, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, converted."""
    return _call[0](function, args, kwargs)


def slot(kind: type, name: str) -> Callable[..., Any] | None:
    """The user's function in a slot of a class, or a method of C's that stands for one.

    None when the slot is empty or C's, the function is left alone, or no trace is on:
    then Python's own way is the right one.
    """
    if not kind.__flags__ & _HEAP_TYPE or build.current() is None:
        return None
    held = getattr(kind, name, None)
    found = held if _is_borrowed(held, name) else as_users(held)
    if found is not None:
        note_attribute(kind, name)
    return found


def _is_borrowed(held: Any, name: str) -> bool:
    """Whether it is C's method for something else: `__setattr__ = dict.__setitem__`."""
    return type(held) in _METHODS and held.__name__ != name


_METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)


def as_users(function: Any) -> types.FunctionType | None:
    """`function` if it is a Python function that is converted when called.

    Of one that is decorated, its Python function: what a call within a trace is.
    """
    if isinstance(function, Function):
        function = function.python_function
    if type(function) is not types.FunctionType or why_left_alone(function):
        return None
    return function


def found_on(kind: type, name: str) -> Any:
    """What a class and its bases hold under a name, not asked for itself; or None."""
    for base in kind.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None
