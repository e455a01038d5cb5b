"""vectorcall: the C function by which CPython calls an object that has entries.

It is one for all of them: it asks the object's entries, one after the other. Where none
is for the call, it calls what comes last: the class's `__call__`.
"""

from __future__ import annotations

import functools
from typing import Any

from runtime import store, vectored
from runtime.backends.llvm import abi
from runtime.backends.llvm.building import Source, built
from runtime.backends.llvm.linking import Compiled
from runtime.vectored import MISS, Vectored

# A class's room for an address comes first, its slot for entries next.
ENTRIES = object.__basicsize__ + 8

TEXT = """\
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare void @PyErr_BadInternalCall()
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
@miss = external global i8
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptr @enter(ptr %self, ptr %args, i64 %flags, ptr %names) {{
start:
  %n = and i64 %flags, 9223372036854775807
  %at = getelementptr i8, ptr %self, i64 {entries}
  %all = load ptr, ptr %at
  %none = icmp eq ptr %all, null
  br i1 %none, label %wrong, label %some
wrong:
  call void @PyErr_BadInternalCall()
  ret ptr null
some:
  ; They stay, and so does their code, whatever is called meanwhile.
  call void @Py_IncRef(ptr %all)
  %atsize = getelementptr i8, ptr %all, i64 {count}
  %size = load i64, ptr %atsize
  %last = sub i64 %size, 1
  %first = getelementptr i8, ptr %all, i64 {items}
  %named = icmp ne ptr %names, null
  br i1 %named, label %count, label %head
count:
  %atnames = getelementptr i8, ptr %names, i64 {count}
  %counted = load i64, ptr %atnames
  br label %head
head:
  %i = phi i64 [0, %some], [0, %count], [%next, %missed]
  %m = phi i64 [0, %some], [%counted, %count], [%m, %missed]
  %more = icmp slt i64 %i, %last
  br i1 %more, label %ask, label %copy
ask:
  %atone = getelementptr ptr, ptr %first, i64 %i
  %one = load ptr, ptr %atone
  %atfunction = getelementptr i8, ptr %one, i64 {function}
  %definition = load ptr, ptr %atfunction
  %ataddress = getelementptr i8, ptr %definition, i64 {address}
  %code = load ptr, ptr %ataddress
  %atreceiver = getelementptr i8, ptr %one, i64 {receiver}
  %receiver = load ptr, ptr %atreceiver
  %found = call ptr %code(ptr %receiver, ptr %args, i64 %n, ptr %names)
  %is_miss = icmp eq ptr %found, @miss
  br i1 %is_miss, label %missed, label %given
missed:
  call void @Py_DecRef(ptr %found)
  %next = add i64 %i, 1
  br label %head
given:
  call void @Py_DecRef(ptr %all)
  ret ptr %found
copy:
  %passed = add i64 %n, %m
  %whole = add i64 %passed, 1
  %room = alloca ptr, i64 %whole
  store ptr %self, ptr %room
  %rest = getelementptr ptr, ptr %room, i64 1
  %bytes = mul i64 %passed, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %args, i64 %bytes, i1 false)
  %positional = add i64 %n, 1
  %atpython = getelementptr ptr, ptr %first, i64 %last
  %python = load ptr, ptr %atpython
  %result = call ptr @PyObject_Vectorcall(
    ptr %python, ptr %room, i64 %positional, ptr %names)
  call void @Py_DecRef(ptr %all)
  ret ptr %result
}}
define ptr @probe(ptr %self, ptr %args, i64 %n, ptr %names) {{
  %one = icmp eq i64 %n, 1
  %none = icmp eq i64 %n, 0
  %plain = icmp eq ptr %names, null
  %named = xor i1 %plain, true
  %first = and i1 %one, %plain
  %second = and i1 %none, %named
  %either = or i1 %first, %second
  br i1 %either, label %same, label %other
same:
  %given = load ptr, ptr %args
  call void @Py_IncRef(ptr %given)
  ret ptr %given
other:
  call void @Py_IncRef(ptr @miss)
  ret ptr @miss
}}
"""


def let_enter(one: Vectored, entries: tuple[Any, ...]) -> None:
    """Let calls of an object, whose class is let in, ask these entries first."""
    kind: Any = type(one)
    one._entries = (*entries, kind.__call__)
    vectored.call_by(one, _code("enter").address)


@functools.cache
def is_let_in(kind: Any) -> bool:
    """Let instances of exactly this class in, if possible; a `__get__` only binds."""
    whole = Vectored in kind.__bases__ and "__call__" in vars(kind)
    if not (whole and vectored.has_room(kind) and abi.is_as_expected() and _works()):
        return False
    vectored.let_in(kind)
    return True


@functools.cache
def _code(name: str) -> Compiled:
    places = {"count": abi.COUNT, "items": abi.ITEMS, "function": abi.FUNCTION}
    places |= {"address": abi.ADDRESS, "receiver": abi.RECEIVER, "entries": ENTRIES}
    text = TEXT.format(**places)
    source = Source(name, lambda: text, {"miss": id(MISS)}, (MISS,))
    return built(source, store.key_of(text))


class _Alone(Vectored):
    """What the function is tried on: it is no method of the class that it is in."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self, args, named


class _Probe(Vectored):
    """The same, as a method."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self, args, named

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return functools.partial(self, instance)


@functools.cache
def _works() -> bool:
    """Whether calls of all kinds get where they should, before any other is let in."""
    if not (vectored.has_room(_Probe) and vectored.has_room(_Alone)):
        return False
    one, other, thing = _Probe(), _Alone(), [1]
    holder = type("Holder", (), {"method": one, "other": other})()
    for probe in (one, other):
        kind: Any = type(probe)
        probe._entries = (_code("probe").callable(None), kind.__call__)
        vectored.let_in(kind)
        vectored.call_by(probe, _code("enter").address)
    return bool(
        one(thing) is one(a=thing) is thing
        and holder.other(thing) is thing
        and holder.other() == (other, (), {})
        and holder.method() is holder
        and one() == (one, (), {})
        and one(1, thing) == (one, (1, thing), {})
        and one(thing, a=2, b=3) == (one, (thing,), {"a": 2, "b": 3})
        and holder.method(1, c=4) == (one, (holder, 1), {"c": 4})
        and _Probe()(thing)[1] == (thing,)
    )
