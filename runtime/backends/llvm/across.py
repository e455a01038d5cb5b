"""across: several rows at once, as LLVM's text: a lane for each; see `row_lanes.py`.

A local that moves from row to row has that of the first lane in its slot. Sums of eight
elements of a row are those of its vector; of as many rows they are put together across.
No lane does what its row would not, and in the same order, so no bit differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.eights import LANES, Eights
from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS, RAISING
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.row_lanes import ROWS, Kind, RowLanes, of_loop
from runtime.backends.llvm.vectors import lanes
from runtime.backends.llvm.wide import Wide

# Rows below which lanes gain nothing.
LEAST = 4
Step = int | str


def in_lanes(loop: Instruction) -> tuple[RowLanes, int] | None:
    """How a loop is run for several rows at once, and how many; None: it is not.

    Of loops in one another the innermost is: its rows lie nearest to each other.
    """
    inner = (one for one in loop.blocks[0].walk() if one.op == "for")
    if loop.type != ROWS or any(in_lanes(one) for one in inner):
        return None
    rows, (_, size) = of_loop(loop), loop.args
    if rows is None:
        return None
    count = {16: 64, 8: 32}.get(lanes(), 16) // rows.widest()
    while not isinstance(size, Local) and count > size:
        count //= 2
    return (rows, count) if count >= LEAST else None


class Across(Wide):
    """The text of one loop over rows.

    steps: of each local that moves, the step from one lane to the next
    """

    def __init__(
        self, text: Polling, scalar: Callable[[Block], None], rows: RowLanes, count: int
    ) -> None:
        super().__init__(text, scalar, count)
        self.rows = rows
        self.steps: dict[Operand, Step] = {rows.loop.args[0]: 1}
        for local, kind in rows.kinds.items():
            if kind == Kind.MANY and isinstance(local, Local):
                self.written.add(local)
                text.slot_of(f"%{local.name}.w", self.of(local.type))

    def write(self, one: Instruction) -> None:
        """As many rows at once as there are lanes; what remains one by one."""
        text, (index, size), body = self.text, one.args, one.blocks[0]
        assert isinstance(index, Local)
        text.slot_of(f"%{index.name}", "i64")
        text.keep(index, "0")
        stop = text.set(f"and i64 {text.read(size, 'i64')}, {-self.count}")
        self._turns(index, stop, self.count, lambda: self.block(body))
        if isinstance(size, Local) or size % self.count:
            stop = text.read(size, "i64")
            self._turns(index, stop, 1, lambda: self.scalar(body))

    def _turns(
        self, index: Local, stop: str, step: int, turn: Callable[[], None]
    ) -> None:
        """A loop from where the index is."""
        text = self.text
        head, again, after = (text.fresh_label() for _ in range(3))
        text.to_label(head)
        goes_on = text.set(f"icmp slt i64 {text.read(index, 'i64')}, {stop}")
        text.line(f"br i1 {goes_on}, label %{again}, label %{after}")
        text.label(again)
        turn()
        text.keep(index, text.set(f"add i64 {text.read(index, 'i64')}, {step}"))
        text.line(f"br label %{head}")
        text.label(after)

    # Operands.

    def _step(self, operand: Operand) -> Step:
        return self.steps.get(operand, 0)

    def _times(self, step: Step, by: Operand) -> Step:
        if not isinstance(by, Local) and isinstance(step, int):
            return step * int(by)
        if step in (0, 1):
            return self.text.read(by, "i64") if step else 0
        return self.text.set(f"mul i64 {step}, {self.text.read(by, 'i64')}")

    def _plus(self, word: str, a: Step, b: Step) -> Step:
        if isinstance(a, int) and isinstance(b, int):
            return a + b if word == "add" else a - b
        return a if b == 0 else self.text.set(f"{word} i64 {a}, {b}")

    # Instructions.

    def block(self, block: Block) -> None:
        """The instructions of a block."""
        for one in block.instructions:
            name = one.op.split(" ")[0]
            kinds = [self.rows.kind(out) for out in one.outs]
            if name in self._OWN:
                self._OWN[name](self, one)
            elif Kind.MANY in kinds and name == "same":
                self._move(one)
            elif Kind.MANY in kinds:
                self._vector(name, one)
            else:
                self.scalar(Block([one]))
                if Kind.MOVING in kinds:
                    self._MOVED[name](self, one)

    def _vector(self, name: str, one: Instruction) -> None:
        is_cast = name in CONVERSIONS or (name == "trunc" and one.type[:1] == "i")
        write = Wide._WRITERS.get(name, Wide._binary)
        if self.text.warns and name in RAISING:
            write = Wide._guarded
        elif is_cast:
            write = Wide._conversion
        elif name in INTRINSICS:
            write = Wide._intrinsic
        write(self, one)

    def _sum(self, one: Instruction) -> None:
        a, b = map(self._step, one.args)
        if a == 0 and one.op == "add":
            a, b = b, a
        self.steps[one.outs[0]] = self._plus(one.op, a, b)

    def _product(self, one: Instruction) -> None:
        a, b = one.args
        if self._step(a) == 0:
            a, b = b, a
        self.steps[one.outs[0]] = self._times(self._step(a), b)

    def _same(self, one: Instruction) -> None:
        self.steps[one.outs[0]] = self._step(one.args[0])

    def _place(self, one: Instruction) -> None:
        data, index, stride = one.args
        moved = self._times(self._step(index), stride)
        first = self._step(data)
        a, b = (moved, first) if first == 0 else (first, moved)
        self.steps[one.outs[0]] = self._plus("add", a, b)

    def _move(self, one: Instruction) -> None:
        """Several numbers at once: none is written before all are read."""
        pairs = list(zip(one.args, one.outs, strict=True))
        one_by_one = [pair for pair in pairs if self.rows.kind(pair[1]) == Kind.ONE]
        many = [pair for pair in pairs if self.rows.kind(pair[1]) == Kind.MANY]
        found = [self.read(arg, out.type) for arg, out in many]
        if one_by_one:
            args, outs = zip(*one_by_one, strict=True)
            self.scalar(Block([Instruction("move", outs, args)]))
        for (_, out), value in zip(many, found, strict=True):
            self.keep(out, value)

    def _load(self, one: Instruction) -> None:
        """A number for all lanes, or from each lane's own place."""
        (out,), (place,) = one.outs, one.args
        if self.rows.kind(place) == Kind.ONE:
            self._of_all(one)
            return
        text, kind = self.text, "i8" if out.type == "i1" else out.type
        at, step, size = text.read(place, "ptr"), self._step(place), SIZES[kind]
        if step == size:
            found = text.set(f"load {self.of(kind)}, ptr {at}, align {size}")
        else:
            found = self.gathered(kind, at, str(step), size)
        if out.type == "i1":
            found = text.set(f"icmp ne {self.of('i8')} {found}, zeroinitializer")
        self.keep(out, found)

    def _of_all(self, one: Instruction) -> None:
        self.scalar(Block([one]))
        (out,) = one.outs
        if out in self.written:
            self.keep(out, self.splat(self.text.read(out, out.type), out.type))

    def _store(self, one: Instruction) -> None:
        place, value = one.args
        text, kind, found = self.text, one.type, self.read(value, one.type)
        if kind == "i1":
            kind, found = "i8", text.set(f"zext {self.bits} {found} to {self.of('i8')}")
        at, step, size = text.read(place, "ptr"), self._step(place), SIZES[kind]
        if step == size:
            text.line(f"store {self.of(kind)} {found}, ptr {at}, align {size}")
            return
        for lane in range(self.count):
            number = text.set(f"extractelement {self.of(kind)} {found}, i64 {lane}")
            text.line(f"store {kind} {number}, ptr {self._at(at, step, lane)}")

    def _at(self, place: str, step: Step, lane: int) -> str:
        """Where a lane's own is."""
        far = self.text.set(f"mul i64 {step}, {lane}")
        return self.text.set(f"getelementptr i8, ptr {place}, i64 {far}")

    def _for(self, one: Instruction) -> None:
        index, size = one.args
        assert isinstance(index, Local)
        self.text.slot_of(f"%{index.name}", "i64")
        self.text.keep(index, "0")
        body = one.blocks[0]
        if not isinstance(size, Local) and size == 1:
            self.block(body)
            return
        stop = self.text.read(size, "i64")
        self._turns(index, stop, 1, lambda: self.block(body))

    # Sums of short rows.

    def _pairwise(self, one: Instruction) -> None:
        """Each row's eight sums, and of these its sum."""
        inside = {out for inner in one.blocks[1].walk() for out in inner.outs}
        read = [arg for inner in one.blocks[1].walk() for arg in inner.args]
        found = [arg for arg in dict.fromkeys(read) if arg not in inside]
        lanes_own = [arg for arg in found if self.rows.kind(arg) != Kind.ONE]
        locals_in = [arg for arg in lanes_own if isinstance(arg, Local)]
        before = [self.text.read(local, local.type) for local in locals_in]
        sums = []
        for lane in range(self.count):
            for local, first in zip(locals_in, before, strict=True):
                self.text.keep(local, self._in_lane(local, first, lane))
            sums.append(Eights(self.text, self.scalar).side_by_side(one))
        for local, first in zip(locals_in, before, strict=True):
            self.text.keep(local, first)
        self.keep(one.outs[0], self._put_together(sums, one.type))

    def _in_lane(self, local: Local, first: str, lane: int) -> str:
        """A local of one lane, where the first lane's is this."""
        if self.rows.kind(local) == Kind.MANY:
            many = self.of(local.type)
            found = self.read(local, local.type)
            return self.text.set(f"extractelement {many} {found}, i64 {lane}")
        step = self._step(local)
        if local.type == "ptr":
            return self._at(first, step, lane)
        far = self.text.set(f"mul i64 {step}, {lane}")
        return self.text.set(f"add i64 {first}, {far}")

    def _put_together(self, sums: list[str], kind: str) -> str:
        """((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) of each: neighbours, thrice."""
        width = LANES
        for _ in range(LANES.bit_length() - 1):
            pairs = list(zip(sums[::2], sums[1::2], strict=False))
            made = width if pairs else width // 2
            pairs = pairs or [(sums[0], "poison")]
            sums = [self._neighbours(a, b, kind, width, made) for a, b in pairs]
            width = made
        while len(sums) > 1:
            pairs = list(zip(sums[::2], sums[1::2], strict=True))
            sums = [
                self._shuffled(a, b, kind, width, range(2 * width)) for a, b in pairs
            ]
            width *= 2
        return sums[0]

    def _neighbours(self, a: str, b: str, kind: str, width: int, made: int) -> str:
        """The sums of neighbours in two vectors, one after the other."""
        sides = [
            self._shuffled(a, b, kind, width, range(first, 2 * made, 2))
            for first in (0, 1)
        ]
        return self.text.set(f"fadd <{made} x {kind}> {sides[0]}, {sides[1]}")

    def _shuffled(self, a: str, b: str, kind: str, width: int, order: range) -> str:
        """The elements of two vectors, one after the other, in an order."""
        many, places = f"<{width} x {kind}>", ", ".join(f"i32 {n}" for n in order)
        inside = f"{many} {a}, {many} {b}, <{len(order)} x i32> <{places}>"
        return self.text.set(f"shufflevector {inside}")

    _MOVED: ClassVar[dict[str, Callable[[Across, Instruction], None]]] = {
        **dict.fromkeys(("add", "sub"), _sum),
        "mul": _product,
        "same": _same,
        "address": _place,
    }
    _OWN: ClassVar[dict[str, Callable[[Across, Instruction], None]]] = {
        "move": _move,
        "load": _load,
        "store": _store,
        "for": _for,
        "pairwise": _pairwise,
    }
