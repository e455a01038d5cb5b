"""typed_calls: the text of what is done with lists of numbers in memory.

Their memory is a bytearray's, so that it is held, let go of and grows as Python's
objects do.
"""

from __future__ import annotations

from runtime.backends.llvm.list_calls import ListCalls
from runtime.backends.llvm.loops import Instruction

# The bytes that a number takes in memory, by its machine type.
SIZES = {"i1": 1, "i64": 8, "double": 8}


class TypedCalls(ListCalls):
    """The text, with the instructions about lists of numbers in memory."""

    def typed_new(self, one: Instruction) -> None:
        """Memory for so many numbers."""
        size = self._bytes(self.read(one.args[0], "i64"), one.symbol)
        call = self._declared("PyByteArray_FromStringAndSize", "ptr, i64", "ptr")
        made = self.set(f"{call}(ptr null, i64 {size})")
        self.leave_without(made, one)
        self.keep(one.outs[0], made)
        self.keep(one.outs[1], self._content(made))

    def _content(self, thing: str) -> str:
        call = self._declared("PyByteArray_AsString", "ptr", "ptr")
        return self.set(f"{call}(ptr {thing})")

    def _bytes(self, count: str, size: str) -> str:
        return self.set(f"mul i64 {count}, {size}")

    def typed_append(self, one: Instruction) -> None:
        """One more number; twice the room where there is none."""
        _, data, length, room, item = one.args
        kind, (_, longer, _) = one.type, one.outs
        count = self.read(length, "i64")
        full = self.set(f"icmp sge i64 {count}, {self.read(room, 'i64')}")
        with self.seldom(full) as after:
            self._make_room(one, count, after)
        memory = "i8" if kind == "i1" else kind
        value = self.read(item, kind)
        if kind == "i1":
            value = self.set(f"zext i1 {value} to i8")
        base = self.read(data, "ptr")
        place = self.set(f"getelementptr {memory}, ptr {base}, i64 {count}")
        self.line(f"store {memory} {value}, ptr {place}")
        self.keep(longer, self.set(f"add i64 {count}, 1"))

    def _make_room(self, one: Instruction, count: str, after: str) -> None:
        """What has been taken away in front is room again, if it is half of all."""
        thing, data, _, room, _ = one.args
        (moved, _, more), size = one.outs, str(SIZES[one.type])
        owner, base = self.read(thing, "ptr"), self.read(data, "ptr")
        begin = self._content(owner)
        ends = [self.set(f"ptrtoint ptr {at} to i64") for at in (base, begin)]
        before = self.set(f"sub i64 {ends[0]}, {ends[1]}")
        gone = self.set(f"sdiv exact i64 {before}, {size}")
        whole = self.set(f"add i64 {self.read(room, 'i64')}, {gone}")
        self._move(begin, base, self._bytes(count, size))
        self.keep(moved, begin)
        self.keep(more, whole)
        twice, larger = self._bytes(count, "2"), self.fresh_label()
        enough = self.set(f"icmp slt i64 {twice}, {whole}")
        self.line(f"br i1 {enough}, label %{after}, label %{larger}")
        self.label(larger)
        wanted = self.set(f"add i64 {twice}, 8")
        call = self._declared("PyByteArray_Resize", "ptr, i64")
        done = self.set(f"{call}(ptr {owner}, i64 {self._bytes(wanted, size)})")
        self._leave_failed(done, one)
        self.keep(moved, self._content(owner))
        self.keep(more, wanted)
        self.line(f"br label %{after}")

    def typed_move(self, one: Instruction) -> None:
        """So many numbers elsewhere."""
        to, source, count = one.args
        size = self._bytes(self.read(count, "i64"), one.symbol)
        self._move(self.read(to, "ptr"), self.read(source, "ptr"), size)

    def _move(self, to: str, source: str, size: str) -> None:
        symbol = "llvm.memmove.p0.p0.i64"
        self.symbol(symbol, f"declare void @{symbol}(ptr, ptr, i64, i1)")
        inside = f"ptr {to}, ptr {source}, i64 {size}, i1 false"
        self.line(f"call void @{symbol}({inside})")

    def typed_cut(self, one: Instruction) -> None:
        """Take the number at a place out; those behind it move."""
        data, at, length = one.args
        place, count = self.read(at, "i64"), self.read(length, "i64")
        less = self.set(f"sub i64 {count}, 1")
        behind = self.set(f"sub i64 {less}, {place}")
        some, after = self.fresh_label(), self.fresh_label()
        is_last = self.set(f"icmp eq i64 {behind}, 0")
        self.line(f"br i1 {is_last}, label %{after}, label %{some}")
        self.label(some)
        offset = self._bytes(place, one.symbol)
        to = self.set(f"getelementptr i8, ptr {self.read(data, 'ptr')}, i64 {offset}")
        source = self.set(f"getelementptr i8, ptr {to}, i64 {one.symbol}")
        self._move(to, source, self._bytes(behind, one.symbol))
        self.to_label(after)
        self.keep(one.outs[0], less)

    def typed_behead(self, one: Instruction) -> None:
        """Without the first number: the others stay where they are."""
        (data, _, _), (moved, *_) = one.args, one.outs
        base = self.read(data, "ptr")
        self.keep(moved, self.set(f"getelementptr i8, ptr {base}, i64 {one.symbol}"))
        for local, out in zip(one.args[1:], one.outs[1:], strict=True):
            self.keep(out, self.set(f"sub i64 {self.read(local, 'i64')}, 1"))

    def typed_find(self, one: Instruction) -> None:
        """Where an int is first, or -1."""
        data, length, sought = one.args
        base, count = self.read(data, "ptr"), self.read(length, "i64")
        wanted = self.read(sought, "i64")
        head, turn, other, found = (self.fresh_label() for _ in range(4))
        self.keep(one.outs[0], "0")
        self.to_label(head)
        at = self.read(one.outs[0], "i64")
        goes_on = self.set(f"icmp slt i64 {at}, {count}")
        missing = self.fresh_label()
        self.line(f"br i1 {goes_on}, label %{turn}, label %{missing}")
        self.label(turn)
        place = self.set(f"getelementptr i64, ptr {base}, i64 {at}")
        is_it = self.set(f"icmp eq i64 {self.set(f'load i64, ptr {place}')}, {wanted}")
        self.line(f"br i1 {is_it}, label %{found}, label %{other}")
        self.label(other)
        self.keep(one.outs[0], self.set(f"add i64 {at}, 1"))
        self.line(f"br label %{head}")
        self.label(missing)
        self.keep(one.outs[0], "-1")
        self.to_label(found)


TYPED_CALLS = {
    "typed_find": TypedCalls.typed_find,
    "typed_new": TypedCalls.typed_new,
    "typed_append": TypedCalls.typed_append,
    "typed_move": TypedCalls.typed_move,
    "typed_cut": TypedCalls.typed_cut,
    "typed_behead": TypedCalls.typed_behead,
}
