"""decorator: that of a def in the function, which is converted where it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.calls import converted_call
from runtime import build


def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
    """What Python calls with the function that is made; evaluated where it stands."""
    if build.current() is None:
        return function
    return lambda made: converted_call(function, (made,))
