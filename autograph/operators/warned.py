"""warned: `warnings.warn`, by each run, at the line that Python names.

Which line that is the trace knows: the one that warns, or, by `stacklevel`, one that
called it. What called the decorated function is found by the run.
"""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.location import Location, here, user_frame
from runtime.spec import object_type
from runtime.tensor import Tensor
from tracer.tree import holds_tensor

Warn = Callable[..., None]


def warner(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Warn | None:
    """What warns as such a call does in this place; None where no graph can say it."""
    frame = build.require_current("a warning")
    message, *others = args or (kwargs.get("message"),)
    if not _is_text(message) or holds_tensor((others, {**kwargs, "message": None})):
        return None
    if kwargs.keys() - {"message", "category", "stacklevel", "source"}:
        return None
    calls = [call.location for call in reversed(frame.trace.called)]
    places = [place for place in (here(), *calls) if place is not None]
    return _Warner(places) if len(places) == len(calls) + 1 else None


def _is_text(message: Any) -> bool:
    """Whether it is a text, of the run or not, of which a warning is made."""
    if isinstance(message, Tensor):
        return object_type(message.spec) is str
    return type(message) is str


class _Warner:
    """`warnings.warn`, called from the first of these places."""

    def __init__(self, places: list[Location]) -> None:
        self._places = places

    def __call__(
        self,
        message: Any,
        category: Any = None,
        stacklevel: int = 1,
        source: Any = None,
    ) -> None:
        category = UserWarning if category is None else category
        if not (isinstance(category, type) and issubclass(category, Warning)):
            # TypeError, in Python's own words.
            warnings.warn(message, category, stacklevel=1)
        level = max(stacklevel, 1) - 1
        if level < len(self._places):
            place = self._places[level]
            module = sys.modules.get(place.module)
            found = place.filename, place.line, vars(module) if module else {}
        else:
            found = _place_of(_caller(level - len(self._places)))
        name, line, own = found
        registry = own.setdefault("__warningregistry__", {})
        module_name = own.get("__name__") or "<string>"
        warnings.warn_explicit(
            message, category, name, line, module_name, registry, own, source
        )


def _caller(level: int) -> types.FrameType | None:
    """The frame that called the decorated function, or one further out."""
    frame = user_frame(sys._getframe(2))
    while level > 0 and frame is not None:
        frame, level = frame.f_back, level - 1
    return frame


def _place_of(frame: types.FrameType | None) -> tuple[str, int, dict[str, Any]]:
    if frame is None:
        return "<sys>", 0, vars(sys)
    return frame.f_code.co_filename, frame.f_lineno, frame.f_globals
