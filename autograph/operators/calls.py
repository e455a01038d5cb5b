"""converted_call: what every call in converted code goes through.

It replaces builtins that tensors need another form of, catches NumPy's creation
functions, converts the user's own functions, and calls everything else as it is.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from autograph.operators.builtin_calls import BUILTINS, STAGED_BUILTINS
from autograph.operators.registry import staging_of_any
from autograph.rules import is_converted_class, why_left_alone
from autograph.syntax import SourceNotFoundError
from runtime import build
from runtime.numpy_api import CREATION, call_numpy, is_numpy_function
from tracer import leaks, places
from tracer.function import Function, Method

Convert = Callable[[types.FunctionType], Callable[..., Any]]
_convert: list[Convert] = []


def set_convert(convert: Convert) -> None:
    """Tell calls how a function is converted (done once by autograph.convert)."""
    _convert[:] = [convert]


def keywords(**given: Any) -> dict[str, Any]:
    """The keywords of a call with `**`; TypeError when one is given twice."""
    return given


def converted_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> Any:
    """`function(*args, **kwargs)`, with what is called converted where it can be."""
    named = kwargs or {}
    kind = type(function)
    if kind is types.FunctionType:
        if build.current() is not None and is_numpy_function(function):
            return _numpy(function, args, named)
        return _call_function(function, args, named)
    if kind is types.MethodType:
        return converted_call(
            function.__func__, (function.__self__, *args), kwargs
        )
    if kind is types.BuiltinFunctionType or kind is type:
        return _call_builtin(function, args, named)
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(function, args, named)
    if build.current() is not None and is_numpy_function(function):
        return _numpy(function, args, named)
    if isinstance(function, type):
        return _construct(function, args, named)
    call = getattr(kind, "__call__", None)  # noqa: B004 - its function is wanted
    if type(call) is types.FunctionType and why_left_alone(call) is None:
        return _call_function(call, (function, *args), named)
    return function(*args, **named)


def _call_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if why_left_alone(function) is not None:
        return function(*args, **kwargs)
    try:
        converted = _convert[0](function)
    except SourceNotFoundError:
        # Without its source it runs as it is; a tensor in its `if` says so.
        return function(*args, **kwargs)
    return converted(*args, **kwargs)


def _call_builtin(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    replaced = BUILTINS.get(function) if _is_hashable(function) else None
    if replaced is not None:
        return replaced(*args, **kwargs)
    staged = STAGED_BUILTINS.get(function) if _is_hashable(function) else None
    if staged is not None and staging_of_any(*args, *kwargs.values()) is not None:
        return staged(*args, **kwargs)
    tracing = build.current() is not None
    if tracing and is_numpy_function(function):
        return _numpy(function, args, kwargs)
    owner = getattr(function, "__self__", None)
    if tracing and type(owner) in (list, dict, set):
        return _mutate(owner, function, args, kwargs)
    if isinstance(function, type):
        return _construct(function, args, kwargs)
    return function(*args, **kwargs)


def _is_hashable(function: Any) -> bool:
    # A bound method of a list hashes by the list, which does not.
    return type(getattr(function, "__self__", None)) not in (list, dict, set)


def _mutate(owner: Any, method: Any, args: Any, kwargs: Any) -> Any:
    """A method of a list, dict or set, which may change it."""
    places.changing(owner)
    leaks.note_store((args, kwargs), f"a {type(owner).__name__}")
    return method(*args, **kwargs)


def _numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    create = CREATION.get(function)
    if create is not None:
        return create(*args, **kwargs)
    return call_numpy(function, args, kwargs)


def _construct(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An instance of a class, its `__init__` converted when it is the user's."""
    if not is_converted_class(kind):
        return places.created(kind(*args, **kwargs))
    made = places.created(kind.__new__(kind))
    _call_function(kind.__init__, (made, *args), kwargs)
    return made


def _call_partial(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    merged = {**function.keywords, **kwargs}
    return converted_call(function.func, (*function.args, *args), merged)


def _call_cached(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if build.current() is None:
        return function(*args, **kwargs)
    # A cache would keep tensors of this trace and hand them to the next one.
    return converted_call(function.__wrapped__, args, kwargs)


def _call_traced(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if build.current() is None:
        return function(*args, **kwargs)
    return converted_call(function.python_function, args, kwargs)


def _call_traced_method(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    return _call_traced(function.__func__, (function.__self__, *args), kwargs)


_SPECIAL: dict[type, Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]] = {
    functools.partial: _call_partial,
    type(functools.lru_cache(_is_hashable)): _call_cached,
    Function: _call_traced,
    Method: _call_traced_method,
}


@contextmanager
def handled() -> Any:
    """The body of a try with handlers: failures that depend on data are refused."""
    frame = build.current()
    if frame is None:
        yield
        return
    frame.trace.handlers += 1
    try:
        yield
    finally:
        frame.trace.handlers -= 1


