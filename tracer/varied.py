"""varied: what is done to a container that holds one of several contents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime.build import require_current
from tracer.choice import Choice, all_options, tag_of, varying
from tracer.exits import Exit
from tracer.iterated import Iterated
from tracer.picking import each, each_body
from tracer.places import ContainerSlot, created
from tracer.state import State


def with_each(container: Any, operation: Callable[[], Any]) -> Any:
    """`operation()` with the container holding the one that it is, in a branch each."""
    content = varying(container)
    if content is None:
        return operation()
    inner = partial(with_each, container, operation)
    return each(content, partial(_with_option, container, inner))


def with_each_body(container: Any, body: Callable[[], Exit], state: State) -> Exit:
    """As `with_each`, for statements."""
    content = varying(container)
    if content is None:
        return body()
    inner = partial(with_each_body, container, body, state)
    return each_body(content, partial(_with_option, container, inner), state)


def with_all(containers: tuple[Any, ...], operation: Callable[[], Any]) -> Any:
    """`operation()` with each of the containers that vary holding the one it is."""
    for container in containers:
        if varying(container) is not None:
            return with_each(container, lambda: with_all(containers, operation))
    return operation()


# What gives items of a container one by one, when it is asked.
_LAZY: tuple[Any, ...] = (map, filter, zip, enumerate, reversed, iter)


def at_once(function: Any, result: Any) -> Any:
    """What a call gave, with its items taken while a container holds the one it is.

    What the graph goes through knows the container by what it was then.
    """
    is_lazy = any(function is lazy for lazy in _LAZY)
    is_python = is_lazy and not isinstance(result, Iterated)
    return created([*result]) if is_python else result


def view(container: Any, name: str) -> Any:
    """`d.keys()` and the like, of what the dict holds now."""
    content = varying(container)
    assert content is not None
    options = [getattr(dict(option), name)() for option in all_options(content)]
    return Choice(tag_of(content), options)


def _with_option(container: Any, operation: Callable[[], Any], option: Any) -> Any:
    """`operation()` with the container holding `option`.

    One that it only asks is as it was: what it holds is not to be joined anew.
    """
    slot, frame = ContainerSlot(container), require_current("a container")
    at = len(frame.changes)
    slot.change(frame, option)
    before, held = frame.changes[at][1], slot.get()
    result = operation()
    if slot.holds(held) and frame.changes[at][0] is slot:
        slot.set(before)
        # What was put into it and was there already is no change either.
        frame.changes[at:] = [one for one in frame.changes[at:] if one[0] != slot]
    return result
