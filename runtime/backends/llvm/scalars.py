"""scalars: instructions over numbers as LLVM's text, and the ways out of a function."""

from __future__ import annotations

from runtime.backends.llvm.lines import CONVERSIONS, LLVM_TYPES, RAISING
from runtime.backends.llvm.loops import Exit, Instruction
from runtime.backends.llvm.mathematics import ALONE, has_alone, name_of
from runtime.backends.llvm.outlined import Outlined
from runtime.backends.llvm.signs import negated

# LLVM's word for functions of vectors that do what one of numbers does.
MAPPED = "vector-function-abi-variant"


class Scalars(Outlined):
    """The text, with instructions over numbers.

    group: the accesses of the parallel loop at hand, as LLVM's notes name them
    width: the number of its turns in a vector, where we say it; 0: LLVM does
    is_plain: whether a loop without branches is being written
    """

    group = ""
    width = 0
    is_plain = False

    def binary(self, one: Instruction) -> None:
        """An operation of the machine's."""
        a, b = (self.read(arg, one.type) for arg in one.args)
        self.keep(one.outs[0], self.set(f"{one.op} {one.type} {a}, {b}"))

    def is_guarded(self, one: Instruction) -> bool:
        """Whether LLVM must not do it where the program does not: NumPy would warn.

        The turns of parallel loops, and of those over stretches, have no branches.
        """
        is_straight = bool(self.group) or self.is_plain
        if not self.warns or is_straight or one.op not in RAISING:
            return False
        return not all(out in self.bounded for out in one.outs)

    def guarded(self, one: Instruction) -> None:
        """As LLVM's intrinsic that may raise the processor's flags."""
        out, kind = one.outs[0], one.type or one.outs[0].type
        kinds = LLVM_TYPES[kind]
        if one.op in CONVERSIONS:
            kinds = f"{LLVM_TYPES.get(out.type, out.type)}.{kinds}"
        notes = ['!"fpexcept.maytrap"']
        if one.op not in ("fptosi", "fptoui"):
            notes.insert(0, '!"round.tonearest"')
        name = f"llvm.experimental.constrained.{one.op}.{kinds}"
        takes = ", ".join([*[kind] * len(one.args), *["metadata"] * len(notes)])
        self.symbol(name, f"declare {out.type} @{name}({takes})")
        words = [f"{kind} {self.read(arg, kind)}" for arg in one.args]
        inside = ", ".join([*words, *(f"metadata {note}" for note in notes)])
        self.keep(out, self.set(f"call {out.type} @{name}({inside})"))

    def own(self, one: Instruction) -> None:
        """A function of our own; in parallel loops LLVM is told of the one for vectors.

        There it may be taken for one that notes nothing: nobody looks before the end.
        """
        kind = one.type
        words = [f"{kind} {self.read(arg, kind)}" for arg in one.args]
        is_alone = has_alone(one.symbol) and not self.width
        count = ALONE if is_alone else 1
        name = self.own_function(one.symbol, kind, count)
        call = f"call {kind} {name}({', '.join(words)})"
        if self.width:
            many = self.own_function(one.symbol, kind, self.width)[1:]
            mapped = f"_ZGV_LLVM_N{self.width}{'v' * len(words)}_"
            mapped += f"{name_of(one.symbol, kind, 1)}({many})"
            self.mapped[many] = None
            call += f' nounwind willreturn memory(none) "{MAPPED}"="{mapped}"'
        self.keep(one.outs[0], self.set(call))

    def conversion(self, one: Instruction) -> None:
        """A number of one type as one of another."""
        a = self.read(one.args[0], one.type)
        out = one.outs[0]
        self.keep(out, self.set(f"{one.op} {one.type} {a} to {out.type}"))

    def negative(self, one: Instruction) -> None:
        """`-a`, of a float."""
        a = self.read(one.args[0], one.type)
        self.keep(one.outs[0], negated(self, one.type, one.type, a))

    def intrinsic(self, one: Instruction) -> None:
        """What LLVM has a function for."""
        if one.op == "trunc" and one.type[0] == "i":
            self.conversion(one)
            return
        kind = one.outs[0].type
        name = f"llvm.{one.op}.{LLVM_TYPES.get(kind, kind)}"
        kinds = ", ".join([kind] * len(one.args))
        self.symbol(name, f"declare {kind} @{name}({kinds})")
        inside = ", ".join(f"{kind} {self.read(arg, kind)}" for arg in one.args)
        self.keep(one.outs[0], self.set(f"call {kind} @{name}({inside})"))

    def overflowing(self, one: Instruction) -> None:
        """An operation of ints; the way out where the machine has no such int."""
        over = self.with_overflow(one, one.op)
        assert one.exit is not None
        lost, after = self.fresh_label(), self.fresh_label()
        self.line(f"br i1 {over}, label %{lost}, label %{after}, !prof !0")
        self.label(lost)
        self.regain(one)
        self.leave("true", one.exit)
        self.to_label(after)

    def leave(self, condition: str, exit: Exit) -> None:
        """The way out, where the condition holds."""
        self.exits[exit.number] = exit
        if self.is_free:
            self.freed.add(exit.number)
        after = self.fresh_label()
        weights = "!prof !0"
        self.line(
            f"br i1 {condition}, label %exit{exit.number}, label %{after}, {weights}"
        )
        self.label(after)

    def leave_if(self, one: Instruction) -> None:
        """The way out, where the operand holds."""
        assert one.exit is not None
        self.leave(self.read(one.args[0], "i1"), one.exit)

    def hidden(self, one: Instruction) -> None:
        """A number, or a truth, of which LLVM does not know what it is."""
        (out,), kind = one.outs, one.type
        slot = f"%hidden_{out.name}"
        self.slot_of(slot, kind)
        self.line(f"store volatile {kind} {self.read(one.args[0], kind)}, ptr {slot}")
        self.keep(out, self.set(f"load volatile {kind}, ptr {slot}"))

    def select(self, one: Instruction) -> None:
        """One of two."""
        kind = one.outs[0].type
        test, a, b = one.args
        words = f"i1 {self.read(test, 'i1')}, {kind} {self.read(a, kind)}"
        text = f"select {words}, {kind} {self.read(b, kind)}"
        self.keep(one.outs[0], self.set(text))

    def move(self, one: Instruction) -> None:
        """Several numbers at once: none is written before all are read."""
        pairs = zip(one.args, one.outs, strict=True)
        found = [self.read(arg, out.type) for arg, out in pairs]
        for out, value in zip(one.outs, found, strict=True):
            self.keep(out, value)
