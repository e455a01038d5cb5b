"""indices: what stands for an int by an `__index__` of the user's, as converted code.

C asks it of a key of a list, an array or a text, and of the bounds of a range; what it
reads of its object may be known to the run alone.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.operators.own_texts import type_name
from autograph.operators.slots import call, slot
from runtime import kinds
from runtime.tensor import Tensor

_BY_INDEX = (list, tuple, str, bytes, bytearray, range, deque, np.ndarray, Tensor)


def of_key(of: Any, at: Any) -> Any:
    """A key of `of`, the objects in it asked for the ints that they stand for."""
    return asked(at) if isinstance(of, _BY_INDEX) else at


def asked(at: Any) -> Any:
    """The int that an object stands for; of a slice or tuple, with those of its parts.

    TypeError: its `__index__` gives no int
    """
    if type(at) is slice:
        parts = at.start, at.stop, at.step
        return slice(*map(asked, parts)) if are_asked(*parts) else at
    if type(at) is tuple:
        return tuple(map(asked, at)) if are_asked(*at) else at
    if not _is_one(at):
        return at
    return _as_int(call(slot(type(at), "__index__"), at))


def are_asked(*things: Any) -> bool:
    """Whether one of these stands for an int so, or has a part that does."""
    return any(map(_is_one, things))


def builtin(function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What a call becomes that asks its arguments for such an int, or for a length."""
    if function is operator.length_hint:
        kind = type(args[0])
        return None if slot(kind, "__len__") else _hint(slot(kind, "__length_hint__"))
    if function is operator.index and are_asked(*args):
        return asked
    if function is range and are_asked(*args):
        return lambda *bounds: call(range, *map(asked, bounds))
    return None


def _hint(function: Any) -> Callable[..., Any] | None:
    """`operator.length_hint` by a method of the user's, which may have none to give."""

    def hint(of: Any, default: int = 0) -> Any:
        found = call(function, of)
        return default if found is NotImplemented else found

    return None if function is None else hint


def _is_one(at: Any) -> bool:
    if type(at) is slice:
        return are_asked(at.start, at.stop, at.step)
    return slot(type(at), "__index__") is not None


def _as_int(answer: Any) -> Any:
    """What `__index__` gave, which Python wants to be an int of its own."""
    if kinds.is_mixed(answer):
        return kinds.split(_as_int, answer)
    is_int = isinstance(answer, int)
    if isinstance(answer, Tensor):
        dtype = answer.spec.dtype
        is_int = answer.spec.weak and dtype is not None and dtype.kind in "ib"
    if not is_int:
        raise TypeError(f"__index__ returned non-int (type {type_name(answer)})")
    return answer
