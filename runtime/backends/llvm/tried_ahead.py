"""tried_ahead: the ints of a stretch of turns, computed once before without a store.

How large what turns read is says little of ints of 8 or 16 bits, which it fills, and of
quotients, whose size nobody follows (`reads_ahead.py`). So a stretch first computes its
sums and products in vectors, and notes whether one has outgrown its dtype. If none has
the turns are done without looking; else one by one, and leave where they did. What is
computed once more is cheap: it is in vectors, and what it reads is near by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.lines import RAISING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    TURNS,
    Block,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.read_rows import Places, Unfit
from runtime.backends.llvm.reads_ahead import ReadsAhead, with_strides, without_exits
from runtime.structs import replace, struct

# What may leave, and what does the same without.
_PLAIN = {
    f"{sign}{word}": word for sign in ("s", "u") for word in ("add", "sub", "mul")
}
# What holds all products of two ints.
_WIDER = {"i8": "i16", "i16": "i32", "i32": INT}


def tried_ahead(
    steps: list[Instruction], ends: dict[Local, Operand], counter: Local
) -> ReadsAhead | None:
    """The turns without ways out; None where they have none, or do something else."""
    leaves = [one for one in Block(steps).walk() if one.exit]
    kinds = {one.outs[0].type for one in leaves if one.op in _PLAIN}
    is_plain = all(one.op in _PLAIN and one in steps for one in leaves)
    if ends or not leaves or not is_plain or len(kinds) > 1:
        return None
    (kind,) = kinds
    if kind not in _WIDER and any(_PLAIN[one.op] == "mul" for one in leaves):
        return None
    try:
        return _ahead(steps, counter, leaves, kind)
    except Unfit:
        return None


def _ahead(
    steps: list[Instruction], counter: Local, leaves: list[Instruction], kind: str
) -> ReadsAhead:
    inside = [*Block(steps).walk()]
    tried = _needed(steps, Places(inside, counter, {}), leaves)
    loads = {one.outs[0]: one for one in tried if one.op == "load"}
    stores = [one for one in inside if one.op == "store"]
    at = Places(inside, counter, loads)
    rows = at.rows(loads)
    kinds = {one.args[0]: one.outs[0].type for one in loads.values()}
    kinds |= {one.args[0]: one.type for one in stores}
    places = [place for place in kinds if isinstance(place, Local)]
    return ReadsAhead(
        without_exits(steps, _PLAIN),
        {},
        counter,
        at.reading(places, rows),
        rows,
        [],
        at.pairs(rows, stores),
        0,
        kind,
        {place: SIZES[kinds[place]] for place in places},
        trial=Trial(tried, counter, kind),
    )


def _needed(
    steps: list[Instruction], at: Places, leaves: list[Instruction]
) -> list[Instruction]:
    """What the ints are computed of, in the order of the steps."""
    known = {id(one) for one in steps}
    wanted = {id(one) for one in leaves}
    asked = [arg for one in leaves for arg in one.args]
    while asked:
        made = at.maker(asked.pop())
        if made is None or id(made) in wanted:
            continue
        # What a branch gives is not known, and floats would be noted twice.
        if id(made) not in known or made.blocks or made.op in RAISING:
            raise Unfit
        wanted.add(id(made))
        asked += made.args
    return [one for one in steps if id(one) in wanted]


@struct(eq=False, frozen=False)
class Trial:
    """What computes the ints of a turn.

    steps: without stores; kind: the type of what may outgrow it
    """

    steps: list[Instruction]
    counter: Local
    kind: str

    def fits(
        self,
        lowering: Lowering,
        first: Local,
        count: Operand,
        strides: Mapping[Operand, int],
    ) -> Local:
        """Whether nothing outgrows its dtype in so many turns."""
        wide = _WIDER.get(self.kind, self.kind)
        signs, above = lowering.local(self.kind), lowering.local(wide)
        lowering.assign([signs, above], [0, 0])
        index = lowering.local(INT)
        place = Instruction("add", (self.counter,), (first, index), type=INT)
        turn = _Turn(lowering, self.kind, wide, [place], signs, above)
        for one in self.steps:
            turn.step(one)
        turn.steps.append(Instruction("move", (signs, above), (turn.signs, turn.above)))
        block = with_strides(Block(turn.steps), strides)
        lowering.emit("for", index, count, type=TURNS, blocks=(block,))
        fits = lowering.compute("icmp sge", BIT, signs, 0, type=self.kind)
        none = lowering.compute("icmp eq", BIT, above, 0, type=wide)
        return lowering.compute("and", BIT, fits, none, type=BIT)


@struct(eq=False, frozen=False)
class _Turn:
    """A turn of the trial, as it is made.

    signs: an int whose sign says that a sum was too large
    above: one that is not 0 if a product was
    """

    lowering: Lowering
    kind: str
    wide: str
    steps: list[Instruction]
    signs: Operand
    above: Operand

    def step(self, one: Instruction) -> None:
        """A step; of what may leave it is noted whether it would."""
        if not one.exit:
            self.steps.append(replace(one))
            return
        word, (out,) = _PLAIN[one.op], one.outs
        is_signed = one.op[0] == "s"
        if word == "mul":
            self._multiply(out, one.args, "sext" if is_signed else "zext")
            return
        self.steps.append(Instruction(word, (out,), one.args, type=self.kind))
        a, b = one.args
        over = (self._over if is_signed else self._carried)(word, a, b, out)
        self.signs = self._set("or", self.signs, over)

    def _over(self, word: str, a: Operand, b: Operand, out: Local) -> Local:
        """Its sign is 1 where the ints have one sign, and their sum another."""
        one = self._set("xor", a, out if word == "add" else b)
        return self._set("and", one, self._set("xor", b if word == "add" else a, out))

    def _carried(self, word: str, a: Operand, b: Operand, out: Local) -> Local:
        """Its sign is 1 where there is a bit more, or one was borrowed."""
        if word == "add":
            some = self._set("and", self._set("or", a, b), self._set("xor", out, -1))
            return self._set("or", self._set("and", a, b), some)
        other = self._set("and", self._set("xor", a, -1), b)
        same = self._set("xor", self._set("xor", a, b), -1)
        return self._set("or", other, self._set("and", same, out))

    def _multiply(self, out: Local, args: Iterable[Operand], extend: str) -> None:
        """What it is with more bits, and without them."""
        a, b = (self._extended(arg, extend) for arg in args)
        product = self._set("mul", a, b, self.wide)
        self.steps.append(Instruction("trunc", (out,), (product,), type=self.wide))
        again = self._extended(out, extend)
        other = self._set("xor", product, again, self.wide)
        self.above = self._set("or", self.above, other, self.wide)

    def _extended(self, arg: Operand, extend: str) -> Operand:
        if not isinstance(arg, Local):
            return arg if extend == "sext" else int(arg) % 2 ** (8 * SIZES[self.kind])
        wide = self.lowering.local(self.wide)
        self.steps.append(Instruction(extend, (wide,), (arg,), type=self.kind))
        return wide

    def _set(self, word: str, a: Operand, b: Operand, type: str = "") -> Local:
        out = self.lowering.local(type or self.kind)
        self.steps.append(Instruction(word, (out,), (a, b), type=type or self.kind))
        return out
