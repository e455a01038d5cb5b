"""and_, or_, not_: what converted and, or, not call; later operands are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.objects import asked, negated
from autograph.operators.registry import staging_of
from tracer.choice import note_implied, note_opposite
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
        made: list[Any] = []

        def second() -> Any:
            made.append(and_(others[0](), *others[1:], state=state))
            return made[-1]

        result = staging.if_exp(decides, second, lambda: first, state)
        # If it is true, both are.
        note_implied(result, (decides, *made), is_true=True)
        return result
    return and_(others[0](), *others[1:], state=state) if decides else first


def or_(first: Any, *others: Callable[[], Any], state: State = EMPTY) -> Any:
    """`first or ...`: the first true operand, or the last one."""
    if not others:
        return first
    decides = asked(first)
    staging = staging_of(decides)
    if staging is not None:
        made: list[Any] = []

        def second() -> Any:
            made.append(or_(others[0](), *others[1:], state=state))
            return made[-1]

        result = staging.if_exp(decides, lambda: first, second, state)
        # If it is false, both are.
        note_implied(result, (decides, *made), is_true=False)
        return result
    return first if decides else or_(others[0](), *others[1:], state=state)


def not_(operand: Any) -> Any:
    """`not operand`."""
    decides = asked(operand)
    result = negated(decides)
    note_opposite(result, decides)
    return result
