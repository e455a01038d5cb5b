"""engine: objects of LLVM's text, bytes that hold no address of this process.

What is the same text becomes the same object. `linking.py` makes machine code of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import newpassmanagers

from runtime.backends.llvm import beside, chosen, orders, unguessed
from runtime.backends.llvm.beside import LLVM
from runtime.backends.llvm.flags import FLAGS
from runtime.backends.llvm.loop_notes import PARALLEL
from runtime.backends.llvm.machine import new_machine
from runtime.backends.llvm.mathematics import PREFIX
from runtime.backends.llvm.polling import POLL
from runtime.backends.llvm.text import ELEMENTS, VECTORS
from runtime.backends.llvm.versions import INLINED, LEVEL, PASSES, THREADED


def image_of(text: str) -> bytes:
    """The object that LLVM makes of a text. Abandoned: it is to be made later."""
    with LLVM:
        module = llvm.parse_assembly(text)
        module.verify()
        beside.go_on()
        module = _optimized(module, text)
        beside.go_on()
        made: bytes = _machine().emit_object(module)
        return made


@functools.cache
def _machine() -> Any:
    """What makes objects for this machine."""
    return new_machine()


def _optimized(module: Any, text: str) -> Any:
    """The module after the passes that this kind of text needs."""
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.loop_vectorization = _is_parallel(text)
    # A vector may do more than is asked for, which the processor would note.
    options.slp_vectorization = orders.ASKS not in text
    options.loop_interleaving = options.loop_unrolling = False
    builder = llvm.create_pass_builder(_machine(), options)
    _pass_over(module, text, builder)
    rewrites: list[Callable[[str], str]] = []
    if chosen.may_leave_out(text):
        rewrites.append(chosen.fenced)
    if PREFIX in text:
        # Functions of our own choose between what NumPy never sees.
        module, rewrites = _rewritten(module, rewrites), []
        # Vectors have been made by now, which call what is to stand in the loops.
        _run(module, builder, _passes(INLINED))
    if orders.may_note(text):
        rewrites.append(orders.unnoted)
    if POLL in text:
        rewrites.append(unguessed.unguessed)
    return _rewritten(module, rewrites)


def _is_parallel(text: str) -> bool:
    """Whether LLVM is to make vectors of its loops."""
    return PARALLEL in text or VECTORS in text


def _pass_over(module: Any, text: str, builder: Any) -> None:
    """Run the passes that this kind of text needs, before any of it is rewritten."""
    is_whole = _is_parallel(text) or ELEMENTS in text
    if is_whole and FLAGS in text:
        # This level has no such pass. Of other loops it makes jumps of what would be
        # a choice (the distance of two texts: 1.25 times as long).
        _run(module, builder, _passes(THREADED))
    if is_whole:
        _run(module, builder, builder.getModulePassManager())
    else:
        _run(module, builder, _passes(PASSES))


def _rewritten(module: Any, rewrites: list[Callable[[str], str]]) -> Any:
    """The module with its text written anew."""
    if not rewrites:
        return module
    found = text = str(module)
    for rewrite in rewrites:
        text = rewrite(text)
    return module if text == found else llvm.parse_assembly(text)


def _passes(names: Iterable[str]) -> Any:
    """What runs some passes, one after the other."""
    manager = newpassmanagers.create_new_module_pass_manager()
    for name in names:
        getattr(manager, f"add_{name}_pass")()
    return manager


def _run(module: Any, builder: Any, manager: Any) -> None:
    manager.run(module, builder)
    # Of its two bases llvmlite asks the one that frees nothing: 50 KB for each module.
    newpassmanagers.NewPassManager._dispose(manager)
    manager.detach()


# --- as text --------------------------------------------------------------------------
def optimized(text: str) -> str:
    """LLVM's text after its passes."""
    with LLVM:
        return str(_optimized(llvm.parse_assembly(text), text))


def assembly(text: str) -> str:
    """The machine's instructions as text."""
    with LLVM:
        module = _optimized(llvm.parse_assembly(text), text)
        return str(_machine().emit_assembly(module))
