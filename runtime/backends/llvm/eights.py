"""eights: the sum of what is computed meanwhile, in NumPy's order, as LLVM's text.

NumPy adds floats in pairs: up to 128 of them by eight sums side by side, more by
halves. Eight sums are a vector of eight lanes, so no bit differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.row_lanes import SUMMED
from runtime.backends.llvm.wide import Wide

LANES = 8
# The most elements that are added without halving them.
BLOCK = 128
# Halves and their ends that wait at once: two for each bit of a size, and one.
WAITING = 128


class Eights(Wide):
    """The text of one `pairwise`.

    strides: of each place that moves along the row, the bytes to the next element
    waiting, top: slots of the sizes that are to be added, and how many there are
    sums, known:  slots of the sums that are not joined yet, and how many
    """

    def __init__(self, text: Polling, scalar: Callable[[Block], None]) -> None:
        super().__init__(text, scalar, LANES)
        self.strides: dict[Operand, Operand] = {}
        self.kind = self.waiting = self.top = self.sums = self.known = ""

    def write(self, one: Instruction) -> None:
        """A stack of what is to be added: sizes, and -1 where two sums become one."""
        text, self.kind = self.text, one.type
        count, start, length, *_ = one.args
        assert isinstance(start, Local)
        assert isinstance(length, Local)
        self._slots(one)
        if count in SUMMED and not isinstance(count, Local):
            sums = self.side_by_side(one)
            text.keep(one.outs[0], self._across(sums))
            return
        if not isinstance(count, Local) and count <= BLOCK:
            text.keep(start, "0")
            text.keep(length, str(int(count)))
            text.keep(one.outs[0], self._block(one, str(int(count))))
            return
        self.waiting, self.top = self.slot(f"[{WAITING} x i64]"), self.slot("i64")
        self.sums, self.known = self.slot(f"[{WAITING} x {one.type}]"), self.slot("i64")
        head, take, after = (text.fresh_label() for _ in range(3))
        text.line(f"store i64 {text.read(count, 'i64')}, ptr {self.waiting}")
        text.line(f"store i64 1, ptr {self.top}")
        text.line(f"store i64 0, ptr {self.known}")
        text.keep(start, "0")
        text.to_label(head)
        above = text.set(f"load i64, ptr {self.top}")
        none = text.set(f"icmp eq i64 {above}, 0")
        text.line(f"br i1 {none}, label %{after}, label %{take}")
        text.label(take)
        self._take(one, text.set(f"sub i64 {above}, 1"), head)
        text.label(after)
        text.keep(one.outs[0], text.set(f"load {self.kind}, ptr {self.sums}"))

    def _slots(self, one: Instruction) -> None:
        """Room for what counts, and for what an element is made of."""
        for local in one.args[1:-1]:
            assert isinstance(local, Local)
            self.text.slot_of(f"%{local.name}", "i64")
        for local in dict.fromkeys(
            o for inner in one.blocks[1].walk() for o in inner.outs
        ):
            self.written.add(local)
            self.text.slot_of(f"%{local.name}.w", self.of(local.type))

    def side_by_side(self, one: Instruction) -> str:
        """The eight sums of one, or two, times eight elements."""
        self.kind = one.type
        self._slots(one)
        count, start, length, index, at, found = one.args
        text, sums = self.text, ""
        for local in (start, length, index, at):
            assert isinstance(local, Local)
            text.keep(local, str(count) if local is length else "0")
        assert not isinstance(count, Local)
        # What NumPy computes block by block, the elements read from buffers.
        self.scalar(one.blocks[0])
        for first in range(0, int(count), LANES):
            for local in (index, at):
                assert isinstance(local, Local)
                text.keep(local, str(first))
            self.block(one.blocks[1])
            value = self.read(found, self.kind)
            both = f"fadd {self.of(self.kind)} {sums}, {value}"
            sums = text.set(both) if first else value
        return sums

    def _take(self, one: Instruction, last: str, head: str) -> None:
        """What waits last: two sums become one, halves wait, or a block is added."""
        text = self.text
        join, one_size, split, block = (text.fresh_label() for _ in range(4))
        text.line(f"store i64 {last}, ptr {self.top}")
        place = self._item("i64", self.waiting, last)
        size = text.set(f"load i64, ptr {place}")
        is_join = text.set(f"icmp slt i64 {size}, 0")
        text.line(f"br i1 {is_join}, label %{join}, label %{one_size}")
        text.label(join)
        self._join()
        text.line(f"br label %{head}")
        text.label(one_size)
        is_long = text.set(f"icmp sgt i64 {size}, {BLOCK}")
        text.line(f"br i1 {is_long}, label %{split}, label %{block}")
        text.label(split)
        half = text.set(f"and i64 {text.set(f'lshr i64 {size}, 1')}, {-LANES}")
        rest = text.set(f"sub i64 {size}, {half}")
        # The first half is taken first, then the other, then both become one.
        for far, word in enumerate(("-1", rest, half)):
            at = text.set(f"getelementptr i64, ptr {place}, i64 {far}")
            text.line(f"store i64 {word}, ptr {at}")
        text.line(f"store i64 {text.set(f'add i64 {last}, 3')}, ptr {self.top}")
        text.line(f"br label %{head}")
        text.label(block)
        self._add(one, size)
        text.line(f"br label %{head}")

    def _add(self, one: Instruction, size: str) -> None:
        """The sum of a block, beside the others."""
        text, (_, start, length, *_) = self.text, one.args
        assert isinstance(start, Local)
        assert isinstance(length, Local)
        text.keep(length, size)
        found = self._block(one, size)
        number = text.set(f"load i64, ptr {self.known}")
        place = self._item(self.kind, self.sums, number)
        text.line(f"store {self.kind} {found}, ptr {place}")
        text.line(f"store i64 {text.set(f'add i64 {number}, 1')}, ptr {self.known}")
        text.keep(start, text.set(f"add i64 {text.read(start, 'i64')}, {size}"))

    def _item(self, kind: str, table: str, at: str) -> str:
        return self.text.set(f"getelementptr {kind}, ptr {table}, i64 {at}")

    def _join(self) -> None:
        text, sums, known = self.text, self.sums, self.known
        number = text.set(f"load i64, ptr {known}")
        left = text.set(f"sub i64 {number}, 1")
        b = text.set(f"load {self.kind}, ptr {self._item(self.kind, sums, left)}")
        before = self._item(self.kind, sums, text.set(f"sub i64 {number}, 2"))
        a = text.set(f"load {self.kind}, ptr {before}")
        both = text.set(f"fadd {self.kind} {a}, {b}")
        text.line(f"store {self.kind} {both}, ptr {before}")
        text.line(f"store i64 {left}, ptr {known}")

    def _block(self, one: Instruction, size: str) -> str:
        """The sum of `size` elements: by eights, and those that remain one by one."""
        text, kind, many = self.text, self.kind, self.of(self.kind)
        _, _, _, index, _, found = one.args
        assert isinstance(index, Local)
        assert isinstance(found, Local)
        ready, element = one.blocks
        self.scalar(ready)
        sums, total = self.slot(many), self.slot(kind)
        # Of nothing NumPy's sum is -0.0, which changes nothing that it is added to.
        text.line(f"store {many} {self.read(-0.0, kind)}, ptr {sums}")
        whole = text.set(f"and i64 {size}, {-LANES}")
        text.keep(index, "0")

        def eight() -> None:
            self.block(element)
            before = text.set(f"load {many}, ptr {sums}")
            after = text.set(f"fadd {many} {before}, {self.read(found, kind)}")
            text.line(f"store {many} {after}, ptr {sums}")

        def single() -> None:
            self.scalar(element)
            before = text.set(f"load {kind}, ptr {total}")
            after = text.set(f"fadd {kind} {before}, {text.read(found, kind)}")
            text.line(f"store {kind} {after}, ptr {total}")

        self._turns(one, whole, LANES, eight)
        found_so_far = text.set(f"load {many}, ptr {sums}")
        text.line(f"store {kind} {self._across(found_so_far)}, ptr {total}")
        self._turns(one, size, 1, single)
        return text.set(f"load {kind}, ptr {total}")

    def _turns(
        self, one: Instruction, stop: str, step: int, turn: Callable[[], None]
    ) -> None:
        """A loop from where the index is."""
        text = self.text
        _, start, _, index, at, _ = one.args
        assert isinstance(index, Local)
        assert isinstance(at, Local)
        head, again, after = (text.fresh_label() for _ in range(3))
        text.to_label(head)
        now = text.read(index, "i64")
        goes_on = text.set(f"icmp slt i64 {now}, {stop}")
        text.line(f"br i1 {goes_on}, label %{again}, label %{after}")
        text.label(again)
        text.keep(at, text.set(f"add i64 {text.read(start, 'i64')}, {now}"))
        turn()
        text.keep(index, text.set(f"add i64 {text.read(index, 'i64')}, {step}"))
        text.line(f"br label %{head}")
        text.label(after)

    def _across(self, found: str) -> str:
        """((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))."""
        text, count = self.text, LANES
        while count > 1:
            kind = f"<{count} x {self.kind}>"
            count //= 2
            sides = []
            for first in (0, 1):
                lanes = ", ".join(f"i32 {2 * n + first}" for n in range(count))
                inside = f"{kind} {found}, {kind} poison, <{count} x i32> <{lanes}>"
                sides.append(text.set(f"shufflevector {inside}"))
            a, b = sides
            found = text.set(f"fadd <{count} x {self.kind}> {a}, {b}")
        return text.set(f"extractelement <1 x {self.kind}> {found}, i64 0")

    # Instructions.

    def block(self, block: Block) -> None:
        """The instructions of one element, of eight of them."""
        for one in block.instructions:
            name = one.op.split(" ")[0]
            write = self._OWN.get(name, Wide._binary)
            if name in CONVERSIONS or (name == "trunc" and one.type[:1] == "i"):
                write = Wide._conversion
            elif name in INTRINSICS:
                write = Wide._intrinsic
            write(self, one)

    def _choose(self, one: Instruction) -> None:
        kind = one.outs[0].type
        test, a, b = one.args
        sides = self.read(a, kind), self.read(b, kind)
        self.keep(one.outs[0], self.choose(self.read(test, "i1"), kind, *sides))

    def _keep(self, one: Instruction) -> None:
        found = [self.read(a, o.type) for a, o in zip(one.args, one.outs, strict=True)]
        for out, value in zip(one.outs, found, strict=True):
            self.keep(out, value)

    def _place(self, one: Instruction) -> None:
        """Where the first of the eight is."""
        (out,), (_, _, stride) = one.outs, one.args
        self.written.discard(out)
        self.strides[out] = stride
        self.scalar(Block([one]))

    def _eight(self, one: Instruction) -> None:
        """Eight elements side by side, at even steps, or one that is repeated."""
        out, place = one.outs[0], one.args[0]
        kind, text = "i8" if out.type == "i1" else out.type, self.text
        stride, at = self.strides.get(place), text.read(place, "ptr")
        size = {"float": 4, "double": 8}.get(kind) or int(kind[1:]) // 8
        if stride is None:
            found = self.splat(text.set(f"load {kind}, ptr {at}"), kind)
        elif not isinstance(stride, Local) and stride == size:
            found = text.set(f"load {self.of(kind)}, ptr {at}, align {size}")
        else:
            found = self.gathered(kind, at, text.read(stride, "i64"), size)
        if out.type == "i1":
            found = text.set(f"icmp ne {self.of('i8')} {found}, zeroinitializer")
        self.keep(out, found)

    _OWN: ClassVar[dict[str, Callable[[Eights, Instruction], None]]] = {
        "fneg": Wide._negative,
        "select": _choose,
        "move": _keep,
        "address": _place,
        "load": _eight,
        "own": Wide.own,
    }
