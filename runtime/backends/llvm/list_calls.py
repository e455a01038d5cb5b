"""list_calls: how machine code reads and changes Python's lists.

The common cases are written out: an item that is there, room for one more, a number
put into the object that the list alone refers to. CPython does the others.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm import abi
from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.loops import Instruction, Number, Referred, Value
from runtime.backends.llvm.objects import TYPE_LIST

# What one digit holds.
ONE_DIGIT = 1 << abi.DIGIT_BITS
# The objects of the ints of which CPython has one each, in their order.
KNOWN_INTS = ("known_ints", "@known_ints = external global i8")


class ListCalls(Calls):
    """The text, with the instructions about lists."""

    def length(self, xs: str) -> str:
        """How many items there are."""
        return self.field(xs, abi.LENGTH, "i64")

    def place(self, xs: str, at: str) -> str:
        """Where an item lies."""
        content = self.field(xs, abi.CONTENT, "ptr")
        return self.set(f"getelementptr ptr, ptr {content}, i64 {at}")

    def list_length(self, one: Instruction) -> None:
        self.keep(one.outs[0], self.length(self.read(one.args[0], "ptr")))

    def list_item(self, one: Instruction) -> None:
        """The item at a place within the list, taken out of its object."""
        xs, at = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        thing = self.set(f"load ptr, ptr {self.place(xs, at)}")
        (value,) = one.results
        self.miss = self.way_out(one)
        self.take(thing, value)
        self.miss = "miss"
        if isinstance(value, Referred):
            self.refer(thing)
        else:
            self.keep(one.outs[-1], thing)

    def list_inner(self, one: Instruction) -> None:
        """A list in a list, for as long as the step takes."""
        xs, at = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        thing = self.set(f"load ptr, ptr {self.place(xs, at)}")
        self.miss = self.way_out(one)
        kind = self.field(thing, abi.TYPE, "ptr")
        self.require("ptr", kind, self.symbol(*TYPE_LIST))
        self.miss = "miss"
        self.keep(one.outs[0], thing)

    def way_out(self, one: Instruction) -> str:
        """The label of an instruction's exit."""
        assert one.exit is not None
        self.exits[one.exit.number] = one.exit
        return f"exit{one.exit.number}"

    def list_put(self, one: Instruction) -> None:
        """Another item at a place within the list."""
        xs, at = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        place = self.place(xs, at)
        old = self.set(f"load ptr, ptr {place}")
        after = self.fresh_label()
        (value,) = one.values

        def exchange(new: str) -> None:
            """Another object that is there, unless it is the one before."""
            other = self.fresh_label()
            is_same = self.set(f"icmp eq ptr {new}, {old}")
            self.line(f"br i1 {is_same}, label %{after}, label %{other}")
            self.label(other)
            self.refer(new)
            self.line(f"store ptr {new}, ptr {place}")
            self.let_go(old)
            self.line(f"br label %{after}")

        if len(one.args) > 2:
            exchange(self.read(one.args[2], "ptr"))
            self.label(after)
            return
        self._if_known(value, exchange)
        self._put_over(old, value, after)
        new = self.there(self.box(value))
        self.line(f"store ptr {new}, ptr {place}")
        self.let_go(old)
        self.to_label(after)

    def _if_known(self, value: Value, write: Callable[[str], None]) -> None:
        """What `write` writes, which ends in a jump, for objects that are always there.

        These are truths, and the ints of which CPython has one object each.
        """
        if not isinstance(value, Number) or value.weak is not True:
            return
        known, other = self.fresh_label(), self.fresh_label()
        if value.dtype.kind == "b":
            bit = self.read(value.parts[0], "i1")
            made = self.set(f"select i1 {bit}, ptr @Py_True, ptr @Py_False")
            self.line(f"br i1 true, label %{known}, label %{other}")
            self.label(known)
            write(made)
            self.label(other)
        elif value.dtype.kind == "i" and abi.known_ints() is not None:
            found = self.read(value.parts[0], "i64")
            place = self.set(f"sub i64 {found}, {abi.LEAST_KNOWN}")
            count = abi.MOST_KNOWN - abi.LEAST_KNOWN + 1
            is_known = self.set(f"icmp ult i64 {place}, {count}")
            self.line(f"br i1 {is_known}, label %{known}, label %{other}")
            self.label(known)
            table = self.symbol(*KNOWN_INTS)
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {place}")
            write(self.set(f"load ptr, ptr {at}"))
            self.label(other)

    def _item(self, value: Value) -> str:
        """The object for an item, with a reference of its own."""
        slot, after = self.fresh(), self.fresh_label()
        self.slots.append(f"{slot} = alloca ptr")

        def refer(made: str) -> None:
            self.refer(made)
            self.line(f"store ptr {made}, ptr {slot}")
            self.line(f"br label %{after}")

        self._if_known(value, refer)
        self.line(f"store ptr {self.there(self.box(value))}, ptr {slot}")
        self.to_label(after)
        return self.set(f"load ptr, ptr {slot}")

    def _put_over(self, old: str, value: Value, after: str) -> None:
        """A number into the object of the one before, if nobody else can see that."""
        if not isinstance(value, Number) or value.weak is not True:
            return
        write = {"f": self._put_float, "i": self._put_int}.get(value.dtype.kind)
        if write is None or (value.dtype.kind == "i" and not abi.int_form()):
            return
        other, alone = self.fresh_label(), self.fresh_label()
        kind = self.field(old, abi.TYPE, "ptr")
        wanted = {"f": "@type_float", "i": "@type_int"}[value.dtype.kind]
        is_same = self.set(f"icmp eq ptr {kind}, {wanted}")
        self.unless(is_same, other)
        references = self.field(old, abi.REFERENCES, "i64")
        is_alone = self.set(f"icmp eq i64 {references}, 1")
        self.line(f"br i1 {is_alone}, label %{alone}, label %{other}")
        self.label(alone)
        write(old, value, other)
        self.line(f"br label %{after}")
        self.label(other)

    def _put_float(self, old: str, value: Number, other: str) -> None:
        found = self.read(value.parts[0], "double")
        self.put_field(old, abi.NUMBER, "double", found)

    def _put_int(self, old: str, value: Number, other: str) -> None:
        """An int of one digit into another such; not one that CPython has once."""
        found = self.read(value.parts[0], "i64")
        self.unless(self.one_digit(old)[0], other)
        negative = self.set(f"sub i64 0, {found}")
        below = self.set(f"icmp slt i64 {found}, 0")
        digit = self.set(f"select i1 {below}, i64 {negative}, i64 {found}")
        self.unless(self.set(f"icmp ult i64 {digit}, {ONE_DIGIT}"), other)
        shifted = self.set(f"sub i64 {found}, {abi.LEAST_KNOWN}")
        known = abi.MOST_KNOWN - abi.LEAST_KNOWN
        self.unless(self.set(f"icmp ugt i64 {shifted}, {known}"), other)
        signs = ("-1", "1") if abi.int_form() == "size" else ("10", "8")
        size = self.set(f"select i1 {below}, i64 {signs[0]}, i64 {signs[1]}")
        self.put_field(old, abi.INT_SIZE, "i64", size)
        short = self.set(f"trunc i64 {digit} to i32")
        self.put_field(old, abi.DIGIT, "i32", short)

    def put_field(self, thing: str, offset: int, kind: str, value: str) -> None:
        """Write what lies in an object at an offset."""
        at = self.set(f"getelementptr i8, ptr {thing}, i64 {offset}")
        self.line(f"store {kind} {value}, ptr {at}")

    def list_append(self, one: Instruction) -> None:
        """One more item."""
        xs = self.read(one.args[0], "ptr")
        (value,) = one.values
        new = self._item(value)
        size = self.length(xs)
        room = self.field(xs, abi.ROOM, "i64")
        fits, full, after = (self.fresh_label() for _ in range(3))
        has_room = self.set(f"icmp slt i64 {size}, {room}")
        self.line(f"br i1 {has_room}, label %{fits}, label %{full}")
        self.label(full)
        done = self.set(
            f"{self._declared('PyList_Append', 'ptr, ptr')}(ptr {xs}, ptr {new})"
        )
        self.line(f"call void @Py_DecRef(ptr {new})")
        self._leave_failed(done, one)
        self.line(f"br label %{after}")
        self.label(fits)
        self.line(f"store ptr {new}, ptr {self.place(xs, size)}")
        more = self.set(f"add i64 {size}, 1")
        self.put_field(xs, abi.LENGTH, "i64", more)
        self.to_label(after)

    def list_cut(self, one: Instruction) -> None:
        """Take the item at a place within the list out of it."""
        xs, at = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        last, short, other, after = (self.fresh_label() for _ in range(4))
        size = self.set(f"sub i64 {self.length(xs)}, 1")
        is_last = self.set(f"icmp eq i64 {at}, {size}")
        self.line(f"br i1 {is_last}, label %{last}, label %{other}")
        self.label(last)
        # CPython lets go of room that is twice of what is needed.
        half = self.set(f"ashr i64 {self.field(xs, abi.ROOM, 'i64')}, 1")
        stays = self.set(f"icmp sge i64 {size}, {half}")
        self.line(f"br i1 {stays}, label %{short}, label %{other}")
        self.label(short)
        thing = self.set(f"load ptr, ptr {self.place(xs, at)}")
        self.put_field(xs, abi.LENGTH, "i64", size)
        self.let_go(thing)
        self.line(f"br label %{after}")
        self.label(other)
        stop = self.set(f"add i64 {at}, 1")
        self._set_slice(xs, at, stop, "null", one)
        self.to_label(after)

    def _set_slice(
        self, xs: str, at: str, stop: str, by: str, one: Instruction
    ) -> None:
        call = self._declared("PyList_SetSlice", "ptr, i64, i64, ptr")
        inside = f"ptr {xs}, i64 {at}, i64 {stop}, ptr {by}"
        self._leave_failed(self.set(f"{call}({inside})"), one)

    def list_extend(self, one: Instruction) -> None:
        """The items of another list after its own."""
        xs, ys = (self.read(arg, "ptr") for arg in one.args)
        size = self.length(xs)
        self._set_slice(xs, size, size, ys, one)

    def list_call(self, one: Instruction) -> None:
        """A function of CPython's that changes a list."""
        xs = self.read(one.args[0], "ptr")
        done = self.set(f"{self._declared(one.symbol, 'ptr')}(ptr {xs})")
        self._leave_failed(done, one)

    def list_insert(self, one: Instruction) -> None:
        """One more item before a place, which CPython moves into the list."""
        xs, at = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        new = self.box(one.values[0])
        call = self._declared("PyList_Insert", "ptr, i64, ptr")
        done = self.set(f"{call}(ptr {xs}, i64 {at}, ptr {new})")
        self.line(f"call void @Py_DecRef(ptr {new})")
        self._leave_failed(done, one)

    def list_ask(self, one: Instruction) -> None:
        """Where, whether or how often a number is in a list, as CPython tells."""
        xs, sought = self.read(one.args[0], "ptr"), self.box(one.values[0])
        kind = "i32" if one.symbol == "PySequence_Contains" else "i64"
        call = self._declared(one.symbol, "ptr, ptr", kind)
        found = self.set(f"{call}(ptr {xs}, ptr {sought})")
        self.line(f"call void @Py_DecRef(ptr {sought})")
        self._leave_failed(found, one, kind)
        if kind == "i32":
            found = self.set(f"icmp ne i32 {found}, 0")
        self.keep(one.outs[0], found)

    def _declared(self, name: str, takes: str, gives: str = "i32") -> str:
        """The beginning of a call of one of CPython's functions."""
        return f"call {gives} {self.symbol(name, f'declare {gives} @{name}({takes})')}"

    def _leave_failed(self, done: str, one: Instruction, kind: str = "i32") -> None:
        """Go on as Python, which fails as well, where CPython could not do it."""
        with self.seldom(self.set(f"icmp slt {kind} {done}, 0")):
            self.line("call void @PyErr_Clear()")
            self.line(f"br label %{self.way_out(one)}")

    def list_new(self, one: Instruction) -> None:
        """A list of values."""
        call = self._declared("PyList_New", "i64", "ptr")
        made = self.set(f"{call}(i64 {len(one.values)})")
        self.leave_without(made, one)
        for at, value in enumerate(one.values):
            new = self.there(self.box(value))
            self.line(f"store ptr {new}, ptr {self.place(made, str(at))}")
        self.keep(one.outs[0], made)

    def list_slice(self, one: Instruction) -> None:
        """A list of the items between two places."""
        xs = self.read(one.args[0], "ptr")
        a, b = (self.read(arg, "i64") for arg in one.args[1:])
        call = self._declared("PyList_GetSlice", "ptr, i64, i64", "ptr")
        made = self.set(f"{call}(ptr {xs}, i64 {a}, i64 {b})")
        self.leave_without(made, one)
        self.keep(one.outs[0], made)

    def list_repeat(self, one: Instruction) -> None:
        """The list so many times."""
        xs, n = self.read(one.args[0], "ptr"), self.read(one.args[1], "i64")
        call = self._declared("PySequence_Repeat", "ptr, i64", "ptr")
        made = self.set(f"{call}(ptr {xs}, i64 {n})")
        self.leave_without(made, one)
        self.keep(one.outs[0], made)


LIST_CALLS = {
    "list_length": ListCalls.list_length,
    "list_item": ListCalls.list_item,
    "list_inner": ListCalls.list_inner,
    "list_put": ListCalls.list_put,
    "list_append": ListCalls.list_append,
    "list_cut": ListCalls.list_cut,
    "list_extend": ListCalls.list_extend,
    "list_call": ListCalls.list_call,
    "list_insert": ListCalls.list_insert,
    "list_ask": ListCalls.list_ask,
    "list_new": ListCalls.list_new,
    "list_slice": ListCalls.list_slice,
    "list_repeat": ListCalls.list_repeat,
}
