"""seldom: calls that go to Python again and again look for a graph ever more seldom.

To find out that no graph serves a call takes its signature, 30 to 300 us where lists of
lists are passed. A call like those before it, all of which were run as Python, is run
as Python without a look, and so are twice as many after each further look in vain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.config import config
from runtime.structs import struct
from tracer import log

# Looks in vain before any is left out, and calls at most that are made without one.
FIRST, MOST = 8, 64
# Kinds of calls that are remembered.
MOST_KNOWN = 1_000
# Constants: kinds of which all are taken to be alike here.
ALIKE = frozenset({bool, int, float, complex, str, bytes, type(None)})
_SIZED = frozenset({list, tuple, dict, set, frozenset, deque})


@struct(frozen=False)
class _Vain:
    """Looks in vain for calls of a kind, and calls that are to be made without one."""

    looks: int = 0
    left: int = 0
    why: str = ""


class Seldom:
    """What a Function knows of the calls that were run as Python."""

    def __init__(self) -> None:
        self._known: dict[Any, _Vain] = {}

    def why(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """Why a call is run as Python without a look; "" where it is looked at."""
        vain = self._known.get(_kind(args, kwargs)) if self._known else None
        if vain is None or not vain.left:
            return ""
        if config.strict and vain.why == log.REFUSED:
            return ""  # the look says what is raised
        vain.left -= 1
        return vain.why

    def note(self, args: Sequence[Any], kwargs: Mapping[str, Any], why: str) -> None:
        """A call was looked at, and is run as Python for a reason; "": by a graph."""
        if why in log.PASSING or not (why or self._known):
            return
        kind = _kind(args, kwargs)
        if not why:
            self._known.pop(kind, None)
            return
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        vain = self._known.setdefault(kind, _Vain())
        vain.looks, vain.why = vain.looks + 1, why
        if vain.looks >= FIRST:
            vain.left = min(2 ** (vain.looks - FIRST), MOST)


def _kind(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What calls have in common that are taken to be alike."""
    return (*map(like, args), *[(name, like(one)) for name, one in kwargs.items()])


def like(one: Any) -> Any:
    """The type of an argument, and its size; an object of the user's is itself."""
    kind = type(one)
    if kind in ALIKE:
        return kind
    if kind in _SIZED:
        return kind, len(one)
    return (kind, one.shape) if kind is np.ndarray else (kind, id(one))
