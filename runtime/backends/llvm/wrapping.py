"""wrapping: operations of ints that wrap round, as text; see `outgrown.py`."""

from __future__ import annotations

from runtime.backends.llvm.float_errors import OVER
from runtime.backends.llvm.loops import Instruction
from runtime.backends.llvm.watching import Watching

# Whether one has wrapped round.
WRAPPED = "%wrapped"


class Wrapping(Watching):
    """The text, with operations of ints that wrap round.

    wraps: whether there are some
    """

    wraps = False

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

    def with_wrapped(self, flags: str) -> str:
        """The flags, and whether an int has wrapped round."""
        if not self.wraps:
            return flags
        some = self.set(f"load i1, ptr {WRAPPED}")
        more = self.set(f"select i1 {some}, i32 {OVER}, i32 0")
        return self.set(f"or i32 {flags}, {more}")
