"""records: the least and the greatest so far without jumps, and once more with them.

`if x[i] < low: low = x[i]` is a jump where it is asked what the processor notes, since
its lesser and greater of two floats note a NaN. Turns that store nothing may be done
twice: first by those, and where anything was noted meanwhile once more from where they
began, by jumps, as if nothing had been noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from runtime.backends.llvm.chunks import CHUNK
from runtime.backends.llvm.float_errors import INVALID
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.lesser import FLOATS, LESS, STRICT, Choice, Orders
from runtime.backends.llvm.loops import Instruction, Local, Operand
from runtime.backends.llvm.processor import has_quick_extremes
from runtime.backends.llvm.stretches import SIMPLE
from runtime.backends.llvm.switch import features
from runtime.backends.llvm.unused import last_move

if TYPE_CHECKING:
    from runtime.backends.llvm.text import Text

# Fewer turns are done once: to ask what was noted takes as long as ten of them.
FEW = 64
# What is in a turn that may be done twice, and what gives the same for the same.
WORDS = SIMPLE - {"store", "own"}
_SAME = frozenset({"fadd", "fsub", "fmul", "fdiv", "fneg", "load", "address"})


class Kept(NamedTuple):
    """A local that gets a value with each record, and keeps what it has without.

    best: what turns hand on of the least or greatest, which each record changes
    """

    local: Local
    value: Operand
    best: Local


class Records(NamedTuple):
    """What a turn does to the least and the greatest so far.

    choices: by the `if` that keeps them; kept: what is known behind the turns
    handed:  what a turn hands on
    """

    choices: dict[int, list[Choice]]
    kept: list[Kept]
    handed: tuple[Local, ...]


def write_turns(
    text: Text, loop: Instruction, write: Callable[[Instruction], None]
) -> None:
    """The turns of a loop: twice, where the processor's extremes are tried first."""
    is_fit = text.warns and text.in_mxcsr and not text.is_watched(loop.blocks)
    found = records_of(text.orders, loop) if is_fit and _is_quick() else None
    bounds = [one for one in counted(loop) if one is not None] if found else []
    if found is None or len(bounds) < 2:
        write(loop)
        return
    trial, failed, again, after = (text.fresh_label() for _ in range(4))
    before = text.flags()
    begun = {one: text.read(one, one.type) for one in found.handed}
    # What was noted before would hide what is noted now.
    noted = text.set(f"and i32 {before}, {INVALID}")
    is_new = text.set(f"icmp eq i32 {noted}, 0")
    first, last = (text.read(one, "i64") for one in bounds)
    is_long = text.set(f"icmp sge i64 {text.set(f'sub i64 {last}, {first}')}, {FEW}")
    both = text.set(f"and i1 {is_new}, {is_long}")
    text.line(f"br i1 {both}, label %{trial}, label %{again}")
    text.label(trial)
    text.orders.at_once = found.choices
    write(loop)
    text.orders.at_once = {}
    for local, value, best in found.kept:
        kind, end = best.type, text.read(best, best.type)
        is_other = text.set(f"fcmp une {kind} {end}, {begun[best]}")
        sides = f"{local.type} {text.read(value, local.type)}, "
        sides += f"{local.type} {begun[local]}"
        text.keep(local, text.set(f"select i1 {is_other}, {sides}"))
    fails = text.noted_since(before)
    text.line(f"br i1 {fails}, label %{failed}, label %{after}, !prof !0")
    text.label(failed)
    for local, first in begun.items():
        text.keep(local, first)
    text.line(f"br label %{again}")
    text.label(again)
    write(loop)
    text.to_label(after)


def _is_quick() -> bool:
    return has_quick_extremes() and bool(features().get("AVX"))


def records_of(orders: Orders, loop: Instruction) -> Records | None:
    """What the turns of a loop keep, if that can be found out twice."""
    inside = [one for block in loop.blocks for one in block.walk()]
    words = {one.op.split(" ")[0] for one in inside}
    if loop.type != CHUNK or not words <= WORDS or any(one.exit for one in inside):
        return None
    made = _Turn(orders, loop).records()
    return made if made.choices else None


class _Turn:
    """One turn.

    ends:   what it hands on, by what the next one has it in
    values: the first local that has the same value
    """

    def __init__(self, orders: Orders, loop: Instruction) -> None:
        self.orders, self.turn = orders, loop.blocks[1]
        self.ends = last_move(self.turn)
        inside = [one for block in loop.blocks for one in block.walk()]
        self.written = {out for one in inside for out in one.outs}
        self.uses = Counter(arg for one in inside for arg in one.args)
        self.values: dict[Operand, Operand] = {}
        known: dict[object, Local] = {}
        for one in inside:
            args = tuple(map(self._value, one.args))
            if one.op == "same":
                self.values[one.outs[0]] = args[0]
            elif one.op in _SAME:
                out = one.outs[0]
                names = tuple(
                    arg if isinstance(arg, Local) else repr(arg) for arg in args
                )
                self.values[out] = known.setdefault((one.op, out.type, names), out)

    def _value(self, operand: Operand) -> Operand:
        return self.values.get(operand, operand)

    def _key(self, operand: Operand) -> object:
        value = self._value(operand)
        return value if isinstance(value, Local) else repr(float(value))

    def records(self) -> Records:
        """All of them; each `if` that is not one stays as it is."""
        choices: dict[int, list[Choice]] = {}
        kept: list[Kept] = []
        for one in self.turn.instructions:
            if one.op == "if" and not self.orders.chosen(one):
                found = self._record(one)
                if found is not None:
                    choices[id(one)] = found[0]
                    kept += found[1]
        return Records(choices, kept, (*self.ends,))

    def _record(self, one: Instruction) -> tuple[list[Choice], list[Kept]] | None:
        test = self.orders.test_of(one)
        then, orelse = map(last_move, one.blocks)
        if test is None or not then or then.keys() != orelse.keys():
            return None
        choices, kept = [], []
        for out in then:
            if out.type in FLOATS:
                choices.append(self._choice(test, out, then[out], orelse[out]))
        best = self._best(choices) if test.op in STRICT else None
        for out in then:
            if out.type not in FLOATS:
                kept.append(self._kept(out, then[out], orelse[out], best))
        if not choices or None in choices or None in kept:
            return None
        return [c for c in choices if c], [k for k in kept if k]

    def _choice(
        self, test: Instruction, out: Local, then: Operand, orelse: Operand
    ) -> Choice | None:
        """The lesser or greater of what is compared, as the test has both."""
        a, b = test.args
        sides = self._key(then), self._key(orelse)
        compared = self._key(a), self._key(b)
        if out.type != test.type or len({*sides}) < 2 or {*sides} != {*compared}:
            return None
        is_first = sides[0] == compared[0]
        is_lesser = (test.op in LESS) is is_first
        pair = (a, b) if is_first else (b, a)
        return Choice(test, out, *pair, is_lesser, may_note=True)

    def _best(self, choices: list[Choice | None]) -> Local | None:
        """What turns hand on of one that each record makes another number."""
        for one in choices:
            if one is not None and isinstance(one.orelse, Local):
                root = self._value(one.orelse)
                if (
                    isinstance(root, Local)
                    and self._value(self.ends.get(root, 0)) is one.out
                ):
                    return root
        return None

    def _kept(
        self, out: Local, then: Operand, orelse: Operand, best: Local | None
    ) -> Kept | None:
        stays = not isinstance(then, Local) or then not in self.written
        is_own = isinstance(orelse, Local) and self.ends.get(orelse) is out
        # Nothing else in the turn asks for either of them.
        is_own = is_own and self.uses[out] == self.uses[orelse] == 1
        if best is None or not stays or not is_own or not isinstance(orelse, Local):
            return None
        return Kept(orelse, then, best)
