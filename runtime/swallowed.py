"""swallowed: refusals that code which is not converted has caught.

It asks a tensor for its value, catches the TypeError, as one of something that is no
number, and goes on or raises its own. What it does then is not what it does of a value:
the call is refused when it comes back. What converted code catches is not looked at
here: no handler of it sees a refusal.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from runtime.errors import StagingError


class _Open(threading.local):
    """The refusals of the innermost call that `unless_refused` makes, if any does."""

    refusals: list[StagingError] | None = None


_open = _Open()
_OURS = frozenset({"autograph", "runtime", "tracer"})


def unless_refused(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """`function(*args, **kwargs)` of what is not converted.

    StagingError: the first refusal that it has met and caught; what it raises instead
    has that as its cause
    """
    around, refusals = _open.refusals, list[StagingError]()
    _open.refusals = refusals
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        if refusals and not isinstance(error, StagingError):
            error.__cause__ = refusals[0]  # see `require_no_refusal`
        raise
    finally:
        _open.refusals = around
    if refusals:
        raise refusals[0]
    return result


def note(error: StagingError) -> None:
    """Keep a refusal of what code that is not converted asks of a tensor.

    Ours asks as well, and then goes another way.
    """
    if _open.refusals is None:
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_tensors(frame.f_globals["__name__"]):
        frame = frame.f_back
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if package not in _OURS or frame.f_code is unless_refused.__code__:
        _open.refusals.append(error)


def _is_tensors(module: str) -> bool:
    return module in ("runtime.operators", "runtime.tensor", "runtime.objects")
