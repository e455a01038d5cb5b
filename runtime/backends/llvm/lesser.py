"""lesser: the lesser of two floats that data tell, without a jump, as LLVM's text.

What chooses by a comparison that is not noted is a jump, since LLVM has no other such
comparison of numbers that are not vectors. Of what data tell the processor guesses it
wrong in every other turn. x86 processors with AVX can compare so that nothing is noted,
and choose by that. The least of all so far stays a jump: fewer and fewer are less, so
what is done with one stands behind the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import DOUBLE, Block, Instruction, Local, Operand
from runtime.backends.llvm.switch import features

# The word for an `if` by floats that stays a branch, and what keeps it one: what waits
# for a comparison that is not noted waits four times as long as for others.
JUMPS, JUMP = "jumps", 'call void asm sideeffect "", ""()'
# What the processor calls comparisons of which it notes nothing.
_QUIET = {"olt": 17, "ole": 18, "oge": 29, "ogt": 30}
# The suffix and the lanes of a register of 16 bytes, by the type of a float.
_FORMS = {"double": ("d", 2), "float": ("s", 4)}
_CURRENT = 4  # the rounding that is set


class Orders:
    """Comparisons of floats, and what turns hand on.

    tests:  the comparison, by the local that it is in
    of_wide: those of a number that was made wider with a constant
    handed: what comes next in a local, with that local
    """

    def __init__(self, instructions: Sequence[Instruction]) -> None:
        compared = (one for one in instructions if one.op.startswith("fcmp "))
        self._wide = {one.outs[0] for one in instructions if one.op == "fpext"}
        self.tests = {one.outs[0]: one for one in compared}
        self.same: dict[Operand, Operand] = {
            one.outs[0]: one.args[0] for one in instructions if one.op == "same"
        }
        self.handed = {
            (out, self.root(arg))
            for one in instructions
            if one.op == "move"
            for out, arg in zip(one.outs, one.args, strict=True)
        }

        others = (one for one in instructions if one.op not in ("fpext", "same"))
        used = {
            self.root(arg)
            for one in others
            if not one.op.startswith("fcmp ")
            for arg in one.args
        }
        self._wide.intersection_update(used)
        self.of_wide = {out for out, one in self.tests.items() if self._is_of_wide(one)}

    def _is_of_wide(self, test: Instruction) -> bool:
        """Whether it compares a wider number, which is used too, with a constant."""
        known = [isinstance(arg, Local) for arg in test.args]
        return not all(known) and any(self.root(arg) in self._wide for arg in test.args)

    def root(self, operand: Operand) -> Operand:
        """What an operand is the same as."""
        return self.same.get(operand, operand)

    def stays(self, one: Instruction, is_noted: bool) -> bool:
        """Whether an `if` by floats is to be a branch."""
        return one.args[0] in self.tests and (is_noted or one.type == JUMPS)

    def lesser(self, one: Instruction) -> Lesser | None:
        """What an `if` chooses, where it is one of the two that were compared."""
        test = self.tests.get(one.args[0]) if isinstance(one.args[0], Local) else None
        sides = [made for block in one.blocks if (made := _moved(block)) is not None]
        if test is None or len(sides) != len(one.blocks) or len(sides) < 2:
            return None
        (out, then), (other, orelse) = sides
        if out is not other or test.type not in _FORMS or then is orelse:
            return None
        operands = [self.root(arg) for arg in test.args]
        if not all(isinstance(arg, Local) for arg in operands):
            return None
        if {self.root(then), self.root(orelse)} != {*operands}:
            return None
        if any((arg, out) in self.handed for arg in operands):
            return None
        order = test.op.removeprefix("fcmp ")
        return Lesser(order, test, out, then, orelse) if order in _QUIET else None

    def is_record(self, one: Instruction) -> bool:
        """Whether the first branch of an `if`, it alone, has a new least or greatest.

        What the turns so far have left is compared, and its second branch keeps it.
        """
        test = self.tests.get(one.args[0]) if isinstance(one.args[0], Local) else None
        moves = [_given(block) for block in one.blocks]
        if test is None or len(moves) < 2:
            return False
        then, orelse = moves
        operands = [self.root(arg) for arg in test.args]
        return any(
            (kept, out) in self.handed
            and self.root(orelse[out]) is kept
            and self.root(then.get(out, kept)) is not kept
            for out in orelse
            for kept in operands
        )


class Lesser(NamedTuple):
    """One of two floats, by how they compare."""

    order: str
    test: Instruction
    out: Local
    then: Operand
    orelse: Operand


def _given(block: Block) -> dict[Local, Operand]:
    """What a block puts where at its end."""
    *_, last = block.instructions or (None,)
    if last is None or last.op != "move":
        return {}
    return dict(zip(last.outs, last.args, strict=True))


def _moved(block: Block) -> tuple[Local, Operand] | None:
    """What a block puts where, if that is all it does."""
    if len(block.instructions) != 1:
        return None
    (one,) = block.instructions
    if one.op != "move" or len(one.outs) != 1:
        return None
    return one.outs[0], one.args[0]


def choose(text: Lines, found: Lesser | None) -> bool:
    """Whether it was written: there is one, and this processor can compare so."""
    has = features()
    if found is None or not has.get("AVX") or found.test.type != found.out.type:
        return False
    kind = found.test.type
    suffix, count = _FORMS[kind]
    many, quiet = f"<{count} x {kind}>", _QUIET[found.order]
    values = [*found.test.args, found.then, found.orelse]
    a, b, then, orelse = (text.read(one, kind) for one in values)

    def wide(value: str) -> str:
        return text.set(f"insertelement {many} poison, {kind} {value}, i32 0")

    if has.get("AVX512F"):
        name = f"llvm.x86.avx512.mask.cmp.s{suffix}"
        text.symbol(name, f"declare i8 @{name}({many}, {many}, i32, i8, i32)")
        inside = f"{many} {wide(a)}, {many} {wide(b)}, i32 {quiet}, i8 -1"
        mask = text.set(f"call i8 @{name}({inside}, i32 {_CURRENT})")
        test = text.set(f"trunc i8 {mask} to i1")
        made = text.set(f"select i1 {test}, {kind} {then}, {kind} {orelse}")
    else:
        part = "sse2" if kind == DOUBLE else "sse"
        name, blend = (
            f"llvm.x86.{part}.cmp.s{suffix}",
            f"llvm.x86.sse41.blendvp{suffix}",
        )
        text.symbol(name, f"declare {many} @{name}({many}, {many}, i8)")
        text.symbol(blend, f"declare {many} @{blend}({many}, {many}, {many})")
        inside = f"{many} {wide(a)}, {many} {wide(b)}, i8 {quiet}"
        mask = text.set(f"call {many} @{name}({inside})")
        sides = f"{many} {wide(orelse)}, {many} {wide(then)}, {many} {mask}"
        both = text.set(f"call {many} @{blend}({sides})")
        made = text.set(f"extractelement {many} {both}, i32 0")
    text.keep(found.out, made)
    return True


def compare(text: Any, one: Instruction) -> None:
    """A comparison of floats.

    LLVM takes one of a float32 that was made wider for one of the float32 itself, and
    the choice by it for an extreme, whose zeros may have the other sign. It does not
    where what is compared is another number, which has the same bits.
    """
    a, b = (text.read(arg, one.type) for arg in one.args)
    if one.outs[0] in text.orders.of_wide:
        name, kind = "llvm.canonicalize.f64", one.type
        canonical = text.symbol(name, f"declare {kind} @{name}({kind})")
        first = isinstance(one.args[0], Local)
        made = text.set(f"call {kind} {canonical}({kind} {a if first else b})")
        a, b = (made, b) if first else (a, made)
    text.keep(one.outs[0], text.set(f"{one.op} {one.type} {a}, {b}"))
