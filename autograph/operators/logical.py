"""and_, or_, not_: what converted and, or, not call; later operands are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.objects import asked, negated
from autograph.operators.registry import staging_of
from tracer.state import EMPTY, State


def and_(first: Any, *others: Callable[[], Any], state: State = EMPTY) -> Any:
    """`first and ...`: the first false operand, or the last one.

    state: the names that later operands bind
    """
    if not others:
        return first
    decides = asked(first)
    staging = staging_of(decides)
    if staging is not None:
        return staging.if_exp(
            decides,
            lambda: and_(others[0](), *others[1:], state=state),
            lambda: first,
            state,
        )
    return and_(others[0](), *others[1:], state=state) if decides else first


def or_(first: Any, *others: Callable[[], Any], state: State = EMPTY) -> Any:
    """`first or ...`: the first true operand, or the last one."""
    if not others:
        return first
    decides = asked(first)
    staging = staging_of(decides)
    if staging is not None:
        return staging.if_exp(
            decides,
            lambda: first,
            lambda: or_(others[0](), *others[1:], state=state),
            state,
        )
    return first if decides else or_(others[0](), *others[1:], state=state)


def not_(operand: Any) -> Any:
    """`not operand`."""
    return negated(asked(operand))
