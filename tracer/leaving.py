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
from tracer.state import EMPTY, State

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
    whole = after(exit_, lambda: Return(None), EMPTY)
    return whole.content if isinstance(whole, Return) else None


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
    tag, content = tag_and_content(exit_)
    if not left:
        return orelse() if orelse else None
    if orelse is not None and possible & ON:
        out = make_exit(tag, left, content)
        return _forget_break(cond(tag < BREAKS, orelse, lambda: out, state))
    if possible & ON:
        exit_ = make_exit(tag, left | {NEXT}, content)
    return _forget_break(exit_)


def _forget_break(exit_: Exit) -> Exit:
    """A `break` has done its work when its loop has ended."""
    possible = tags_of(exit_)
    if BREAKS not in possible:
        return exit_
    if RETURNS not in possible:
        return None
    tag, content = tag_and_content(exit_)
    kept = choose(tag == RETURNS, lambda: RETURNS, lambda: NEXT)
    return make_exit(kept, (possible - {BREAKS}) | {NEXT}, content)
