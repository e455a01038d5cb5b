"""swallowed: refusals that code which is not converted has caught.

It asks a tensor for its value, catches the TypeError, as one of something that is no
number, and goes on or raises its own. What it does then is not what it does of a value,
so nothing comes of the trace: the refusal is raised at its end. What converted code
catches needs no look: no handler of it sees a refusal.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

from runtime.errors import StagingError


class _Open(threading.local):
    """What was refused in the innermost trace that is made, if any is."""

    refused: list[StagingError] | None = None


_open = _Open()
_OURS = frozenset({"autograph", "runtime", "tracer"})


def note(error: StagingError) -> None:
    """Keep a refusal of what a tensor was asked: the end shows who has caught it."""
    if _open.refused is not None:
        _open.refused.append(error)


class Watch:
    """A block whose refusals reach its end, or are caught by ours, which know why.

    StagingError: the first that somebody else has caught
    """

    def __enter__(self) -> None:
        self.around, _open.refused = _open.refused, []

    def __exit__(self, kind: Any, error: Any, traceback: TracebackType | None) -> None:
        refused, _open.refused = _open.refused or [], self.around
        if kind is not None and not issubclass(kind, Exception):
            return  # a word for ours, to trace it once more
        lost = [one for one in refused if one is not error and _is_lost(one)]
        for one in refused:
            if one is not error:
                one.__traceback__ = None  # which holds what was called
        refuses = isinstance(error, StagingError) and not error.bars_python()
        if lost and not refuses:
            raise lost[0] from None


def _is_lost(error: StagingError) -> bool:
    """Whether it has not come as far as to a handler of ours.

    A traceback begins in the frame that has caught it, or, where C has, in the method
    that was asked; there may be none then.
    """
    if error.__traceback__ is None:
        return True
    frame = error.__traceback__.tb_frame
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package not in _OURS or frame.f_code.co_name.startswith("__")
