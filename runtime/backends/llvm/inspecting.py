"""inspecting: the machine code of a compiled graph as text, at each of its stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import engine
from runtime.backends.llvm.hot import Compilable
from runtime.backends.llvm.loops import Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.values import NotLowered


def inspected(run: Callable[..., Any], stage: str) -> str:
    """The text of all that is, or can become, machine code in a compiled graph.

    stage: "loops", the loop IR; "llvm", its text for LLVM as it is optimized; "asm"
    ValueError: there is no such stage
    """
    write = _STAGES.get(stage)
    if write is None:
        stages = ", ".join(map(repr, _STAGES))
        raise ValueError(f"the stages of machine code are {stages}, not {stage!r}")
    held = getattr(run, "__globals__", {}).values()
    parts = [part for part in held if isinstance(part, Compilable)]
    return "\n".join(_text(part, write) for part in parts)


def _text(part: Compilable, write: Callable[[Function, Lowering], str]) -> str:
    place = part.span.steps[0].node.location
    head = f"; {type(part).__name__} at {place}, "
    try:
        lowering, function = part.lowered()
        text = write(function, lowering)
    except NotLowered as reason:
        return f"{head}run by Python: {reason}\n"
    return (
        f"{head}{'not compiled yet' if part.function is None else 'compiled'}\n{text}"
    )


def _loops(function: Function, lowering: Lowering) -> str:
    return str(function)


def _llvm(function: Function, lowering: Lowering) -> str:
    return engine.optimized(Text(function, lowering.outside).write())


def _asm(function: Function, lowering: Lowering) -> str:
    return engine.assembly(Text(function, lowering.outside).write())


_STAGES = {"loops": _loops, "llvm": _llvm, "asm": _asm}
