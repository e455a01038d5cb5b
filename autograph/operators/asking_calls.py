"""Calls that ask their first argument: itemgetter, attrgetter, singledispatch, ..."""

from __future__ import annotations

from functools import partial
from typing import Any

from autograph.operators import stores
from autograph.operators.number_calls import type_
from autograph.operators.slots import call
from runtime import build
from tracer.choice import Choice
from tracer.picking import each
from tracer.reads import note_attribute


def get(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`operator.itemgetter(i, ...)`, which may be asked for items of tensors."""
    if build.current() is None or len(args) != 1 or kwargs:
        return function(*args, **kwargs)
    wanted = function.__reduce__()[1]
    found = tuple(stores.get_item(args[0], at) for at in wanted)
    return found[0] if len(found) == 1 else found


def get_attribute(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`operator.attrgetter("a.b", ...)`: of what it reads more may be read."""
    if build.current() is None or len(args) != 1 or kwargs:
        return function(*args, **kwargs)
    wanted = function.__reduce__()[1]
    found = tuple(stores.get_attr(args[0], *names.split(".")) for names in wanted)
    return found[0] if len(found) == 1 else found


def call_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`operator.methodcaller(name, ...)`, whose method may be the user's."""
    if build.current() is None or len(args) != 1 or kwargs:
        return function(*args, **kwargs)
    made, parts = function.__reduce__()
    if isinstance(made, partial):
        (name,), named = made.args, made.keywords
        return call(getattr(args[0], name), *parts, **named)
    return call(getattr(args[0], parts[0]), *parts[1:])


def is_dispatched(function: Any) -> bool:
    """True for a function under `functools.singledispatch`."""
    dispatch = getattr(function, "dispatch", None)
    return dispatch is not None and "registry" in vars(function)


def dispatched(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of such a function, which would look for the type of a Tensor."""
    first, *others = args
    if type(first) is Choice:
        return each(first, lambda one: dispatched(function, (one, *others), kwargs))
    note_attribute(function, "registry")
    return call(function.dispatch(type_(first)), *args, **kwargs)
