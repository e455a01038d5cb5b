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
from runtime.numpy_api.indexing import INVALID
from runtime.tensor import Tensor

_BY_INT = (list, tuple, str, bytes, bytearray, range, deque)
_BY_SEVERAL = (np.ndarray, Tensor)
_Refusal = Callable[[str], Exception]


def of_key(of: Any, at: Any) -> Any:
    """A key of `of`, the objects in it asked for the ints that they stand for."""
    if isinstance(of, _BY_SEVERAL):
        return tuple(map(_of_axis, at)) if type(at) is tuple else _of_axis(at)
    return asked(at) if isinstance(of, _BY_INT) else at


def _of_axis(at: Any) -> Any:
    return asked(at) if type(at) is slice else _int_of(at, _no_index)


def _no_index(_: str) -> Exception:
    return IndexError(INVALID)


def asked(at: Any) -> Any:
    """The int that an object stands for; of a slice, with those of its parts.

    TypeError: its `__index__` gives no int
    """
    if type(at) is slice and are_asked(at.start, at.stop, at.step):
        step, start, stop = map(asked, (at.step, at.start, at.stop))  # as C asks them
        return slice(start, stop, step)
    return _int_of(at, _no_int)


def _int_of(at: Any, refusal: _Refusal) -> Any:
    if not _is_one(at):
        return at
    return _as_int(call(slot(type(at), "__index__"), at), refusal)


def _no_int(kind: str) -> Exception:
    return TypeError(f"__index__ returned non-int (type {kind})")


def are_asked(*things: Any) -> bool:
    """Whether one of these stands for an int so."""
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
        if found is NotImplemented:
            return default
        found = _as_int(found, _no_length)
        if isinstance(found, int) and found < 0:
            raise ValueError("__length_hint__() should return >= 0")
        return found

    return None if function is None else hint


def _is_one(at: Any) -> bool:
    """Whether it stands for an int and is none, which C would take as it is."""
    return not isinstance(at, int) and slot(type(at), "__index__") is not None


def _no_length(kind: str) -> Exception:
    return TypeError(f"__length_hint__ must be an integer, not {kind}")


def _as_int(answer: Any, refusal: _Refusal) -> Any:
    """What a method gave, which Python wants to be an int of its own.

    refusal: makes the error of a type of another name
    """
    if kinds.is_mixed(answer):
        return kinds.split(lambda one: _as_int(one, refusal), answer)
    is_int = isinstance(answer, int)
    if isinstance(answer, Tensor):
        dtype = answer.spec.dtype
        is_int = answer.spec.weak and dtype is not None and dtype.kind in "ib"
    if not is_int:
        raise refusal(type_name(answer))
    return answer
