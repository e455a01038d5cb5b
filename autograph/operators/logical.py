"""and_, or_, not_: what converted and, or, not call; later operands are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.registry import staging_of


def and_(first: Any, *others: Callable[[], Any]) -> Any:
    """`first and ...`: the first false operand, or the last one."""
    left = first
    for position, other in enumerate(others):
        staging = staging_of(left)
        if staging is not None:
            rest = others[position + 1 :]
            return staging.if_exp(
                left, lambda: and_(other(), *rest), lambda: left
            )
        if not left:
            return left
        left = other()
    return left


def or_(first: Any, *others: Callable[[], Any]) -> Any:
    """`first or ...`: the first true operand, or the last one."""
    left = first
    for position, other in enumerate(others):
        staging = staging_of(left)
        if staging is not None:
            rest = others[position + 1 :]
            return staging.if_exp(left, lambda: left, lambda: or_(other(), *rest))
        if left:
            return left
        left = other()
    return left


def not_(operand: Any) -> Any:
    """`not operand`."""
    staging = staging_of(operand)
    return (not operand) if staging is None else staging.not_(operand)
