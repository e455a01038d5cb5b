"""objects: between Python's objects and the values of machine code.

An argument that is not of the kind that the function was made for makes it give None,
before anything is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import (
    Array,
    List,
    Local,
    Mixed,
    Number,
    Referred,
    TypedList,
    Value,
)
from runtime.backends.llvm.part_text import box_part
from runtime.backends.llvm.ties import CONSTANTS, FORM
from runtime.backends.llvm.typed_text import list_of
from runtime.backends.llvm.values import machine_type, memory_type
from runtime.spec import ObjectSpec
from runtime.table_spec import TableSpec

KEEP_ORDER = 2  # NumPy's name for "as it lies"
TYPE_DICT = ("type_dict", "@type_dict = external global i8")
TYPE_MEMBERS = ("type_Members", "@type_Members = external global i8")
TYPE_TEXT = ("type_str", "@type_str = external global i8")
TYPE_LIST = ("type_list", "@type_list = external global i8")
# The machine type that counts references; see `abi.counting`.
COUNTS = {"all": "i64", "mortal": "i32"}


class Objects(Lines):
    """The text, with what takes values out of objects and puts them into some.

    written: positions of the arguments that must be writable arrays
    """

    def __init__(self, written: frozenset[int]) -> None:
        super().__init__()
        self.written = written
        # The addresses in the table of what is named.
        self.named: list[int] = []
        # Functions that it calls, by name.
        self.helpers: dict[str, str] = {}
        # Parts of arrays that have objects, which others beside them may be.
        self.parts: list[tuple[Array, str]] = []

    def take_argument(self, position: int, value: Value) -> None:
        """Take an argument out of its object."""
        at = self.set(f"getelementptr ptr, ptr %args, i64 {position}")
        self.take(self.set(f"load ptr, ptr {at}"), value, position in self.written)

    def at(self, address: int) -> str:
        """An address of this process, which the text does not know: out of a table."""
        # An object at the place of another one is another one: no two share a row.
        self.named.append(address)
        # LLVM is not told how long it is.
        self.symbol(FORM, f"@{FORM} = external global [0 x ptr]")
        return self.field(f"@{FORM}", 8 * (len(self.named) - 1), "ptr")

    def take_constants(self, arrays: Sequence[Array]) -> None:
        """The places of the arrays that the program holds, out of a table."""
        locals = [local for one in arrays for local in (one.object, one.data)]
        table = f"@{CONSTANTS} = external global [{len(locals)} x ptr]"
        for number, local in enumerate(locals):
            self.symbol(CONSTANTS, table)
            assert isinstance(local, Local)
            self.keep(local, self.field(f"@{CONSTANTS}", 8 * number, "ptr"))

    def take(self, thing: str, value: Value, is_written: bool = False) -> None:
        """Take a value out of an object; to `miss` where it is of another kind."""
        kind = self.field(thing, abi.TYPE, "ptr")
        if isinstance(value, Array):
            self.require("ptr", kind, "@type_ndarray")
            self._take_array(thing, value, is_written)
        elif isinstance(value, Mixed):
            self._take_mixed(thing, value)
        elif isinstance(value, List):
            self._require_kind(kind, value)
            assert isinstance(value.object, Local)
            self.keep(value.object, thing)
        elif isinstance(value, TypedList):
            raise AssertionError("its numbers are taken at once")
        elif isinstance(value.weak, Local):
            self._take_either(thing, kind, value)
        else:
            take = self._take_weak if value.weak else self._take_strong
            take(thing, kind, value)

    def _require_kind(self, kind: str, value: List) -> None:
        """Miss unless it is a list, a text, or a table."""
        if isinstance(value.item, ObjectSpec):
            self.require("ptr", kind, self.symbol(*TYPE_TEXT))
            return
        if not isinstance(value.item, TableSpec):
            self.require("ptr", kind, self.symbol(*TYPE_LIST))
            return
        both = [
            self.set(f"icmp eq ptr {kind}, {self.symbol(*one)}")
            for one in (TYPE_DICT, TYPE_MEMBERS)
        ]
        self.unless(self.set(f"or i1 {both[0]}, {both[1]}"), self.miss)

    def _take_mixed(self, thing: str, value: Mixed) -> None:
        """As the first of the options that it is of."""
        missed, after = self.miss, self.fresh_label()
        for place, option in enumerate(value.options):
            self.miss = self.fresh_label()
            self.take(thing, option)
            assert isinstance(value.tag, Local)
            self.keep(value.tag, str(place))
            self.line(f"br label %{after}")
            self.label(self.miss)
        self.miss = missed
        self.line(f"br label %{missed}")
        self.label(after)

    def _take_either(self, thing: str, kind: str, value: Number) -> None:
        assert isinstance(value.weak, Local)
        weak, strong, after = (self.fresh_label() for _ in range(3))
        is_weak = self.set(f"icmp eq ptr {kind}, {self._weak_type(value.dtype)}")
        self.keep(value.weak, is_weak)
        self.line(f"br i1 {is_weak}, label %{weak}, label %{strong}")
        self.label(weak)
        self._take_weak(thing, kind, value)
        self.line(f"br label %{after}")
        self.label(strong)
        self._take_strong(thing, kind, value)
        self.to_label(after)

    def _weak_type(self, dtype: np.dtype[Any]) -> str:
        if dtype.kind == "b":
            return self.symbol("type_bool", "@type_bool = external global i8")
        return {"i": "@type_int", "f": "@type_float", "c": "@type_complex"}[dtype.kind]

    def _take_weak(self, thing: str, kind: str, value: Number) -> None:
        self.require("ptr", kind, self._weak_type(value.dtype))
        part = value.parts[0]
        assert isinstance(part, Local)
        if value.dtype.kind == "b":
            self.keep(part, self.set(f"icmp eq ptr {thing}, @Py_True"))
        elif value.dtype.kind == "i":
            self._take_int(thing, part)
        else:
            self._take_parts(thing, value)

    def _take_int(self, thing: str, part: Local) -> None:
        """An int's value: one digit is read where it lies, CPython tells of others."""
        small, large, after = (self.fresh_label() for _ in range(3))
        if abi.int_form():
            is_small, sign = self.one_digit(thing)
            self.line(f"br i1 {is_small}, label %{small}, label %{large}")
            self.label(small)
            digit = self.set(f"zext i32 {self.field(thing, abi.DIGIT, 'i32')} to i64")
            self.keep(part, self.set(f"mul i64 {digit}, {sign}"))
            self.line(f"br label %{after}")
            self.label(large)
        call = f"@PyLong_AsLongLongAndOverflow(ptr {thing}, ptr %overflow)"
        found = self.set(f"call i64 {call}")
        over = self.set("load i32, ptr %overflow")
        self.require("i32", over, 0)
        self.keep(part, found)
        self.to_label(after)

    def one_digit(self, thing: str) -> tuple[str, str]:
        """Whether an int has one digit at most; its sign, which holds if it has."""
        size = self.field(thing, abi.INT_SIZE, "i64")
        if abi.int_form() == "size":
            above = self.set(f"add i64 {size}, 1")
            return self.set(f"icmp ult i64 {above}, 3"), size
        sign = self.set(f"sub i64 1, {self.set(f'and i64 {size}, 3')}")
        return self.set(f"icmp ult i64 {size}, 16"), sign

    def _take_strong(self, thing: str, kind: str, value: Number) -> None:
        name = f"type_{value.dtype.char}"
        if value.dtype.char in "?":
            name = "type_np_bool"
        wanted = self.symbol(name, f"@{name} = external global i8")
        self.require("ptr", kind, wanted)
        self._take_parts(thing, value)

    def _take_parts(self, thing: str, value: Number) -> None:
        kind = memory_type(value.dtype)
        size = value.dtype.itemsize // len(value.parts)
        for number, part in enumerate(value.parts):
            found = self.field(thing, abi.NUMBER + number * size, kind)
            if value.dtype.kind == "b":
                found = self.set(f"icmp ne i8 {found}, 0")
            assert isinstance(part, Local)
            self.keep(part, found)

    def _take_array(self, thing: str, value: Array, is_written: bool) -> None:
        rank = len(value.dims)
        self.require("i32", self.field(thing, abi.RANK, "i32"), rank)
        descr = self.field(thing, abi.DESCR, "ptr")
        self.require("ptr", descr, self.descr(value.dtype))
        wanted = abi.ALIGNED | (abi.WRITEABLE if is_written else 0)
        flags = self.field(thing, abi.FLAGS, "i32")
        self.require("i32", self.set(f"and i32 {flags}, {wanted}"), wanted)
        for local, found in ((value.object, thing), (value.data, None)):
            assert isinstance(local, Local)
            self.keep(local, found or self.field(thing, abi.DATA, "ptr"))
        for offset, into in ((abi.DIMS, value.dims), (abi.STRIDES, value.strides)):
            table = self.field(thing, offset, "ptr")
            for axis, operand in enumerate(into):
                found = self.field(table, 8 * axis, "i64")
                if isinstance(operand, Local):
                    self.keep(operand, found)
                else:
                    self.require("i64", found, int(operand))

    def descr(self, dtype: np.dtype[Any]) -> str:
        name = f"descr_{'np_bool' if dtype.kind == 'b' else dtype.char}"
        return self.symbol(name, f"@{name} = external global i8")

    def boxes(self, values: Sequence[Value]) -> list[str]:
        """Objects for all of these, each with a reference of its own."""
        self.parts.clear()
        made = [self.there(self.box(value)) for value in values]
        self.parts.clear()
        return made

    def box(self, value: Value) -> str:
        """A Python object for a value, with a reference of its own."""
        if isinstance(value, Array) and not isinstance(value.object, Local):
            return self._box_copy(value)
        if isinstance(value, TypedList):
            return self._box_typed(value)
        if isinstance(value, Referred):
            thing = self.read(value.object, "ptr")
            if isinstance(value, Array) and value.is_view:
                return box_part(self, value, thing)
            self.line(f"call void @Py_IncRef(ptr {thing})")
            return thing
        if isinstance(value, Mixed):
            return self._box_mixed(value)
        if not isinstance(value.weak, Local):
            return self._box_weak(value) if value.weak else self._box_strong(value)
        weak, strong, after = (self.fresh_label() for _ in range(3))
        flag = self.read(value.weak, "i1")
        made = self.fresh()
        self.slots.append(f"{made} = alloca ptr")
        self.line(f"br i1 {flag}, label %{weak}, label %{strong}")
        self.label(weak)
        self.line(f"store ptr {self._box_weak(value)}, ptr {made}")
        self.line(f"br label %{after}")
        self.label(strong)
        self.line(f"store ptr {self._box_strong(value)}, ptr {made}")
        self.to_label(after)
        return self.set(f"load ptr, ptr {made}")

    def _box_typed(self, value: TypedList) -> str:
        """A Python list of numbers in memory."""
        data, count = self.read(value.data, "ptr"), self.read(value.length, "i64")
        call = f"call ptr @{self.list_of(value.dtype)}(ptr {data}, i64 {count})"
        return self.there(self.set(call))

    def list_of(self, dtype: np.dtype[Any]) -> str:
        """The name of the function that makes lists of such numbers."""
        kind = memory_type(dtype)
        self.symbol("PyList_New", "declare ptr @PyList_New(i64)")
        self.helpers[f"list_of_{kind}"] = list_of(kind, abi.CONTENT)
        return f"list_of_{kind}"

    def _box_mixed(self, value: Mixed) -> str:
        made, after = self.fresh(), self.fresh_label()
        self.slots.append(f"{made} = alloca ptr")
        tag = self.read(value.tag, "i64")
        for place, option in enumerate(value.options):
            this, other = self.fresh_label(), self.fresh_label()
            is_this = self.set(f"icmp eq i64 {tag}, {place}")
            self.line(f"br i1 {is_this}, label %{this}, label %{other}")
            self.label(this)
            self.line(f"store ptr {self.box(option)}, ptr {made}")
            self.line(f"br label %{after}")
            self.label(other)
        self.line("unreachable")
        self.label(after)
        return self.set(f"load ptr, ptr {made}")

    def box_view(self, value: Array, base: str) -> str:
        """A NumPy array for a part of another one, which it keeps."""
        own = self.field(base, abi.FLAGS, "i32")
        flags = self.set(f"and i32 {own}, {abi.ALIGNED | abi.WRITEABLE}")
        made = self._array_at(value, flags)
        self.line(f"call void @Py_IncRef(ptr {base})")
        self.line(f"call i32 @PyArray_SetBaseObject(ptr {made}, ptr {base})")
        return made

    def _box_copy(self, value: Array) -> str:
        """A NumPy array with the content of memory that is not Python's."""
        there = self._array_at(value, str(abi.ALIGNED))
        call = f"call ptr @PyArray_NewCopy(ptr {there}, i32 {KEEP_ORDER})"
        made = self.there(self.set(call))
        self.line(f"call void @Py_DecRef(ptr {there})")
        return made

    def _array_at(self, value: Array, flags: str) -> str:
        """A NumPy array that looks at memory."""
        rank = len(value.dims)
        tables = []
        for operands in (value.dims, value.strides):
            tables.append(self.fresh())
            self.slots.append(f"{tables[-1]} = alloca [{max(rank, 1)} x i64]")
            for axis, operand in enumerate(operands):
                at = self.set(f"getelementptr i64, ptr {tables[-1]}, i64 {axis}")
                self.line(f"store i64 {self.read(operand, 'i64')}, ptr {at}")
        descr = self.descr(value.dtype)
        self.line(f"call void @Py_IncRef(ptr {descr})")
        data = self.read(value.data, "ptr")
        inside = f"ptr @type_ndarray, ptr {descr}, i32 {rank}, ptr {tables[0]}"
        rest = f"ptr {tables[1]}, ptr {data}, i32 {flags}, ptr null"
        return self.there(self.set(f"call ptr @PyArray_NewFromDescr({inside}, {rest})"))

    def _box_weak(self, value: Number) -> str:
        kind = machine_type(value.dtype)
        parts = [self.read(part, kind) for part in value.parts]
        if kind == "i1":
            wide = self.set(f"zext i1 {parts[0]} to i64")
            return self.set(f"call ptr @PyBool_FromLong(i64 {wide})")
        name = {"i": "PyLong_FromLongLong", "f": "PyFloat_FromDouble"}.get(
            value.dtype.kind, "PyComplex_FromDoubles"
        )
        inside = ", ".join(f"{kind} {part}" for part in parts)
        return self.set(f"call ptr @{name}({inside})")

    def _box_strong(self, value: Number) -> str:
        kind, memory = machine_type(value.dtype), memory_type(value.dtype)
        slot = self.fresh()
        self.slots.append(f"{slot} = alloca [{len(value.parts)} x {memory}]")
        for number, operand in enumerate(value.parts):
            part = self.read(operand, kind)
            if kind == "i1":
                part = self.set(f"zext i1 {part} to i8")
            at = self.set(f"getelementptr {memory}, ptr {slot}, i64 {number}")
            self.line(f"store {memory} {part}, ptr {at}")
        inside = f"ptr {slot}, ptr {self.descr(value.dtype)}, ptr null"
        return self.set(f"call ptr @PyArray_Scalar({inside})")

    def refer(self, thing: str) -> None:
        """One more reference to an object."""
        form = abi.counting()
        if not form:
            self.line(f"call void @Py_IncRef(ptr {thing})")
            return
        kind = COUNTS[form]
        found = self.field(thing, abi.REFERENCES, kind)
        self._put_count(thing, found, self.set(f"add {kind} {found}, 1"))

    def let_go(self, thing: str) -> None:
        """One reference to an object less; CPython sees to what nobody refers to."""
        form = abi.counting()
        if not form:
            self.line(f"call void @Py_DecRef(ptr {thing})")
            return
        kind, after = COUNTS[form], self.fresh_label()
        found = self.field(thing, abi.REFERENCES, kind)
        with self.seldom(self.set(f"icmp eq {kind} {found}, 1")):
            self.line(f"call void @Py_DecRef(ptr {thing})")
            self.line(f"br label %{after}")
        self._put_count(thing, found, self.set(f"sub {kind} {found}, 1"))
        self.to_label(after)

    def _put_count(self, thing: str, before: str, count: str) -> None:
        kind = COUNTS[abi.counting()]
        if kind == "i32":
            for_ever = self.set(f"icmp slt i32 {before}, 0")
            count = self.set(f"select i1 {for_ever}, i32 {before}, i32 {count}")
        at = self.set(f"getelementptr i8, ptr {thing}, i64 {abi.REFERENCES}")
        self.line(f"store {kind} {count}, ptr {at}")

    def there(self, thing: str) -> str:
        """An object that was made; where memory has ended there is none.

        Then Python raises its MemoryError; what the function holds is lost.
        """
        fine = self.fresh_label()
        none = self.set(f"icmp eq ptr {thing}, null")
        self.line(f"br i1 {none}, label %ended, label %{fine}, !prof !0")
        self.label(fine)
        return thing
