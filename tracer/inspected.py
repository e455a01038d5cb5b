"""inspected: the machine code of a trace as text, with what its calls enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.backends.llvm.inspecting import (
    inspected,
    inspected_entry,
    require_stage,
)
from tracer.entries import how_run

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

__all__ = ["inspected_trace", "require_stage"]


def inspected_trace(concrete: ConcreteFunction, owner: Any, stage: str) -> str:
    """The text of the loops and other steps of a trace, then of what calls enter.

    owner: whose calls enter it: the Function, or the trace itself
    stage: see `runtime.backends.llvm.inspecting.inspected`
    """
    found = [inspected(concrete.compiled, stage)]
    trace = None if owner is concrete else concrete
    for key, run in owner._short.entries.copy().items():
        if key[0] is trace:
            asked, precise = how_run(concrete)
            found.append(inspected_entry(concrete.graph, asked, precise, run, stage))
    return "\n".join(filter(None, found))
