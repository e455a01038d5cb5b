"""match_stmt: what a converted `match` calls, case after case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from autograph.operators.logical import and_
from autograph.operators.objects import asked
from autograph.operators.patterns import Pattern, Taken
from autograph.operators.registry import staging_of
from runtime.structs import struct
from tracer.choice import Choice
from tracer.exits import Exit
from tracer.picking import each_body
from tracer.state import State, state_of
from tracer.words import Words

CASE_WORDS = Words(
    "after this case",
    "after the cases that follow it",
    "A graph needs one kind of value for {name}: make every case give the same",
    ", or use another name in one of them.",
)


@struct
class Case:
    """One case; its functions are given what the pattern captured, if it has names."""

    pattern: Pattern
    names: tuple[str, ...]
    body: Callable[..., Exit]
    guard: Callable[..., Any] | None = None

    def test(self, subject: Any, state: State) -> tuple[Any, Callable[[], Exit]]:
        """Whether the case is taken, and its body."""
        taken = Taken(self.names)
        matches = self.pattern.matches(subject, taken)

        def run(function: Callable[..., Any]) -> Any:
            return function(taken.contents()) if self.names else function()

        guard = self.guard
        if guard is not None:
            matches = and_(matches, lambda: run(guard), state=state)
        return matches, lambda: run(self.body)


def match_stmt(
    subject: Any,
    cases: tuple[Case, ...],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
) -> Exit:
    """`match subject: cases`; a case that depends on data has the others in its else.

    names: the first `n` may change and are read after the match, or after a guard
    """
    state = state_of(names, set_state, n)
    if type(subject) is Choice:
        return each_body(subject, lambda option: _match(option, cases, state), state)
    return _match(subject, cases, state)


def _match(subject: Any, cases: tuple[Case, ...], state: State) -> Exit:
    for index, case in enumerate(cases):
        condition, body = case.test(subject, state)
        condition = asked(condition)
        staging = staging_of(condition)
        if staging is not None:
            others = partial(_match, subject, cases[index + 1 :], state)
            return staging.if_stmt(condition, body, others, state, CASE_WORDS)
        if condition:
            return body()
    return None
