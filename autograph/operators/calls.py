"""converted_call: what every call in converted code goes through.

It replaces builtins that tensors need another form of, catches NumPy's creation
functions, converts the user's own functions, and calls everything else as it is.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from autograph import log
from autograph.operators import (
    consumers,
    fstring,
    generator_calls,
    iterators,
    numpy_calls,
    objects,
    slots,
    stores,
)
from autograph.operators.builtin_calls import (
    ASK_TYPES,
    BUILTINS,
    STAGED_BUILTINS,
    map_,
)
from autograph.operators.construct import construct
from autograph.operators.registry import staging_of_any
from autograph.rules import CONVERTED, GENERATOR, why_left_alone, why_module
from runtime import build
from runtime.variable import Variable
from tracer import places, recursion, tree
from tracer.choice import Choice
from tracer.function import Function, Method
from tracer.picking import ask, each, holds_choice, over

Convert = Callable[[types.FunctionType], Callable[..., Any]]
# The two forms of a generator function, where it has them.
Forms = Callable[[types.FunctionType], tuple[Any, Any]]
_convert: list[Convert] = []
_forms: list[Forms] = []


def set_convert(convert: Convert, forms: Forms) -> None:
    """Tell calls how a function is converted (done once by autograph.conversion)."""
    _convert[:] = [convert]
    _forms[:] = [forms]


def keywords(**given: Any) -> dict[str, Any]:
    """The keywords of a call with `**`; TypeError when one is given twice."""
    return given


def converted_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> Any:
    """`function(*args, **kwargs)`, with what is called converted where it can be."""
    named = kwargs or {}
    kind = type(function)
    if kind is types.MethodType and type(function.__func__) is types.FunctionType:
        return converted_call(function.__func__, (function.__self__, *args), kwargs)
    if build.current() is not None:
        staged = _in_trace(function, args, named)
        if staged is not None:
            return iterators.noted(staged(*args, **named))
    if kind is types.FunctionType:
        return _call_function(function, args, named)
    if isinstance(function, type):
        return construct(function, args, named)
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(function, args, named)
    call = getattr(kind, "__call__", None)  # noqa: B004 - its function is wanted
    if type(call) is types.FunctionType and why_left_alone(call) is None:
        return _call_function(call, (function, *args), named)
    return iterators.noted(places.watched(function, args, named))


def _in_trace(
    function: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> Callable[..., Any] | None:
    """What is called instead while a trace is on, if anything is."""
    if type(function) is Choice:
        return partial(_call_choice, function)
    if holds_choice(args, named) and _looks_inside(function):
        return partial(_over_choices, function)
    if consumers.takes(function, args, named):
        consumer = consumers.consumer(function, converted_call)
        if consumer is not None:
            return consumer
    owner = getattr(function, "__self__", None)
    if isinstance(owner, places.CONTAINERS):
        return partial(_mutate, function)
    if type(owner) is str and tree.holds_tensor((args, named)):
        return partial(fstring.method, function)
    return _staged(function, args, named)


def _call_choice(function: Choice, *args: Any, **named: Any) -> Any:
    return each(function, lambda option: converted_call(option, args, named))


def _looks_inside(function: Any) -> bool:
    """True for what does more with an argument than to pass it on or to keep it."""
    if isinstance(function, types.FunctionType):
        return why_left_alone(function) is not None
    if isinstance(function, type):
        users = why_module(function.__module__) is None
        return not (users or issubclass(function, BaseException))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, places.CONTAINERS):
        return function.__name__ not in _KEEPERS
    return type(function) not in _SPECIAL and not isinstance(
        getattr(type(function), "__call__", None),  # noqa: B004 - its function is wanted
        types.FunctionType,
    )


# Methods of containers that put their argument there as it is.
_KEEPERS = frozenset({"append", "appendleft", "extend", "insert", "setdefault"})


def _over_choices(function: Any, *args: Any, **named: Any) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        return converted_call(function, args, named)

    if function in ASK_TYPES and type(args[0]) is Choice:
        first, *others = args
        return ask(first, lambda option: call(option, *others, **named))
    return over(call, *args, **named)


def _staged(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What the call becomes in a trace, if it is a builtin's or NumPy's."""
    if function is map:
        return _map
    if type(function) is types.MethodWrapperType:
        return stores.of_super(function)
    try:
        of_objects = objects.builtin(function, args)
        if of_objects is not None:
            return of_objects
        builtin = BUILTINS.get(function) or STAGED_BUILTINS.get(function)
    except TypeError:
        # Unhashable, so it is in no table.
        return None
    if builtin is None:
        return numpy_calls.call(function)
    if function in BUILTINS or function in ASK_TYPES:
        return builtin
    if staging_of_any(*args, *kwargs.values()) is not None:
        return lambda *args, **kwargs: builtin(*map(_read, args), **kwargs)
    return None


def _map(function: Any, *iterables: Any) -> Any:
    """`map`, which calls a function of the user's, so that is converted too."""
    return map_(lambda *items: converted_call(function, items), *iterables)


def _read(argument: Any) -> Any:
    return argument.value if isinstance(argument, Variable) else argument


def _call_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    reason = why_left_alone(function)
    if reason is GENERATOR and build.current() is not None:
        made = generator_calls.call(_forms[0](function), args, kwargs)
        if made is not None:
            return made
    if reason not in (None, CONVERTED):
        log.left_alone(function, reason)
        return iterators.noted(places.watched(function, args, kwargs))
    made = _convert[0](function) if reason is None else function
    return recursion.call(made, args, kwargs)


# Methods whose result is a new container.
_MAKERS = frozenset({"copy", "union", "intersection", "difference"})


def _mutate(method: Any, *args: Any, **kwargs: Any) -> Any:
    """A method of a list, dict or set, which may change it."""
    result = places.watched(method, args, kwargs)
    return places.created(result) if method.__name__ in _MAKERS else result


def _call_partial(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
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
    partial: _call_partial,
    type(lru_cache(keywords)): _call_cached,
    Function: _call_traced,
    Method: _call_traced_method,
}
slots.set_call(converted_call)
