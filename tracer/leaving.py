"""leaving: what happens after a statement or an iteration that may have been left."""

from __future__ import annotations

from typing import Any

from tracer.cond import Body, choose, cond, make_exit, tag_and_content
from tracer.exits import (
    BREAKS,
    CONTINUES,
    NEXT,
    RETURNS,
    Exit,
    Return,
    StagedExit,
    tags_of,
)
from tracer.state import State

ON = frozenset({NEXT, CONTINUES})


def after(exit_: Exit, rest: Body, state: State) -> Exit:
    """Go on with `rest` unless `exit_` has left already."""
    if exit_ is None:
        return rest()
    if not isinstance(exit_, StagedExit) or NEXT not in exit_.possible:
        return exit_
    left = make_exit(exit_.tag, exit_.possible - {NEXT}, exit_.content)
    return cond(exit_.tag == NEXT, rest, lambda: left, state)


def returned(exit_: Exit) -> Any:
    """What a function returns whose last statement was left so; None at its end."""
    if not isinstance(exit_, StagedExit):
        return exit_.content if isinstance(exit_, Return) else None
    if RETURNS not in exit_.possible:
        return None
    value = make_exit(exit_.tag, frozenset({RETURNS}), exit_.content)
    assert isinstance(value, Return)
    if exit_.possible == {RETURNS}:
        return value.content
    return choose(exit_.tag == RETURNS, lambda: value.content, lambda: None)


def go_on(exit_: Exit, body: Body, state: State) -> Exit:
    """The next iteration of an unrolled loop, unless the last one left the loop."""
    possible = tags_of(exit_)
    if not possible - ON:
        return body()
    if not possible & ON:
        return exit_
    tag, content = tag_and_content(exit_)
    left = make_exit(tag, possible - ON, content)
    return cond(tag < BREAKS, body, lambda: left, state)


def end_loop(exit_: Exit, orelse: Body | None, state: State) -> Exit:
    """The exit of a whole loop whose last body ended so; runs its else, if any."""
    possible = tags_of(exit_)
    left = possible - ON
    if orelse is None or not possible & ON:
        return _out_of_loop(exit_)
    if not left:
        return orelse()
    tag, content = tag_and_content(exit_)
    out = _out_of_loop(make_exit(tag, left, content))
    return cond(tag < BREAKS, orelse, lambda: out, state)


def _out_of_loop(exit_: Exit) -> Exit:
    """What `break` and `continue` meant has been done when their loop has ended."""
    possible = tags_of(exit_)
    inside = possible & {NEXT, CONTINUES, BREAKS}
    if not possible - inside:
        return None
    if inside <= {NEXT}:
        return exit_
    tag, content = tag_and_content(exit_)
    kept = choose(tag <= BREAKS, lambda: NEXT, lambda: tag)
    return make_exit(kept, (possible - inside) | {NEXT}, content)
