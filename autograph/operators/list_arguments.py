"""Lists and tuples of data's own length, as NumPy's functions and methods get them.

What is an operand, a shape or an index to NumPy is an array. Axes are not: of these it
asks whether they are a tuple.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators import numpy_calls
from runtime.errors import PythonTypeError, located
from runtime.ops.template import Items
from tracer.dict_objects import is_keyed
from tracer.list_objects import staged

Call = Callable[..., Any]

# Parameters that are an int, or a tuple of them.
AXES = frozenset({"axis", "axes"})
_METHODS = "runtime.numpy_api"


def takes(function: Any) -> bool:
    """True for a function of NumPy's, and for a method of a tensor."""
    return _is_method(function) or numpy_calls.call(function) is not None


def given(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call, without lists of data's own length.

    PythonTypeError: one is a dict or set whose keys depend on data
    """
    if any(map(is_keyed, (*args, *kwargs.values()))):
        raise located(
            PythonTypeError(
                f"`{function.__name__}` is given a dict or set with keys of data"
            ),
            "Give it a list of what it holds.",
        )
    names = [*_names(function), *[""] * len(args)]
    pairs = zip(names, args, strict=False)
    named = {name: _argument(name, part) for name, part in kwargs.items()}
    return tuple(_argument(*pair) for pair in pairs), named


def arrays(part: Any) -> Any:
    """Such lists as arrays, at any depth of an argument."""
    held = staged(part)
    if held is not None:
        return held.stack()
    if type(part) in (list, tuple):
        return type(part)(map(arrays, part))
    if type(part) is dict:
        return {name: arrays(value) for name, value in part.items()}
    return part


def _argument(name: str, part: Any) -> Any:
    held = staged(part) if name in AXES and type(part) is tuple else None
    return arrays(part) if held is None else (Items(held.zipped()),)


def _is_method(function: Any) -> bool:
    if type(function) is not functools.partial:
        return False
    return (getattr(function.func, "__module__", "") or "").startswith(_METHODS)


def _names(function: Any) -> Sequence[str]:
    """The names of the parameters, as far as they are known."""
    bound = _is_method(function)
    while type(function) is functools.partial:
        # One that takes care of what is refused is around the method itself.
        first = function.args[:1]
        inner = first and type(first[0]) is functools.partial
        function = first[0] if inner else function.func
    try:
        return _signature(function)[bound:]
    except (TypeError, ValueError):
        return ()


@functools.cache
def _signature(function: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)
