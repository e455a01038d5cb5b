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
from tracer import log
from tracer.in_vain import InVain

# Kinds of calls that are remembered.
MOST_KNOWN = 1_000
# Constants: kinds of which all are taken to be alike here.
ALIKE = frozenset({bool, int, float, complex, str, bytes, type(None)})
_SIZED = frozenset({list, tuple, dict, set, frozenset, deque})


class _Vain(InVain):
    """Looks in vain for calls of a kind; why: the last one was."""

    __slots__ = ("why",)

    def __init__(self) -> None:
        super().__init__()
        self.why = ""


class Seldom:
    """What a Function knows of the calls that were run as Python."""

    def __init__(self) -> None:
        self._known: dict[Any, _Vain] = {}

    def why(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """Why a call is run as Python without a look; "" where it is looked at."""
        vain = self._known.get(_kind(args, kwargs)) if self._known else None
        if vain is None:
            return ""
        if config.strict and vain.why == log.REFUSED:
            return ""  # the look says what is raised
        return vain.why if vain.leaves_out() else ""

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
        vain.why = why
        vain.note(found=False)


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
