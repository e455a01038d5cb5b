"""while_stmt: what a converted `while` calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from autograph.operators.loops import UNROLLED_NODES, checkpoint, try_staged
from autograph.operators.objects import asked, truth
from autograph.operators.registry import Body, Staging, staging_of
from autograph.operators.tensors import TENSORS
from runtime.tensor import Tensor
from tracer.exits import BREAK, Exit, Return, StagedExit
from tracer.state import State, state_of, variables_of


def while_stmt(
    test: Callable[[], Any],
    body: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
    orelse: Body | None = None,
    stored: tuple[str, ...] = (),
) -> Exit:
    """`while test(): body()`, then `orelse()` unless left by a break.

    It runs as Python until the test, or the way out of the body, is staged; from there
    on the loop is. `stored` names what the body changes in place.
    """
    state = state_of(names, set_state, n, variables_of(body, stored))
    return repeat(test, body, state, orelse)


def repeat(
    test: Callable[[], Any], body: Body, state: State, orelse: Body | None = None
) -> Exit:
    """What `while_stmt` does, with the names as one state."""

    def decides() -> Any:
        return asked(test())

    def stage(staging: Staging = TENSORS) -> Exit:
        tells = decides if staging is not TENSORS else partial(_truth, decides)
        return staging.while_stmt(tells, body, state, orelse)

    start = checkpoint(state)
    if start is None:
        return _plain(test, body, orelse)
    may_stage = True
    while True:
        before = checkpoint(state)
        assert before is not None
        condition = decides()
        staging = staging_of(condition)
        if staging is None and not condition:
            return orelse() if orelse else None
        exit_ = body() if staging is None else None
        if staging is not None or type(exit_) is StagedExit:
            before.go_back()
            return stage(staging or TENSORS)
        if exit_ is BREAK or type(exit_) is Return:
            return exit_ if exit_ is not BREAK else None
        before.note_turn()
        if may_stage and start.nodes_since > UNROLLED_NODES:
            # Long: once more from the start, as a loop of the graph.
            may_stage, exit_ = try_staged(start, stage)
            if may_stage:
                return exit_
            # Refused and gone back: unroll it from the start, however long.


def _truth(decides: Callable[[], Any]) -> Any:
    # What is a list at first may be one whose length depends on data.
    value = decides()
    return value if isinstance(value, Tensor) else truth(value)


def _plain(test: Callable[[], Any], body: Body, orelse: Body | None) -> Exit:
    while test():
        exit_ = body()
        if exit_ is BREAK:
            return None
        if type(exit_) is Return:
            return exit_
    return orelse() if orelse else None
