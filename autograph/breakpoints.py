"""ag.breakpoint: stops in the debugger when the graph runs, with the values of then."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from runtime import build
from runtime.config import is_pdb_wanted
from runtime.location import here, user_frame
from runtime.ops import world
from runtime.ops.template import encode
from runtime.tensor import Tensor
from tracer.undefined import UNDEFINED, Maybe


def breakpoint(**values: Any) -> None:
    """Stop in the debugger each time the graph gets here, in its order.

    values: the names to see there, and what they hold; without any, all local names
    of the function. The debugger is the one that Python's `breakpoint()` would start;
    new values given to names there are not seen by the graph.
    """
    frame = user_frame(sys._getframe(1))
    if build.current() is not None:
        stage(values or (dict(frame.f_locals) if frame else {}))
    elif frame is not None:
        from runtime import debugger

        location = here()
        if is_pdb_wanted() or location is None:
            debugger.stop_at(frame)
        else:
            debugger.stop_with(dict(frame.f_locals), location, frame.f_globals)


def stage(names: Mapping[str, Any]) -> None:
    """A node of the trace that stops with what these names hold when it runs."""
    location, frame = here(), user_frame(sys._getframe(1))
    scope = frame.f_globals if frame else {}
    shown = {name: held for name, held in names.items() if _is_visible(held)}
    template, inputs = encode(shown, lambda part: isinstance(part, Tensor))

    def stop(values: dict[str, Any]) -> None:
        from runtime import debugger

        found = {name: _present(held) for name, held in values.items()}
        bound = {name: held for name, held in found.items() if held is not UNDEFINED}
        assert location is not None, "a program that is traced has lines"
        debugger.stop_with(bound, location, scope)

    stop.__name__ = stop.__qualname__ = "breakpoint"
    world.host_call(
        *inputs, function=stop, args=(template,), kwargs={}, results=(), writes=True
    )


def _is_visible(held: Any) -> bool:
    """False for what a name holds that is not bound, or no value of this point."""
    if held is UNDEFINED:
        return False
    frame = build.current()
    if frame is None or not isinstance(held, Tensor):
        return True
    return frame.sees(held.value) and not frame.is_stale(held)


def _present(held: Any) -> Any:
    """What a name that is bound on one path only holds on the path taken."""
    if isinstance(held, Maybe):
        return held.content if held.defined else UNDEFINED
    return held
