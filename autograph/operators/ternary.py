"""if_exp: what a converted conditional expression calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.objects import asked
from autograph.operators.registry import staging_of
from tracer.state import EMPTY, State


def if_exp(
    condition: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    state: State = EMPTY,
) -> Any:
    """`body() if condition else orelse()`; staged when the condition is."""
    condition = asked(condition)
    staging = staging_of(condition)
    if staging is None:
        return body() if condition else orelse()
    return staging.if_exp(condition, body, orelse, state)
