"""lesser: one of two floats that data tell, without a jump, as LLVM's text.

What chooses by a comparison that is not noted is a jump, since LLVM has no other such
comparison of numbers that are not vectors. Of what data tell the processor guesses it
wrong in every other turn. x86 processors have the lesser and the greater of two floats
as one operation, which notes a NaN. So it is asked first, without a note, whether one
of both is NaN, which is guessed right and nobody waits for. Others are chosen by a
comparison of which nothing is noted. The least of all so far stays
a jump: fewer and fewer are less, so what is done with one stands behind the loop. So
does what waits for the turn before, but for the lesser of two that data tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand
from runtime.backends.llvm.switch import features
from runtime.backends.llvm.unused import moved_by, read_by

# The word for an `if` by floats that stays a branch, and what keeps it one: what waits
# for a comparison that is not noted waits four times as long as for others.
JUMPS, JUMP = "jumps", 'call void asm sideeffect "", ""()'
# What the processor calls comparisons of which it notes nothing.
_QUIET = {"fcmp olt": 17, "fcmp ole": 18, "fcmp oge": 29, "fcmp ogt": 30}
LESS, STRICT = frozenset({"fcmp olt", "fcmp ole"}), frozenset({"fcmp olt", "fcmp ogt"})
# The suffix and the lanes of a register of 16 bytes, by the type of a float.
_FORMS = {"double": ("d", 2), "float": ("s", 4)}
_PARTS = {"double": "sse2", "float": "sse"}
FLOATS = frozenset(_FORMS)
_CURRENT = 4  # the rounding that is set


class Orders:
    """Comparisons of floats, and what turns hand on.

    loops:  those whose turns come one after the other
    tests:  the comparison, by the local that it is in
    of_wide: those of a number that was made wider with a constant
    handed: what comes next in a local, with that local
    at_once: what an `if` chooses while records are tried (`records.py`)
    """

    at_once: Mapping[int, list[Choice]] = MappingProxyType({})

    def __init__(self, instructions: Sequence[Instruction]) -> None:
        self.loops = [one for one in instructions if one.op == "while"]
        compared = (one for one in instructions if one.op.startswith("fcmp "))
        self._wide = {one.outs[0] for one in instructions if one.op == "fpext"}
        self.tests = {one.outs[0]: one for one in compared}
        # Two loops for one have the same locals, and not all are the same in both.
        made = {(out, one.op, one.args) for one in instructions for out in one.outs}
        counts = Counter(out for out, *_ in made)
        self._varied = {out for out, count in counts.items() if count > 1}
        self.same: dict[Operand, Operand] = {
            out: args[0]
            for out, op, args in made
            if op == "same" and out not in self._varied
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

    def chosen(self, one: Instruction) -> list[Choice]:
        """What an `if` that only moves chooses, where that needs no jump."""
        if id(one) in self.at_once:
            return self.at_once[id(one)]
        test = self.test_of(one)
        if test is None:
            return []
        moved = moved_by(one)
        found = [self._choice(test, *each) for each in moved]
        if one.type == JUMPS and any(c and c.is_lesser is None for c in found):
            return []
        has_floats = any(out.type in FLOATS for out, *_ in moved)
        if not has_floats or None in found:
            return []
        return [choice for choice in found if choice is not None]

    def test_of(self, one: Instruction) -> Instruction | None:
        """The comparison of order of two floats that an `if` goes by."""
        test = self.tests.get(one.args[0]) if isinstance(one.args[0], Local) else None
        if test is None or test.type not in _FORMS or test.op not in _QUIET:
            return None
        return None if one.args[0] in self._varied else test

    def _choice(
        self, test: Instruction, out: Local, then: Operand, orelse: Operand
    ) -> Choice | None:
        if out.type not in FLOATS:
            return Choice(test, out, then, orelse)
        operands = [self.root(arg) for arg in test.args]
        sides = [self._key(then), self._key(orelse)]
        keys = [self._key(arg) for arg in operands]
        are_compared = {*sides} == {*keys} and len({*sides}) == 2
        if out.type != test.type or any((arg, out) in self.handed for arg in operands):
            return None
        if not (are_compared and all(isinstance(arg, Local) for arg in operands)):
            # It would be waited for, and a jump is not.
            if not self.waiting.isdisjoint({then, orelse, *operands}):
                return None
        is_lesser = (test.op in LESS) is (sides[0] == keys[0])
        return Choice(test, out, then, orelse, is_lesser if are_compared else None)

    def _key(self, operand: Operand) -> object:
        """What tells an operand from others."""
        return (
            self.root(operand) if isinstance(operand, Local) else repr(float(operand))
        )

    @cached_property
    def waiting(self) -> set[Operand]:
        """Floats that are computed of what the turn before has left."""
        found: set[Operand] = set()
        for loop in self.loops:
            turn = [*loop.blocks[1].walk()]
            written = {out for one in turn for out in one.outs if out.type in _FORMS}
            seen: set[Operand] = set()
            for one in turn:
                found.update(written.intersection(read_by(one)) - seen)
                seen.update(one.outs)
            for one in turn:
                if not found.isdisjoint(one.args):
                    found.update(out for out in one.outs if out.type in _FORMS)
        return found

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


class Choice(NamedTuple):
    """One of two numbers, by how floats compare.

    is_lesser: whether it is the lesser of both that are compared; False: the greater
    may_note:  whether a NaN may be noted
    """

    test: Instruction
    out: Local
    then: Operand
    orelse: Operand
    is_lesser: bool | None = None
    may_note: bool = False


def _given(block: Block) -> dict[Local, Operand]:
    """What a block puts where at its end."""
    *_, last = block.instructions or (None,)
    if last is None or last.op != "move":
        return {}
    return dict(zip(last.outs, last.args, strict=True))


def choose(text: Lines, found: Sequence[Choice]) -> bool:
    """Whether it was written: there is one, and this processor can compare so."""
    if not found or not features().get("AVX"):
        return False
    # None is written before all are read.
    values = [_way(one)(text, one) for one in found]
    for one, value in zip(found, values, strict=True):
        text.keep(one.out, value)
    return True


def _way(found: Choice) -> Callable[[Lines, Choice], str]:
    if found.out.type not in _FORMS:
        return _plain
    if found.may_note:
        return _extreme
    if found.is_lesser is not None:
        return _by_extreme
    return _by_bit if features().get("AVX512F") else _by_mask


def _plain(text: Lines, found: Choice) -> str:
    kind, test = found.out.type, text.read(found.test.outs[0], "i1")
    then, orelse = (text.read(one, kind) for one in (found.then, found.orelse))
    return text.set(f"select i1 {test}, {kind} {then}, {kind} {orelse}")


def _by_bit(text: Lines, found: Choice) -> str:
    """By a comparison that is not noted, and gives a truth."""
    kind = found.test.type
    values = [*found.test.args, found.then, found.orelse]
    a, b, then, orelse = (text.read(one, kind) for one in values)
    (suffix, _), many = _FORMS[kind], _many(kind)
    name = f"llvm.x86.avx512.mask.cmp.s{suffix}"
    text.symbol(name, f"declare i8 @{name}({many}, {many}, i32, i8, i32)")
    both = ", ".join(f"{many} {_wide(text, kind, one)}" for one in (a, b))
    inside = f"{both}, i32 {_QUIET[found.test.op]}, i8 -1, i32 {_CURRENT}"
    mask = text.set(f"call i8 @{name}({inside})")
    test = text.set(f"trunc i8 {mask} to i1")
    return text.set(f"select i1 {test}, {kind} {then}, {kind} {orelse}")


def _by_mask(text: Lines, found: Choice) -> str:
    """By a comparison that is not noted, and gives a mask."""
    kind = found.test.type
    values = [*found.test.args, found.orelse, found.then]
    a, b, *sides = (_wide(text, kind, text.read(one, kind)) for one in values)
    (suffix, _), many, part = _FORMS[kind], _many(kind), _PARTS[kind]
    name, blend = f"llvm.x86.{part}.cmp.s{suffix}", f"llvm.x86.sse41.blendvp{suffix}"
    text.symbol(name, f"declare {many} @{name}({many}, {many}, i8)")
    text.symbol(blend, f"declare {many} @{blend}({many}, {many}, {many})")
    inside = f"{many} {a}, {many} {b}, i8 {_QUIET[found.test.op]}"
    mask = text.set(f"call {many} @{name}({inside})")
    inside = ", ".join(f"{many} {one}" for one in (*sides, mask))
    both = text.set(f"call {many} @{blend}({inside})")
    return text.set(f"extractelement {many} {both}, i32 0")


def _by_extreme(text: Lines, found: Choice) -> str:
    """By the processor's lesser or greater of both, where neither is NaN."""
    kind = found.test.type
    then, orelse = (text.read(one, kind) for one in (found.then, found.orelse))
    before, usual, after = (text.fresh_label() for _ in range(3))
    text.to_label(before)
    is_nan = text.set(f"fcmp uno {kind} {then}, {orelse}")
    text.line(f"br i1 {is_nan}, label %{after}, label %{usual}, !prof !0")
    text.label(usual)
    least = _extreme(text, found)
    text.to_label(after)
    # No order holds of NaN.
    ways = f"[ {orelse}, %{before} ], [ {least}, %{usual} ]"
    return text.set(f"phi {kind} {ways}")


def _extreme(text: Lines, found: Choice) -> str:
    """The processor's lesser or greater of both, by which a NaN is noted.

    It gives the second one of two that are equal, which may be zeros of two signs.
    """
    kind = found.test.type
    then, orelse = (text.read(one, kind) for one in (found.then, found.orelse))
    sides = [then, orelse] if found.test.op in STRICT else [orelse, then]
    (suffix, _), many = _FORMS[kind], _many(kind)
    word = "min" if found.is_lesser else "max"
    name = f"llvm.x86.{_PARTS[kind]}.{word}.s{suffix}"
    text.symbol(name, f"declare {many} @{name}({many}, {many})")
    inside = ", ".join(f"{many} {_wide(text, kind, one)}" for one in sides)
    both = text.set(f"call {many} @{name}({inside})")
    return text.set(f"extractelement {many} {both}, i32 0")


def _wide(text: Lines, kind: str, value: str) -> str:
    """A register with a number in its first place."""
    many = _many(kind)
    return text.set(f"insertelement {many} poison, {kind} {value}, i32 0")


def _many(kind: str) -> str:
    """The type of a register."""
    return f"<{_FORMS[kind][1]} x {kind}>"


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
