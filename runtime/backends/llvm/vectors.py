"""vectors: the operands of several turns at once, as LLVM's text; see `wide.py`."""

from __future__ import annotations

from functools import cache

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.lines import LLVM_TYPES, literal
from runtime.backends.llvm.loops import (
    DOUBLE,
    FLOAT,
    Block,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.mathematics import ALL, ANGLES
from runtime.backends.llvm.mathematics.writer import HARMLESS
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.switch import features


@cache
def lanes() -> int:
    """How many turns of a loop this machine does at once: two vectors of doubles.

    Of four a `while` of a few numbers has more than registers hold. NumPy knows the
    machine, so that LLVM need not be loaded for code that is in the store.
    """
    has = features()
    return 16 if has.get("AVX512F") else 8 if has.get("AVX") else 4


def width_for(block: Block, *, is_told: bool = False) -> int:
    """Turns of a loop that calls functions of our own in one vector; 0: it has none.

    is_told: LLVM is told of them; else it takes as many as a register holds
    """
    ours = [one for one in block.walk() if one.op == "own"]
    if not ours:
        return 0
    doubles = {16: 8, 8: 4}.get(lanes(), 2)
    if is_told and lanes() == 8 and not any(map(_fills_registers, ours)):
        # Two registers side by side: each function is a chain, and one alone is waited
        # for. Of 64 bytes enough turns are in the processor's view (decision 168).
        doubles *= 2
    return doubles if any(one.type == DOUBLE for one in ours) else 2 * doubles


def told_width(turn: Block, few: int) -> int:
    """The turns of a parallel loop that LLVM is told to make one vector; 0: it decides.

    few: all turns, if there are so few that it would make none
    """
    if not few:
        return width_for(turn, is_told=True)
    # Of what has gaps it reads these, too, so the last turn would be left out, and it
    # makes no vector; it would say so where it was told to. Half of a complex number is
    # a gap where the other one alone is computed with.
    return 0 if _has_gaps(turn) else few


def _has_gaps(turn: Block) -> bool:
    """Whether what turns read lies apart, at a distance that is known."""
    steps: dict[Operand, Operand] = {
        one.outs[0]: one.args[2] for one in turn.walk() if one.op == "address"
    }
    for one in (one for one in turn.walk() if one.op == "load"):
        step, size = steps.get(one.args[0], 0), SIZES.get(one.outs[0].type, 0)
        if not isinstance(step, Local) and abs(step) > size:
            return True
    return False


def _fills_registers(one: Instruction) -> bool:
    """Whether two registers of a function have more numbers than there is room for.

    Angles have three polynomials; what computes in float64 takes two as it is.
    """
    own = ALL.get(one.symbol)
    is_wide = own is not None and own.wide and one.type == FLOAT
    return is_wide or one.symbol in ANGLES


class Vectors:
    """Vectors of one number for each turn, masks, and memory with an element for each.

    count:   the number of lanes
    mask:    the name of the lanes at work
    leaving: the slot with those that want to leave
    written: the locals that are vectors
    """

    def __init__(self, text: Polling, count: int) -> None:
        self.text, self.count = text, count
        self.bits = f"<{count} x i1>"
        self.mask = self.leaving = ""
        self.written: set[Local] = set()

    def of(self, kind: str) -> str:
        """The type of a vector of them."""
        return f"<{self.count} x {kind}>"

    def suffix(self, kind: str) -> str:
        """How LLVM's intrinsics call it."""
        return f"v{self.count}{LLVM_TYPES.get(kind, kind)}"

    def read(self, operand: Operand, kind: str) -> str:
        """An operand in all lanes."""
        if not isinstance(operand, Local):
            word = f"{kind} {literal(operand, kind)}"
            return f"<{', '.join([word] * self.count)}>"
        if operand in self.written:
            kind = self.of(operand.type)
            return self.text.set(f"load {kind}, ptr %{operand.name}.w")
        return self.splat(self.text.read(operand, kind), operand.type)

    def keep(self, local: Local, value: str) -> None:
        """Write a local, in all lanes."""
        self.text.line(f"store {self.of(local.type)} {value}, ptr %{local.name}.w")

    def keep_where(self, test: str, kind: str, value: str, place: str) -> None:
        """Write into a slot in some lanes."""
        many = self.of(kind)
        old = self.text.set(f"load {many}, ptr {place}")
        found = self.choose(test, kind, value, old)
        self.text.line(f"store {many} {found}, ptr {place}")

    def splat(self, value: str, kind: str) -> str:
        many, text = self.of(kind), self.text
        first = text.set(f"insertelement {many} poison, {kind} {value}, i64 0")
        places = f"<{self.count} x i32> zeroinitializer"
        return text.set(f"shufflevector {many} {first}, {many} poison, {places}")

    def choose(self, test: str, kind: str, a: str, b: str) -> str:
        many = self.of(kind)
        return self.text.set(f"select {self.bits} {test}, {many} {a}, {many} {b}")

    def both(self, a: str, b: str) -> str:
        """Where both hold; b may be LLVM's poison where a does not, or has left."""
        some = self.text.set(f"freeze {self.bits} {b}")
        return self.choose(a, "i1", some, "zeroinitializer")

    def any_of(self, bits: str) -> str:
        name = f"llvm.vector.reduce.or.v{self.count}i1"
        self.text.symbol(name, f"declare i1 @{name}({self.bits})")
        return self.text.set(f"call i1 @{name}({self.bits} {bits})")

    def live(self) -> str:
        """The lanes at work that have not left."""
        left = self.text.set(f"load {self.bits}, ptr {self.leaving}")
        return self.choose(left, "i1", "zeroinitializer", self.mask)

    def leave(self, condition: str) -> None:
        """Note that lanes want to leave."""
        some = self.both(self.mask, condition)
        left = self.text.set(f"load {self.bits}, ptr {self.leaving}")
        both = self.text.set(f"or {self.bits} {left}, {some}")
        self.text.line(f"store {self.bits} {both}, ptr {self.leaving}")

    def call(self, op: str, one: Instruction) -> None:
        """A function that the machine has."""
        kind = one.outs[0].type
        many, name = self.of(kind), f"llvm.{op}.{self.suffix(kind)}"
        kinds = ", ".join([many] * len(one.args))
        self.text.symbol(name, f"declare {many} @{name}({kinds})")
        inside = ", ".join(f"{many} {self.read(arg, kind)}" for arg in one.args)
        self.keep(one.outs[0], self.text.set(f"call {many} @{name}({inside})"))

    def overflowing(self, one: Instruction) -> None:
        """An operation of ints; lanes whose result has no room leave."""
        kind = one.outs[0].type
        many, name = self.of(kind), f"llvm.{one.op}.with.overflow.{self.suffix(kind)}"
        pair = f"{{ {many}, {self.bits} }}"
        self.text.symbol(name, f"declare {pair} @{name}({many}, {many})")
        a, b = (self.read(arg, kind) for arg in one.args)
        both = self.text.set(f"call {pair} @{name}({many} {a}, {many} {b})")
        self.leave(self.text.set(f"extractvalue {pair} {both}, 1"))
        self.keep(one.outs[0], self.text.set(f"extractvalue {pair} {both}, 0"))

    def own(self, one: Instruction) -> None:
        """A function of our own; lanes that rest are given a usual number."""
        kind = one.type
        args = [self.read(arg, kind) for arg in one.args]
        if self.mask:
            args = [
                self.choose(self.mask, kind, a, self.read(HARMLESS, kind)) for a in args
            ]
        name = self.text.own_function(one.symbol, kind, self.count)
        inside = ", ".join(f"{self.of(kind)} {arg}" for arg in args)
        self.keep(one.outs[0], self.text.set(f"call {self.of(kind)} {name}({inside})"))

    def distinct(self, one: Instruction) -> None:
        """Leave unless the addresses, at even steps, are of different elements."""
        at, size = one.args[0], int(one.symbol)
        text, many = self.text, self.of("i64")
        places = text.set(f"ptrtoint {self.of('ptr')} {self.read(at, 'ptr')} to {many}")
        following = [min(lane + 1, self.count - 1) for lane in range(self.count)]
        order = f"<{', '.join(f'i32 {lane}' for lane in following)}>"
        kinds = f"{many} {places}, {many} poison, <{self.count} x i32> {order}"
        steps = text.set(f"sub {many} {text.set(f'shufflevector {kinds}')}, {places}")
        step = text.set(f"extractelement {many} {steps}, i64 0")
        uneven = text.set(f"icmp ne {many} {steps}, {self.splat(step, 'i64')}")
        last = ", ".join(
            f"i1 {lane < self.count - 1}".lower() for lane in range(self.count)
        )
        self.leave(text.set(f"and {self.bits} {uneven}, <{last}>"))
        moved = text.set(f"add i64 {step}, {size - 1}")
        near = text.set(f"icmp ult i64 {moved}, {2 * size - 1}")
        self.leave(self.splat(near, "i1"))

    # Memory, an element for each lane.

    def gathered(self, kind: str, at: str, step: str, size: int) -> str:
        """What lies at even steps, the first lane's at a place."""
        text, many, places = self.text, self.of(kind), self.of("i64")
        lanes = ", ".join(f"i64 {lane}" for lane in range(self.count))
        far = text.set(f"mul {places} {self.splat(step, 'i64')}, <{lanes}>")
        found = text.set(f"getelementptr i8, ptr {at}, {places} {far}")
        name = f"llvm.masked.gather.{self.suffix(kind)}.v{self.count}p0"
        takes = f"{self.of('ptr')}, i32, {self.bits}, {many}"
        text.symbol(name, f"declare {many} @{name}({takes})")
        mask = self.read(True, "i1")
        inside = f"{self.of('ptr')} {found}, i32 {size}, {self.bits} {mask}"
        return text.set(f"call {many} @{name}({inside}, {many} poison)")

    def address(self, one: Instruction) -> None:
        """The places of elements, of one turn each."""
        data, index, stride = one.args
        a, b = self.read(index, "i64"), self.read(stride, "i64")
        offset = self.text.set(f"mul {self.of('i64')} {a}, {b}")
        base, many = self.read(data, "ptr"), self.of("ptr")
        words = f"getelementptr i8, {many} {base}, {self.of('i64')} {offset}"
        self.keep(one.outs[0], self.text.set(words))

    def load(self, one: Instruction) -> None:
        """What lies there, for lanes at work."""
        out = one.outs[0]
        kind = "i8" if out.type == "i1" else out.type
        many, at = self.of(kind), self.read(one.args[0], "ptr")
        name = f"llvm.masked.gather.{self.suffix(kind)}.v{self.count}p0"
        takes = f"{self.of('ptr')}, i32, {self.bits}, {many}"
        self.text.symbol(name, f"declare {many} @{name}({takes})")
        inside = f"{self.of('ptr')} {at}, i32 1, {self.bits} {self.live()}"
        found = self.text.set(f"call {many} @{name}({inside}, {many} zeroinitializer)")
        if out.type == "i1":
            found = self.text.set(f"icmp ne {many} {found}, zeroinitializer")
        self.keep(out, found)

    def slot(self, kind: str) -> str:
        name = self.text.fresh()
        self.text.slots.append(f"{name} = alloca {kind}")
        return name

    def buffer(self, local: Local) -> str:
        kind = "i8" if local.type == "i1" else local.type
        return self.slot(f"[{self.count} x {kind}], align 64")

    def spread(self, value: str, kind: str, place: str) -> None:
        """Write a vector into a buffer."""
        if kind == "i1":
            value = self.text.set(f"zext {self.bits} {value} to {self.of('i8')}")
            kind = "i8"
        self.text.line(f"store {self.of(kind)} {value}, ptr {place}")

    def take(self, local: Local, place: str, lane: str) -> None:
        """Write a local of one turn, from a buffer."""
        text, kind = self.text, "i8" if local.type == "i1" else local.type
        at = text.set(f"getelementptr {kind}, ptr {place}, i64 {lane}")
        value = text.set(f"load {kind}, ptr {at}")
        if local.type == "i1":
            value = text.set(f"icmp ne i8 {value}, 0")
        text.keep(local, value)

    def put(self, local: Local, place: str, lane: str) -> None:
        """The other way round."""
        text, kind = self.text, "i8" if local.type == "i1" else local.type
        value = text.read(local, local.type)
        if local.type == "i1":
            value = text.set(f"zext i1 {value} to i8")
        at = text.set(f"getelementptr {kind}, ptr {place}, i64 {lane}")
        text.line(f"store {kind} {value}, ptr {at}")
