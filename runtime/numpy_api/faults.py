"""Faults: which of two a run raises, where a call certainly fails.

A row finds one while tracing, by the dtypes. Where sizes are not known another one may
come first: `np.stack([x, y])` looks at sizes before it promotes. So the call is made by
the run, which raises what NumPy raises; what the trace has found comes after it, and
says that nothing else does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from runtime.foreign import is_object
from runtime.layouts import laid_out
from runtime.numpy_api import asking, host
from runtime.ops.template import encode, fill
from runtime.structs import struct
from runtime.tensor import Tensor


def ask(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Any, pure: bool
) -> None:
    """A node that makes the call for what it raises, if a graph can make it.

    pure: it changes none of its arguments
    """
    _, parts = encode((args, kwargs), _is_operand)
    # What iterates over an array, or is an object with a state, is no value of a graph.
    if any(is_object(part) or asking.is_flat(part) for part in parts):
        return
    host.call(function if pure else OnCopies(function), args, kwargs, faults=True)


def raise_of_store(
    target: Tensor, key: Any, content: Any, dynamic: Sequence[Tensor], error: ValueError
) -> NoReturn:
    """Raise what `target[key] = content` raises, whose sizes do not fit.

    dynamic: of the key what only the run knows: an index may lie outside first
    """
    answered = asking.answer(operator.setitem, target, key, content)
    if dynamic or type(answered) is IndexError or not target.spec.is_static:
        ask(operator.setitem, (target, key, content), {}, pure=False)
    if isinstance(answered, Exception) and type(answered) is not IndexError:
        raise answered
    raise error


def _is_operand(part: Any) -> bool:
    return isinstance(part, Tensor) or is_object(part)


@struct
class OnCopies:
    """A function that may change its arguments, called with copies of them."""

    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What it raises, or gives."""
        whole, arrays = encode((args, kwargs), lambda part: type(part) is np.ndarray)
        positional, named = fill(whole, tuple(map(_copied, arrays)))
        return self.function(*positional, **named)

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


def _copied(array: Any) -> Any:
    made = laid_out(array, array)
    made.flags.writeable = array.flags.writeable
    return made
