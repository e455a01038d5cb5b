"""Calls of NumPy's own functions during a trace: creation, and arrays among arguments.

The protocols catch calls with a tensor. These catch the others: `np.zeros(n)` makes an
array that the program will change, and `np.cumsum(table)` of a user's array must look
at the array at each call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.numpy_api import CREATION, call_function, call_ufunc
from runtime.ops.basic import cast
from runtime.spec import holds_objects
from runtime.tensor import Tensor, tensor, tensor_of_array
from runtime.variable import Variable
from tracer import captures, random_calls


def call(function: Any) -> Callable[..., Any] | None:
    """The staged form of NumPy's `function`; None when it is not NumPy's."""
    random = random_calls.call(function)
    if random is not None:
        return random
    if isinstance(function, type):
        return _ndarray if function is np.ndarray else _scalar_type(function)
    module = getattr(function, "__module__", None) or ""
    package = module.partition(".")[0]
    if not isinstance(function, np.ufunc) and package not in ("numpy", "scipy"):
        return None
    create = CREATION.get(function)
    if create is not None:
        return lambda *args, **kwargs: create(*_read(args), **_read(kwargs))

    def staged(*args: Any, **kwargs: Any) -> Any:
        positional, named = _staged(_read(args)), _staged(_read(kwargs))
        if not _has_tensor((positional, named)):
            return captures.made(function(*args, **kwargs))
        if isinstance(function, np.ufunc):
            return call_ufunc(function, "__call__", positional, named)
        return call_function(function, positional, named)

    return staged


def _ndarray(
    shape: Any, dtype: Any = float, buffer: Any = None, *rest: Any, **named: Any
) -> Any:
    """`np.ndarray(shape)`: memory as it is found, or what a buffer holds."""
    if buffer is None and not rest and not named:
        return CREATION[np.empty](shape, dtype)
    return captures.made(np.ndarray(shape, dtype, buffer, *rest, **named))


def _scalar_type(kind: type) -> Callable[..., Any] | None:
    if not issubclass(kind, np.generic):
        return None

    def make(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor) and not kwargs:
            return cast(tensor(args[0]), dtype=np.dtype(kind))
        return kind(*args, **kwargs)

    return make


def _staged(part: Any) -> Any:
    """Arrays in an argument as tensors; the containers NumPy looks into rebuilt."""
    if type(part) is np.ndarray and not holds_objects(part.dtype):
        return tensor_of_array(part)
    if type(part) in (list, tuple):
        return type(part)(map(_staged, part))
    if type(part) is dict:
        return {name: _staged(value) for name, value in part.items()}
    return part


def _read(part: Any) -> Any:
    """Variables in an argument as what they hold; NumPy would look at them now."""
    if type(part) is Variable:
        return part.value
    if type(part) in (list, tuple):
        return type(part)(map(_read, part))
    if type(part) is dict:
        return {name: _read(value) for name, value in part.items()}
    return part


def _has_tensor(part: Any) -> bool:
    if isinstance(part, (list, tuple)):
        return any(map(_has_tensor, part))
    if isinstance(part, dict):
        return any(map(_has_tensor, part.values()))
    return isinstance(part, Tensor)
