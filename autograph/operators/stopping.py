"""stopping: the body of a generator while tracing, which no StopIteration leaves.

Python makes a RuntimeError of one that the body raises itself. One that the loop over
the generator raises is the loop's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from tracer.emitting import Emit
from tracer.exits import Exit


def run_generator(run: Callable[[Emit, bool], Any], emit: Emit, collects: bool) -> Any:
    """`run(emit, collects)`. RuntimeError: the body has raised a StopIteration."""
    trace = build.require_current("a generator").trace
    of_loop: list[StopIteration] = []
    before = trace.generator

    def emit_outside(item: Any) -> Exit:
        inside, trace.generator = trace.generator, before
        try:
            return emit(item)
        except StopIteration as error:
            of_loop.append(error)
            raise
        finally:
            trace.generator = inside

    trace.generator = len(trace.guards)
    try:
        return run(emit_outside, collects)
    except StopIteration as error:
        if any(one is error for one in of_loop):
            raise
        raise RuntimeError("generator raised StopIteration") from error
    finally:
        trace.generator = before
