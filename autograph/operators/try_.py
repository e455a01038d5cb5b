"""try_stmt: what a converted `try` calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.registry import Body
from tracer import attempt, leaving
from tracer.exits import Exit
from tracer.state import State, state_of

# How a clause is passed: its types, its handler, and whether that is given a name.
Passed = tuple[Callable[[], Any] | None, Callable[[BaseException], Exit], bool]


def try_stmt(
    body: Body,
    clauses: Sequence[Passed],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
    k: int,
    orelse: Body | None = None,
    final: Body | None = None,
) -> Exit:
    """`try: body()` with `except` clauses, `else: orelse()` and `finally: final()`.

    names: the first `n` may change and are read after the try, or in its `finally`; the
    first `k` there, in a handler or in `else`
    """
    state = state_of(names, set_state, n)
    kept = state_of(names, set_state, k)

    def then(exit_: Exit) -> Exit:
        return leaving.after(exit_, orelse, state) if orelse else exit_

    def whole() -> Exit:
        if not clauses:
            return body()
        taken = [attempt.Clause(*clause) for clause in clauses]
        return attempt.attempt(body, taken, then, state, kept, body.__code__)

    if final is None:
        return whole()
    return _with_final(whole, final, state, kept)


def _with_final(whole: Body, final: Body, state: State, kept: State) -> Exit:
    def then(exit_: Exit) -> Exit:
        return leaving.after(final(), lambda: exit_, state)

    def failed(error: BaseException) -> Exit:
        def again() -> Exit:
            raise error

        return leaving.after(final(), again, state)

    everything = attempt.Clause(None, failed)
    return attempt.attempt(whole, [everything], then, state, kept, final.__code__)
