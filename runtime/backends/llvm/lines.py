"""lines: the lines of LLVM's text, and the names in them, under construction."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.backends.llvm.loops import Local, Operand

# How LLVM's intrinsics call the types of floats.
LLVM_TYPES = {"float": "f32", "double": "f64"}
# What keeps operations apart, at no instruction (`chosen.py`).
FENCE = "llvm.arithmetic.fence"
# How LLVM calls them, without the type: `llvm.NAME.TYPE`.
INTRINSICS = frozenset(
    {"sqrt", "copysign", "fabs", "floor", "ceil", "trunc", "rint", "smax"}
    | {"smin", "umax", "umin", "ctpop"}
)
OVERFLOWING = frozenset({"sadd", "ssub", "smul", "uadd", "usub", "umul"})
# The word for what does the same and wraps round: `wrap sadd`.
WRAP = "wrap"
# The word for the call of a function of ours (`helpers.py`).
HELPER = "helper"
# That for one of NumPy's loops over matrices (`linear.py`).
LINEAR = "linear"
CONVERSIONS = frozenset(
    {"sext", "zext", "sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc"}
    | {"bitcast"}
)
# What NumPy may warn of.
RAISING = frozenset(
    {"fadd", "fsub", "fmul", "fdiv", "sqrt", "fptrunc", "fptosi", "fptoui"}
)


class Lines:
    """The text of one function.

    slots:   what it has on the stack, once, whatever loops run; has_flags: a slot for
             the processor's flags, too
    outside: declarations of what is not in the module, by name
    mostly:  what LLVM is told of a test that mostly holds; nothing without notes
    """

    mostly = ", !prof !1"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.has_flags = False
        self.outside: dict[str, str] = {}
        # Where an object is not of the kind that is wanted.
        self.miss = "miss"
        # LLVM's metadata: what is unlikely, and what is likely. Of tests whose chance
        # LLVM does not know a few make all that follows seem to be run hardly ever.
        self.notes = [
            '!0 = !{!"branch_weights", i32 1, i32 100000}',
            '!1 = !{!"branch_weights", i32 100000, i32 1}',
        ]
        self._count = 0

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def slot_of(self, name: str, kind: str) -> None:
        """A slot of this name, which is one wherever it is wanted."""
        slot = f"{name} = alloca {kind}"
        if slot not in self.slots:
            self.slots.append(slot)

    def fresh(self) -> str:
        self._count += 1
        return f"%t{self._count}"

    def fresh_label(self) -> str:
        self._count += 1
        return f"l{self._count}"

    def note(self, text: str) -> str:
        """The name of a note to LLVM."""
        name = f"!{len(self.notes)}"
        self.notes.append(f"{name} = {text}")
        return name

    def set(self, text: str) -> str:
        """A name for the result of an LLVM instruction."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def read(self, operand: Operand, kind: str) -> str:
        """An operand as LLVM writes it, without its type."""
        if isinstance(operand, Local):
            # By far most lines: of `set`, without the calls.
            self._count += 1
            name = f"%t{self._count}"
            load = f"  {name} = load {operand.type}, ptr %{operand.name}"
            self.lines.append(load)
            return name
        return literal(operand, kind)

    def keep(self, local: Local, value: str) -> None:
        """Write a local."""
        self.lines.append(f"  store {local.type} {value}, ptr %{local.name}")

    def symbol(self, name: str, declaration: str) -> str:
        """A name from outside the module."""
        self.outside.setdefault(name, declaration)
        return f"@{name}"

    def to_label(self, name: str) -> None:
        """Go on at a label, which is written next."""
        self.line(f"br label %{name}")
        self.label(name)

    def unless(self, condition: str, label: str) -> None:
        """Go to the label if the condition does not hold, which is rare."""
        after = self.fresh_label()
        ways = f"label %{after}, label %{label}"
        self.line(f"br i1 {condition}, {ways}{self.mostly}")
        self.label(after)

    @contextmanager
    def seldom(self, condition: str) -> Iterator[str]:
        """What is done where the condition holds, which is rare.

        It ends in a jump, to the label that is given or to another one.
        """
        inside, after = self.fresh_label(), self.fresh_label()
        self.line(f"br i1 {condition}, label %{inside}, label %{after}, !prof !0")
        self.label(inside)
        yield after
        self.label(after)

    def is_null(self, thing: str) -> str:
        """Whether there is no such object."""
        return self.set(f"icmp eq ptr {thing}, null")

    def field(self, thing: str, offset: int, kind: str) -> str:
        """What lies in an object at an offset."""
        at = self.set(f"getelementptr i8, ptr {thing}, i64 {offset}")
        return self.set(f"load {kind}, ptr {at}")

    def require(self, kind: str, a: str, b: str | int) -> None:
        """Miss unless both are equal."""
        self.unless(self.set(f"icmp eq {kind} {a}, {b}"), self.miss)

    def without_error(self, thing: str) -> str:
        """Miss where there is no such thing; Python says why."""
        with self.seldom(self.is_null(thing)):
            self.line("call void @PyErr_Clear()")
            self.line(f"br label %{self.miss}")
        return thing


def literal(value: Any, kind: str) -> str:
    """A number as LLVM's text writes it."""
    if kind == "ptr":
        return f"inttoptr (i64 {value} to ptr)"
    if kind == "i1":
        return "true" if value else "false"
    if kind in LLVM_TYPES:
        value = float(value)
        if kind == "float" and math.isfinite(value):
            value = float(np.float32(value))
        return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
    return str(int(value))
