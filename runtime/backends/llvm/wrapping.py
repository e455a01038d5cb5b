"""wrapping: operations of ints that wrap round, as text; see `outgrown.py`."""

from __future__ import annotations

from typing import Any

from runtime.backends.llvm.float_errors import OVER
from runtime.backends.llvm.loops import Instruction, Local
from runtime.backends.llvm.watching import Watching

# Whose operands can be told from their results.
REGAINED = ("sadd", "ssub")
# Whether one has wrapped round.
WRAPPED = "%wrapped"


class Wrapping(Watching):
    """The text, with operations of ints that wrap round.

    wraps:  whether there are some
    loaded: what is read from memory
    """

    wraps = False

    def __init__(self, *args: Any, **known: Any) -> None:
        super().__init__(*args, **known)
        self.loaded: set[Local] = set()

    def begin_wrapping(self) -> None:
        """None has wrapped round so far."""
        if self.wraps:
            self.slots.append(f"{WRAPPED} = alloca i1")
            self.line(f"store i1 false, ptr {WRAPPED}")

    def wrap(self, one: Instruction) -> None:
        """An operation of ints that wraps round, which is noted."""
        over = self.with_overflow(one, one.op.split(" ")[1])
        before = self.set(f"load i1, ptr {WRAPPED}")
        both = self.set(f"or i1 {before}, {over}")
        self.line(f"store i1 {both}, ptr {WRAPPED}")

    def with_overflow(self, one: Instruction, word: str) -> str:
        """Keep what an operation of ints gives; whether that is too large for them."""
        kind = one.outs[0].type
        name = f"llvm.{word}.with.overflow.{kind}"
        pair = f"{{ {kind}, i1 }}"
        self.symbol(name, f"declare {pair} @{name}({kind}, {kind})")
        a, b = (self.read(arg, kind) for arg in one.args)
        both = self.set(f"call {pair} @{name}({kind} {a}, {kind} {b})")
        self.keep(one.outs[0], self.set(f"extractvalue {pair} {both}, 0"))
        return self.set(f"extractvalue {pair} {both}, 1")

    def regain(self, one: Instruction) -> None:
        """Compute an operand anew from what an operation of ints has given.

        So where all goes well it need not be kept, and the operation is done in its
        place: a copy of it would be one more step in a chain of sums. LLVM is not told
        that this is what it was.
        """
        (out,), (a, b) = one.outs, one.args
        if one.op not in REGAINED or not isinstance(a, Local) or a is b:
            return
        old, other, word = a, b, "sub" if one.op == "sadd" else "add"
        if isinstance(b, Local) and a in self.loaded:
            old, other, word = b, a, "sub"
        if old is out:
            return
        kind = out.type
        given = self.read(out, kind)
        given = self.set(f'call {kind} asm "", "=r,0"({kind} {given})')
        operands = given, self.read(other, kind)
        if one.op == "ssub" and old is b:
            operands = operands[1], operands[0]
        self.keep(old, self.set(f"{word} {kind} {', '.join(operands)}"))

    def with_wrapped(self, flags: str) -> str:
        """The flags, and whether an int has wrapped round."""
        if not self.wraps:
            return flags
        some = self.set(f"load i1, ptr {WRAPPED}")
        more = self.set(f"select i1 {some}, i32 {OVER}, i32 0")
        return self.set(f"or i32 {flags}, {more}")
