"""generated: functions made of Python text for the way of each call."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

# A file of ours, for tracebacks.
_FILE = os.path.join(os.path.dirname(__file__), "<call>")


class Miss:
    """What a quick way gives for a call that it does not know."""


MISS = Miss()


def made(name: str, text: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function of this name that the text defines; the scope is its globals.

    >>> made("twice", "def twice(x):\\n    return n * x", {"n": 2})(3)
    6
    """
    exec(_compiled(text), scope)
    # Its globals do not hold it, so it goes with its last user.
    function: Callable[..., Any] = scope.pop(name)
    return function


@lru_cache(maxsize=500)
def _compiled(text: str) -> CodeType:
    """Functions of one form share one code."""
    return compile(text, _FILE, "exec", dont_inherit=True)
