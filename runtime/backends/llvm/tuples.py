"""tuples: values put into tuples of Python's objects, for Python and for results.

A long program has hundreds of ways out, and each hands on all that is alive, which are
things of few kinds. So each kind has a function that makes an object and puts it into
its place: a line of text for a value, which LLVM soon has looked through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from runtime.backends.llvm.loops import (
    Array,
    Local,
    Number,
    Operand,
    Referred,
    TypedList,
    Value,
)
from runtime.backends.llvm.objects import Objects
from runtime.backends.llvm.values import machine_type

_PUT = """
define internal void @put(ptr %tuple, i64 %place, ptr %thing) noinline {
  call void @Py_IncRef(ptr %thing)
  call i32 @PyTuple_SetItem(ptr %tuple, i64 %place, ptr %thing)
  ret void
}
"""
_PUT_NUMBER = """
define internal i1 @put_{kind}(i1 %lacks, ptr %tuple, i64 %place, {kind} %number) \
noinline {{
  %thing = call ptr @{maker}({kind} %number)
  call i32 @PyTuple_SetItem(ptr %tuple, i64 %place, ptr %thing)
  %none = icmp eq ptr %thing, null
  %lacks_one = or i1 %lacks, %none
  ret i1 %lacks_one
}}
"""
_MAKERS = {"i64": "PyLong_FromLongLong", "double": "PyFloat_FromDouble"}


class Tuples(Objects):
    """The text, with what makes tuples."""

    def tuple(
        self, values: Sequence[Value], *first: str, owned: Iterable[Operand] = ()
    ) -> str:
        """A tuple of objects; `first` are some that are made already.

        owned: objects of which the text lets go, which may be those of the values
        """
        count = len(values) + len(first)
        made = self.there(self.set(f"call ptr @PyTuple_New(i64 {count})"))
        own = Counter(thing for thing in owned if isinstance(thing, Local))
        # One branch for all: a place without an object lets go of what the others are.
        lacks = "false"
        self.parts.clear()
        for place, given in enumerate((*first, *values)):
            lacks = self._fill(f"ptr {made}, i64 {place}", given, own, lacks)
        self.parts.clear()
        self.drop(own.elements())
        if lacks != "false":
            with self.seldom(lacks):
                self.line(f"call void @Py_DecRef(ptr {made})")
                self.line("br label %ended")
        return made

    def _fill(
        self, place: str, given: Value | str, own: Counter[Local], lacks: str
    ) -> str:
        """Put a value into its place; whether one so far has no object: no memory."""
        if isinstance(given, Referred) and _is_there(given):
            held = given.object
            assert isinstance(held, Local)
            is_own = own[held] > 0
            own[held] -= is_own
            if not is_own:
                self.helpers["put"] = _PUT
            put = "i32 @PyTuple_SetItem" if is_own else "void @put"
            self.line(f"call {put}({place}, ptr {self.read(held, 'ptr')})")
            return lacks
        if isinstance(given, Number) and given.weak is True:
            kind = machine_type(given.dtype)
            if kind in _MAKERS and given.dtype.kind != "c":
                text = _PUT_NUMBER.format(kind=kind, maker=_MAKERS[kind])
                self.helpers[f"put_{kind}"] = text
                number = f"{kind} {self.read(given.parts[0], kind)}"
                return self.set(f"call i1 @put_{kind}(i1 {lacks}, {place}, {number})")
        thing = given if isinstance(given, str) else self.box(given)
        self.line(f"call i32 @PyTuple_SetItem({place}, ptr {thing})")
        return self.set(f"or i1 {lacks}, {self.is_null(thing)}")

    def drop(self, objects: Iterable[Operand]) -> None:
        """Let go of objects."""
        for thing in objects:
            if not isinstance(thing, Local):
                continue  # it is on the stack
            self.line(f"call void @Py_DecRef(ptr {self.read(thing, 'ptr')})")


def _is_there(value: Any) -> bool:
    """Whether there is a Python object for it already."""
    if isinstance(value, TypedList) or not isinstance(value.object, Local):
        return False
    return not (isinstance(value, Array) and value.is_view)
