"""assert_stmt: what a converted assert calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.objects import asked
from autograph.operators.registry import staging_of
from tracer.state import EMPTY, State


def assert_stmt(
    condition: Any,
    message: Callable[[], Any] | None = None,
    state: State = EMPTY,
) -> None:
    """`assert condition, message()`; staged when the condition is."""
    condition = asked(condition)
    staging = staging_of(condition)
    if staging is not None:
        staging.assert_stmt(condition, message, state)
    elif not condition:
        raise AssertionError(*([] if message is None else [message()]))
