"""part_text: the objects of parts of arrays that branches and loops have given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.llvm import abi
from runtime.backends.llvm.loops import Array, Operand

if TYPE_CHECKING:
    from runtime.backends.llvm.objects import Objects

Pairs = list[tuple[str, str, str]]


def box_part(text: Objects, value: Array, owner: str) -> str:
    """A view of the array that owns the memory; the array itself, where it is that.

    What lies as another one of the same tuple is that one: `last = now` of a loop. Two
    views that are taken alike are one then, too.
    """
    if not value.may_be_whole:
        return text.box_view(value, owner)
    made, after = text.fresh(), text.fresh_label()
    text.slots.append(f"{made} = alloca ptr")
    there = [(_is_all(text, value, owner), owner)]
    there += [
        (_are_alike(text, value, other), thing)
        for other, thing in text.parts
        if other.dtype == value.dtype and len(other.dims) == len(value.dims)
    ]
    for test, thing in there:
        same, others = text.fresh_label(), text.fresh_label()
        text.line(f"br i1 {test}, label %{same}, label %{others}")
        text.label(same)
        text.line(f"call void @Py_IncRef(ptr {thing})")
        text.line(f"store ptr {thing}, ptr {made}")
        text.line(f"br label %{after}")
        text.label(others)
    text.line(f"store ptr {text.box_view(value, owner)}, ptr {made}")
    text.to_label(after)
    found = text.set(f"load ptr, ptr {made}")
    text.parts.append((value, found))
    return found


def _are_alike(text: Objects, value: Array, other: Array) -> str:
    pairs: Pairs = []
    for one, two in zip(_words(value), _words(other), strict=True):
        kind = "ptr" if one is value.object or one is value.data else "i64"
        pairs.append((text.read(one, kind), text.read(two, kind), kind))
    return _are_equal(text, pairs)


def _words(array: Array) -> tuple[Operand, ...]:
    return array.object, array.data, *array.dims, *array.strides


def _is_all(text: Objects, value: Array, owner: str) -> str:
    """Whether an array is of the dtype of the one that owns it, and lies as it does."""
    kinds = [
        (text.field(owner, abi.DATA, "ptr"), text.read(value.data, "ptr"), "ptr"),
        (text.field(owner, abi.DESCR, "ptr"), text.descr(value.dtype), "ptr"),
        (text.field(owner, abi.RANK, "i32"), str(len(value.dims)), "i32"),
    ]
    made, axes, after = text.fresh(), text.fresh_label(), text.fresh_label()
    text.slots.append(f"{made} = alloca i1")
    found = _are_equal(text, kinds)
    text.line(f"store i1 {found}, ptr {made}")
    text.line(f"br i1 {found}, label %{axes}, label %{after}")
    text.label(axes)
    pairs: Pairs = []
    for place, operands in ((abi.DIMS, value.dims), (abi.STRIDES, value.strides)):
        table = text.field(owner, place, "ptr")
        for axis, operand in enumerate(operands):
            held = text.field(table, 8 * axis, "i64")
            pairs.append((held, text.read(operand, "i64"), "i64"))
    text.line(f"store i1 {_are_equal(text, pairs)}, ptr {made}")
    text.to_label(after)
    return text.set(f"load i1, ptr {made}")


def _are_equal(text: Objects, pairs: Pairs) -> str:
    found = "true"
    for one, other, kind in pairs:
        same = text.set(f"icmp eq {kind} {one}, {other}")
        found = text.set(f"and i1 {found}, {same}")
    return found
