"""and_, or_, not_: what converted and, or, not call; later operands are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.registry import staging_of
from tracer.state import EMPTY, State


def and_(first: Any, *others: Callable[[], Any], state: State = EMPTY) -> Any:
    """`first and ...`: the first false operand, or the last one.

    state: the names that later operands bind
    """
    if not others:
        return first
    staging = staging_of(first)
    if staging is not None:
        return staging.if_exp(
            first,
            lambda: and_(others[0](), *others[1:], state=state),
            lambda: first,
            state,
        )
    return and_(others[0](), *others[1:], state=state) if first else first


def or_(first: Any, *others: Callable[[], Any], state: State = EMPTY) -> Any:
    """`first or ...`: the first true operand, or the last one."""
    if not others:
        return first
    staging = staging_of(first)
    if staging is not None:
        return staging.if_exp(
            first,
            lambda: first,
            lambda: or_(others[0](), *others[1:], state=state),
            state,
        )
    return first if first else or_(others[0](), *others[1:], state=state)


def not_(operand: Any) -> Any:
    """`not operand`."""
    staging = staging_of(operand)
    return (not operand) if staging is None else staging.not_(operand)
