"""if_stmt: what a converted `if` calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.objects import asked
from autograph.operators.registry import Body, staging_of
from tracer import leaving
from tracer.exits import Exit, StagedExit
from tracer.state import State, state_of


def if_stmt(
    condition: Any,
    body: Body,
    orelse: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
) -> Exit:
    """`if condition: body() else: orelse()`; staged when the condition is.

    body, orelse: run a branch, set the names by `nonlocal`, return an exit or None
    get_state, set_state: read and write the names; called only when staging
    names: the first `n` may change and are read after the if; the others are only read
    in a branch that the other branch must not touch
    """
    condition = asked(condition)
    staging = staging_of(condition)
    if staging is None:
        return body() if condition else orelse()
    state = state_of(names, set_state, n)
    return staging.if_stmt(condition, body, orelse, state)


def nothing() -> None:
    """The else of an `if` that has none."""


def branch(condition: Any, body: Body, orelse: Body, state: State) -> Exit:
    """What `if_stmt` does, with the names as one state."""
    staging = staging_of(condition)
    if staging is None:
        return body() if condition else orelse()
    return staging.if_stmt(condition, body, orelse, state)


def after(
    exit_: Exit,
    rest: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
) -> Exit:
    """What follows a statement that may have been left: `rest()`, or the exit."""
    if exit_ is None:
        return rest()
    if type(exit_) is not StagedExit:
        return exit_
    return leaving.after(exit_, rest, state_of(names, set_state, n))


def returned(exit_: Exit) -> Any:
    """What the user's function returns, given how its last statement was left."""
    return leaving.returned(exit_)
