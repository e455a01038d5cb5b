"""sets: what is asked of the sets of the user's, beside what all containers know."""

from __future__ import annotations

from typing import Any

from runtime import build
from runtime.errors import OnlyPythonError, located


def require_own(members: set[Any]) -> None:
    """Before an item is popped. OnlyPythonError: the set is from outside.

    Which one it gives depends on those that it has given before, which shows nowhere.
    """
    frame = build.current()
    if frame is not None and id(members) in frame.trace.holding:
        raise located(
            OnlyPythonError("which item a set from outside gives is not staged"),
            "Take the items of a sorted list, or make the set in the function.",
        )
