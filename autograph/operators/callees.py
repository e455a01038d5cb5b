"""callees: what a called function does with its arguments, as its kind tells."""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable
from typing import Any

from runtime.errors import StagingTypeError, located
from runtime.tensor import Tensor
from tracer import places
from tracer.dict_objects import is_keyed
from tracer.list_objects import is_staged

# Functions that, of plain numbers and texts, do no more than to compute.
_C = types.BuiltinFunctionType
_COMPUTING = (*vars(math).values(), abs, min, max, pow, round, divmod, len, ord, chr)
_PURE = frozenset(function for function in _COMPUTING if type(function) is _C)
_PLAIN = frozenset({int, float, bool, complex, str})
# Methods asked of the type, as `float.is_integer(x)` and `list.count(xs, x)`.
_UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType)


def only_computes(function: Any, args: tuple[Any, ...]) -> bool:
    """True for a C function of numbers that is called with plain ones."""
    return function in _PURE and _PLAIN.issuperset(map(type, args))


def is_unbound(method: Any, args: tuple[Any, ...]) -> bool:
    """True for what is to be asked of the first argument, which it is a method of."""
    if type(method) not in _UNBOUND or not args:
        return False
    of = args[0]
    own = isinstance(of, places.CONTAINERS) and method.__objclass__ is type(of)
    return own or isinstance(of, Tensor)


def is_placing(function: Any) -> bool:
    """True for what puts an item where its first argument says."""
    owner = getattr(function, "__self__", None)
    placing = isinstance(owner, places.CONTAINERS)
    return placing and function.__name__ in ("setdefault", "insert")


def call_instead(
    function: Any,
    staged: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    """`staged(*args, **named)`, which stands for `function`.

    Where ours has no parameters for them, Python's own says so in its words.
    """
    try:
        return staged(*args, **named)
    except TypeError:
        if _takes(staged, args, named):
            raise
    owner = getattr(function, "__self__", None)
    if is_staged(owner) or is_keyed(owner):
        _refuse_form(owner, function.__name__, args, named)
    return function(*args, **named)


def _refuse_form(
    owner: Any, name: str, args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Raise what Python has against the call; where it has nothing, refuse it.

    Its own method would take what stands in the object for all items.
    """
    try:
        getattr(type(owner)(), name)(*args, **named)
    except LookupError:
        pass  # this one is empty
    raise located(
        StagingTypeError(f"`.{name}` of what depends on data, with these arguments"),
        "Go through its items by a loop.",
    )


def _takes(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> bool:
    try:
        inspect.signature(function).bind(*args, **named)
    except TypeError:
        return False
    except ValueError:  # one of C's has no signature to be read
        return True
    return True


def iterating(
    function: Any,
    builtin: Callable[..., Any],
    converted: Callable[..., Any],
    read: Callable[[Any], Any],
) -> Callable[..., Any]:
    """`builtin`, for `function`, where what it calls is converted.

    What it does not call is passed as it is, be it an object that can be called.
    """
    calls_first = function in _CALL_FIRST

    def called(one: Any) -> Any:
        return (lambda *args: converted(one, args)) if callable(one) else one

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*map(read, args)]
        named = {name: read(arg) for name, arg in kwargs.items()}
        if calls_first:
            given[:1] = map(called, given[:1])
        if "key" in named:
            named["key"] = called(named["key"])
        return builtin(*given, **named)

    call.__wrapped__ = builtin  # type: ignore[attr-defined] # inspect reads its signature there
    return call


_CALL_FIRST = frozenset({map, functools.reduce})
