"""placed_calls: functions that ask which line calls them, as logs do for `%(lineno)d`.

A graph calls them from a line of ours. They are called by a function that stands at the
line of the user's instead, under the name of the function that the line is in.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from runtime.location import here


def _call(function: Any, args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)


# Its one line is the next one.
_LINES = 1


def placed(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, called at the line of the user's source that is traced now."""
    place = here()
    if place is None:
        return function
    code = _call.__code__.replace(
        co_filename=place.filename,
        co_firstlineno=place.line - _LINES,
        co_name=place.function,
        co_qualname=place.function,
    )
    call = types.FunctionType(code, {"__name__": place.module})

    def called(*args: Any, **kwargs: Any) -> Any:
        return call(function, args, kwargs)

    called.__name__ = getattr(function, "__name__", called.__name__)
    return called
