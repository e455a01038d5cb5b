"""sort_calls: NumPy's sorts of whole arrays, as LLVM's text."""

from __future__ import annotations

from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.loops import Instruction
from runtime.backends.llvm.objects import KEEP_ORDER


def write(text: Calls, one: Instruction) -> None:
    """NumPy's sort of a copy, or the indices that sort: `args`: axis and kind."""
    axis, kind = one.args
    thing = text.there(text.box(one.values[0]))
    # NumPy says nothing of NaNs that it has compared.
    before = text.flags() if text.warns else ""
    if one.op == "argsort":
        inside = f"ptr {thing}, i32 {axis}, i32 {kind}"
        made = text.set(f"call ptr @PyArray_ArgSort({inside})")
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
