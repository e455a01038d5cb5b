"""table_calls: how machine code asks and changes the tables of dicts and sets."""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.list_calls import ListCalls
from runtime.backends.llvm.loops import Instruction, Local, Number, Value
from runtime.backends.llvm.objects import TYPE_DICT


class TableCalls(ListCalls):
    """The text, with the instructions about tables."""

    def table_find(self, one: Instruction) -> None:
        """The place of a key, or -1."""
        table = self.read(one.args[0], "ptr")
        found = self._looked(one, table)
        out = one.outs[0]
        there, missing, after = (self.fresh_label() for _ in range(3))
        is_there = self.set(f"icmp ne ptr {found}, null")
        self.line(f"br i1 {is_there}, label %{there}, label %{missing}")
        self.label(there)
        self._take_place(one, found, out)
        self.line(f"br label %{after}")
        self.label(missing)
        self.keep(out, "-1")
        self.to_label(after)

    def table_len(self, one: Instruction) -> None:
        """How many keys there are."""
        table = self.read(one.args[0], "ptr")
        call = self._declared("PyDict_Size", "ptr", "i64")
        self.keep(one.outs[0], self.set(f"{call}(ptr {table})"))

    def table_new(self, one: Instruction) -> None:
        """A table without keys, of a dict."""
        made = self.set(f"{self._declared('PyDict_New', '', 'ptr')}()")
        self.leave_without(made, one)
        self.keep(one.outs[0], made)

    def table_copy(self, one: Instruction) -> None:
        """Another table of the same keys."""
        made = self._called("copied_table", self.read(one.args[0], "ptr"))
        self.leave_without(made, one)
        self.keep(one.outs[0], made)

    def table_add(self, one: Instruction) -> None:
        """One more key, with its place."""
        table, new = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        key = self._key(one, one.values)
        place = self.there(self.set(f"call ptr @PyLong_FromLongLong(i64 {new})"))
        call = self._declared("PyDict_SetItem", "ptr, ptr, ptr")
        added = self.set(f"{call}(ptr {table}, ptr {key}, ptr {place})")
        self._leave_failed(added, one)
        self.line(f"call void @Py_DecRef(ptr {key})")
        self.line(f"call void @Py_DecRef(ptr {place})")

    def table_delete(self, one: Instruction) -> None:
        """Without a key that is there."""
        table = self.read(one.args[0], "ptr")
        key = self._key(one, _equal(one.values))
        call = self._declared("PyDict_DelItem", "ptr, ptr")
        inside = ("take_member", table, key)
        self._by_kind(one, table, f"{call}(ptr {table}, ptr {key})", inside)
        self.line(f"call void @Py_DecRef(ptr {key})")

    def _key(self, one: Instruction, values: tuple[Value, ...]) -> str:
        """The object of a key."""
        if one.type == "tuple":
            return self.tuple(values)
        return self.there(self.box(values[0]))

    def _looked(self, one: Instruction, table: str) -> str:
        """The object of a key's place; null where the key is not there."""
        key = self._key(one, _equal(one.values))
        call = self._declared("PyDict_GetItemWithError", "ptr, ptr", "ptr")
        found = self.set(f"{call}(ptr {table}, ptr {key})")
        self.line(f"call void @Py_DecRef(ptr {key})")
        asks, failed, after = (self.fresh_label() for _ in range(3))
        none = self.set(f"icmp eq ptr {found}, null")
        self.line(f"br i1 {none}, label %{asks}, label %{after}")
        self.label(asks)
        error = self.set(f"{self._declared('PyErr_Occurred', '', 'ptr')}()")
        is_error = self.set(f"icmp ne ptr {error}, null")
        self.line(f"br i1 {is_error}, label %{failed}, label %{after}, !prof !0")
        self.label(failed)
        self.line("call void @PyErr_Clear()")
        self.line(f"br label %{self.way_out(one)}")
        self.label(after)
        return found

    def _take_place(self, one: Instruction, found: str, out: Local) -> None:
        self.miss = self.way_out(one)
        self.take(found, Number(np.dtype(int), True, (out,)))
        self.miss = "miss"

    def _by_kind(
        self, one: Instruction, table: str, call: str, other: tuple[str, ...]
    ) -> None:
        """A call of CPython's for a dict, one of ours for a set."""
        plain, ours, after = (self.fresh_label() for _ in range(3))
        kind = self.field(table, abi.TYPE, "ptr")
        is_dict = self.set(f"icmp eq ptr {kind}, {self.symbol(*TYPE_DICT)}")
        self.line(f"br i1 {is_dict}, label %{plain}, label %{ours}")
        self.label(plain)
        self._leave_failed(self.set(call), one)
        self.line(f"br label %{after}")
        self.label(ours)
        told = self._called(*other)
        self.leave_without(told, one)
        self.line(f"call void @Py_DecRef(ptr {told})")
        self.to_label(after)

    def _called(self, name: str, *things: str) -> str:
        """What a function of Python's gives for objects; null where it fails."""
        function = self.symbol(name, f"@{name} = external global i8")
        table = self.fresh()
        self.slots.append(f"{table} = alloca [{len(things)} x ptr]")
        for place, thing in enumerate(things):
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {place}")
            self.line(f"store ptr {thing}, ptr {at}")
        inside = f"ptr {function}, ptr {table}, i64 {len(things)}, ptr null"
        return self.set(f"call ptr @PyObject_Vectorcall({inside})")


def _equal(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Numbers that are equal to these, and of which an object is made at once."""
    return tuple(map(_cheap, values))


def _cheap(value: Value) -> Value:
    assert isinstance(value, Number)
    if value.dtype in (np.dtype(int), np.dtype(float)):
        return value._replace(weak=True)
    return value


TABLE_CALLS = {
    "table_find": TableCalls.table_find,
    "table_len": TableCalls.table_len,
    "table_new": TableCalls.table_new,
    "table_copy": TableCalls.table_copy,
    "table_add": TableCalls.table_add,
    "table_delete": TableCalls.table_delete,
}
