"""inspecting: the machine code of a compiled graph as text, at each of its stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import engine
from runtime.backends.llvm.entry import Entry
from runtime.backends.llvm.hot import Compilable
from runtime.backends.llvm.loops import Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.regions import Asked
from runtime.graph import Graph


def inspected(run: Callable[..., Any], stage: str) -> str:
    """The text of all that is, or can become, machine code in a compiled graph.

    stage: "loops", the loop IR; "llvm", its text for LLVM as it is optimized; "asm"
    ValueError: there is no such stage
    """
    write = _writer(stage)
    held = getattr(run, "__globals__", {}).values()
    parts = [part for part in held if isinstance(part, Compilable)]
    return "\n".join(_text(part, write, part.is_made) for part in parts)


def inspected_entry(
    graph: Graph, asked: Asked, precise: bool, run: Any, stage: str
) -> str:
    """The text of the machine code that calls enter, written once more.

    run: what they enter; graph: what it is made of
    """
    made = Entry(graph, asked, run.__self__.form, precise)
    try:
        return _text(made, _writer(stage), True)
    finally:
        made.release()


Write = Callable[[Compilable, Lowering, Function], str]


def require_stage(stage: str) -> None:
    """ValueError: there is no such stage."""
    if stage not in _STAGES:
        stages = ", ".join(map(repr, _STAGES))
        raise ValueError(f"the stages of machine code are {stages}, not {stage!r}")


def _writer(stage: str) -> Write:
    require_stage(stage)
    return _STAGES[stage]


def _text(part: Compilable, write: Write, is_compiled: bool) -> str:
    place = part.span.steps[0].node.location
    head = f"; {type(part).__name__} at {place}, "
    try:
        lowering, function = part.lowered()
        text = write(part, lowering, function)
    except NotLowered as reason:
        return f"{head}run by Python: {reason}\n"
    return f"{head}{'compiled' if is_compiled else 'not compiled yet'}\n{text}"


def _loops(part: Compilable, lowering: Lowering, function: Function) -> str:
    return str(function)


def _llvm(part: Compilable, lowering: Lowering, function: Function) -> str:
    return engine.optimized(part.text(lowering, function).write())


def _asm(part: Compilable, lowering: Lowering, function: Function) -> str:
    return engine.assembly(part.text(lowering, function).write())


_STAGES: dict[str, Write] = {"loops": _loops, "llvm": _llvm, "asm": _asm}
