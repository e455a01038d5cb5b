"""sort_calls: NumPy's sorts of whole arrays, as LLVM's text."""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm import ends
from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.loops import Array, Instruction
from runtime.backends.llvm.objects import KEEP_ORDER


def write(text: Calls, one: Instruction) -> None:
    """NumPy's sort of a copy, or the indices that sort: `args`: axis and kind.

    `symbol` says how many positions are asked at the two ends, if only there.
    """
    axis, kind = one.args
    thing = text.there(text.box(one.values[0]))
    # NumPy says nothing of NaNs that it has compared.
    before = text.flags() if text.warns else ""
    if one.op == "argsort":
        sorts = f"call ptr @PyArray_ArgSort(ptr {thing}, i32 {axis}, i32 {kind})"
        made = _few(text, one, sorts) if one.symbol else text.set(sorts)
    else:
        inside = f"ptr {thing}, i32 {KEEP_ORDER}"
        made = text.there(text.set(f"call ptr @PyArray_NewCopy({inside})"))
        inside = f"ptr {made}, i32 {axis}, i32 {kind}"
        told = text.set(f"call i32 @PyArray_Sort({inside})")
        failed = text.set(f"icmp slt i32 {told}, 0")
        with text.seldom(failed):
            text.line(f"call void @Py_DecRef(ptr {made})")
            text.line("br label %ended")
    text.line(f"call void @Py_DecRef(ptr {thing})")
    if text.warns:
        text.put_flags(before)
    text.leave_without(made, one)
    text.keep_array(one, made)


def _few(text: Calls, one: Instruction, sorts: str) -> str:
    """The indices that are asked, in an array of all; NumPy's sort if that fails."""
    slot, failed, after = text.fresh(), text.fresh_label(), text.fresh_label()
    text.slots.append(f"{slot} = alloca ptr")
    (x,) = one.values
    assert isinstance(x, Array)
    made = text.there(text.new_array(np.dtype(np.intp), x.dims))
    text.line(f"store ptr {made}, ptr {slot}")
    told = ends.found(text, one, x, made)
    text.line(f"br i1 {told}, label %{after}, label %{failed}")
    text.label(failed)
    text.line(f"call void @Py_DecRef(ptr {made})")
    text.line(f"store ptr {text.set(sorts)}, ptr {slot}")
    text.to_label(after)
    return text.set(f"load ptr, ptr {slot}")
