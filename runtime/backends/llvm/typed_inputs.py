"""typed_inputs: lists that a function is given, whose numbers it takes into memory.

That takes time for each number, whatever is done with them then. So it is done where
the loop will take as many turns, as far as one can tell: as the last time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.either import TAKEN
from runtime.backends.llvm.loops import (
    Function,
    Instruction,
    Local,
    Number,
    TypedList,
    locals_of,
)
from runtime.backends.llvm.objects import TYPE_LIST
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.typed_calls import TypedCalls
from runtime.backends.llvm.typed_text import given_back
from runtime.backends.llvm.values import machine_type, memory_type

# What it takes for each number, in turns: to take it, and to make an object of it.
TAKES, MAKES = 1, 4

# What is done for one place: of a list, the place, a number, its place in memory.
Each = Callable[[Local, Local, Number, str], None]


def lists_of(function: Function) -> list[tuple[int, TypedList]]:
    """The inputs that are such lists, with their positions."""
    pairs = enumerate(function.inputs)
    return [(at, one) for at, one in pairs if isinstance(one, TypedList)]


class TypedInputs(TypedCalls, Polling):
    """The text, with what takes the numbers of lists into memory."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        # Of each list that was given: it, and what owned its memory at first.
        self._origins: dict[TypedList, tuple[str, str]] = {}
        self._has_ended = False

    def begin_typed(self, function: Function) -> None:
        """Nothing is held yet."""
        found = lists_of(function)
        for _, one in found:
            assert isinstance(one.object, Local)
            self.keep(one.object, "null")
        if found:
            self.count_turns()

    def end_typed(self, function: Function) -> None:
        """Note for the next time how many turns there were."""
        self._has_ended = True
        if lists_of(function):
            self.line(f"store i64 {self.turns_taken()}, ptr @{TAKEN}")

    def take_typed(self, function: Function) -> None:
        """Take the lists, if it is worth it; to `miss` if they are of other kinds."""
        found = []
        work = "0"
        for at, one in lists_of(function):
            place = self.set(f"getelementptr ptr, ptr %args, i64 {at}")
            thing = self.set(f"load ptr, ptr {place}")
            kind = self.field(thing, abi.TYPE, "ptr")
            self.require("ptr", kind, self.symbol(*TYPE_LIST))
            count = self.length(thing)
            found.append((thing, count, one))
            is_made = one in function.outputs and one.dtype.kind != "b"
            each = TAKES + (MAKES if is_made else 0)
            more = self.set(f"mul i64 {count}, {each}")
            work = self.set(f"add i64 {work}, {more}")
        if not found:
            return
        self.symbol(TAKEN, f"@{TAKEN} = external global i64")
        turns = self.set(f"load i64, ptr @{TAKEN}")
        self.unless(self.set(f"icmp sle i64 {work}, {turns}"), self.miss)
        for thing, count, one in found:
            self._take_list(thing, count, one)

    def _take_list(self, thing: str, count: str, value: TypedList) -> None:
        size = self._bytes(count, str(value.dtype.itemsize))
        call = self._declared("PyByteArray_FromStringAndSize", "ptr, i64", "ptr")
        made = self.without_error(self.set(f"{call}(ptr null, i64 {size})"))
        data = self._content(made)
        parts = (value.object, made), (value.data, data), (value.length, count)
        for local, part in (*parts, (value.room, count)):
            assert isinstance(local, Local)
            self.keep(local, part)
        self._origins[value] = thing, made
        inside = f"ptr {thing}, i64 {count}, ptr {data}"
        name = self._each("numbers_of", value.dtype, self._read_one)
        self.unless(self.set(f"call i1 @{name}({inside})"), self.miss)

    def _box_typed(self, value: TypedList) -> str:
        """A Python list: the one that was given, if it is that, changed in place.

        What is changed in place may be: in Python it would have been.
        """
        if not self._has_ended or value not in self._origins:
            return super()._box_typed(value)
        thing, owner = self._origins[value]
        put = self._each("put_numbers", value.dtype, self._write_one)
        made, kind = self.list_of(value.dtype), memory_type(value.dtype)
        name = f"given_back_{kind}"
        self.helpers[name] = given_back(name, put, made, abi.LENGTH)
        data, count = self.read(value.data, "ptr"), self.read(value.length, "i64")
        things = f"ptr {thing}, ptr {owner}, ptr {self.read(value.object, 'ptr')}"
        call = f"call ptr @{name}({things}, ptr {data}, i64 {count})"
        return self.there(self.set(call))

    def _each(self, name: str, dtype: np.dtype[Any], write: Each) -> str:
        """The name of a function that does something for each place of a list.

        write: writes that, of locals for the list, the place and a number, and the
               place of that in memory. To `other` where it cannot go on
        """
        memory = memory_type(dtype)
        symbol = f"{name}_{memory}"
        if symbol in self.helpers:
            return symbol
        number = Number(dtype, True, (Local(machine_type(dtype), "number"),))
        xs, at = Local("ptr", "xs"), Local("i64", "at")
        outer = self.lines, self.slots, self.has_flags, self.miss
        self.lines, self.slots = [], ["%overflow = alloca i32"]
        self.has_flags, self.miss = False, "other"
        for local in (xs, at, *locals_of(number)):
            self.slots.append(f"%{local.name} = alloca {local.type}")
        self.keep(xs, "%list")
        self.keep(at, "0")
        self.to_label("head")
        goes_on = self.set(f"icmp slt i64 {self.read(at, 'i64')}, %count")
        self.line(f"br i1 {goes_on}, label %turn, label %fine")
        self.label("turn")
        index = self.read(at, "i64")
        place = self.set(f"getelementptr {memory}, ptr %data, i64 {index}")
        write(xs, at, number, place)
        self.to_label("next")
        self.keep(at, self.set(f"add i64 {self.read(at, 'i64')}, 1"))
        self.line("br label %head")
        for label, told in (("fine", "true"), ("other", "false"), ("ended", "false")):
            self.label(label)
            self.line(f"ret i1 {told}")
        lines = [f"  {one}" for one in self.slots] + self.lines
        head = f"define internal i1 @{symbol}(ptr %list, i64 %count, ptr %data)"
        self.helpers[symbol] = "\n".join([f"{head} noinline {{", "entry:", *lines, "}"])
        self.lines, self.slots, self.has_flags, self.miss = outer
        return symbol

    def _read_one(self, xs: Local, at: Local, number: Number, into: str) -> None:
        """A number out of its object into memory."""
        place = self.place(self.read(xs, "ptr"), self.read(at, "i64"))
        self.take(self.set(f"load ptr, ptr {place}"), number)
        memory = memory_type(number.dtype)
        found = self.read(number.parts[0], memory)
        if memory == "i8":
            found = self.set(f"zext i1 {found} to i8")
        self.line(f"store {memory} {found}, ptr {into}")

    def _write_one(self, xs: Local, at: Local, number: Number, source: str) -> None:
        """A number out of memory into the list, unless it is there."""
        (part,), memory = number.parts, memory_type(number.dtype)
        assert isinstance(part, Local)
        item, bits = Local(part.type, "item"), part.type
        self.slots.append(f"%item = alloca {part.type}")
        found = self.set(f"load {memory}, ptr {source}")
        if memory == "i8":
            found = self.set(f"icmp ne i8 {found}, 0")
        self.keep(item, found)
        self.miss = "put"
        place = self.place(self.read(xs, "ptr"), self.read(at, "i64"))
        self.take(self.set(f"load ptr, ptr {place}"), number)
        before = self.read(part, bits)
        if memory == "double":
            # Zeros have signs, and NaN is no number.
            before, found = (
                self.set(f"bitcast double {one} to i64") for one in (before, found)
            )
            bits = "i64"
        same = self.set(f"icmp eq {bits} {before}, {found}")
        self.line(f"br i1 {same}, label %next, label %put")
        self.label("put")
        put = Instruction(
            "list_put", (), (xs, at), values=(number._replace(parts=(item,)),)
        )
        self.list_put(put)

    def drop_typed(self, function: Function) -> None:
        """Let go of what has been taken; there may be none of it."""
        self.drop(one.object for _, one in lists_of(function))
