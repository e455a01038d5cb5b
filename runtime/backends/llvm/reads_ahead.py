"""reads_ahead: how large the ints are that turns read, seen before a stretch of them.

Turns that compute ints of what they read, and write elsewhere, look at each sum and may
leave: so LLVM makes no vectors of them. A stretch of such turns first goes through all
that they read, in vectors, and notes how large it is. Where it is so small that nothing
computed of it can outgrow its dtype, the turns are done without looking; else one by
one, as they were. What is read must be what the turns will read: no turn writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from runtime.backends.llvm.ahead import SIZES
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
from runtime.backends.llvm.read_rows import Pair, Places, Row, Unfit
from runtime.structs import field, replace, struct

if TYPE_CHECKING:
    from runtime.backends.llvm.tried_ahead import Trial

# What may leave, and what does the same without.
_PLAIN = {"sadd": "add", "ssub": "sub", "smul": "mul"}
# The bits of the dtypes; how many what is read has to be allowed, to be worth it.
_WIDTHS = {INT: (64, 20), "i32": (32, 15)}
_KEEPS = frozenset({"same", "move", "select", "smin", "smax", "and", "or", "xor"})
_SUMS = frozenset({"add", "sub"})


class Size(NamedTuple):
    """The bits of an int at most: so many times those of what is read, and some more.

    reads: what it is computed of: locals that are read, or stay the same in all turns
    """

    times: int
    more: int
    reads: frozenset[Local]


@struct(eq=False, frozen=False)
class ReadsAhead:
    """Turns that cannot leave where what they read is small.

    steps:   of a turn; ends: what it hands on
    reading: what a turn reads its ints by, and the places of them and of its writes
    rows:    the ints that are read; asked: those that are the same in all turns
    pairs:   what is read and what is written, which must lie apart
    bits:    of all these ints at most; kind: their type
    sizes:   of places: bytes of what lies there
    strides: what strides are where all lies in C's order
    trial:   what tells otherwise whether anything outgrows its dtype
    """

    steps: list[Instruction]
    ends: dict[Local, Operand]
    counter: Local
    reading: list[Instruction]
    rows: list[Row]
    asked: list[Local]
    pairs: list[Pair]
    bits: int
    kind: str
    sizes: Mapping[Operand, int]
    strides: Mapping[Operand, int] = field(default_factory=dict)
    trial: Trial | None = None

    def stretch(
        self,
        lowering: Lowering,
        count: Operand,
        is_long: Operand,
        turns: Callable[[], None],
        one_by_one: Callable[[], None],
    ) -> None:
        """So many turns, without looking where nothing can outgrow its dtype.

        is_long: whether they are many, and LLVM makes vectors of them
        """
        is_small = lowering.local(BIT)
        many = lowering.within(lambda: self._look(lowering, count, is_small))
        few = lowering.within(lambda: lowering.assign([is_small], [False]))
        lowering.emit("if", is_long, blocks=(many, few))
        ways = lowering.within(turns), lowering.within(one_by_one)
        lowering.emit("if", is_small, blocks=ways)

    def _look(self, lowering: Lowering, count: Operand, is_small: Local) -> None:
        """Whether all that so many turns read is small, and no turn writes it."""
        first, counter = lowering.local(INT), self.counter
        lowering.assign([first], [counter])
        after = lowering.compute("add", INT, first, count, type=INT)
        last = lowering.compute("sub", INT, after, 1, type=INT)
        tests = [
            self._is_small(lowering, one)
            for local in self.asked
            for one in ((first, last) if local is counter else (local,))
        ]
        begins, ends = self._at(lowering, first), self._at(lowering, last)
        for (head, tail), store in self.pairs:
            row = begins[head], ends[tail], self.sizes[head]
            written = begins[store], ends[store], self.sizes[store]
            tests.append(_lie_apart(lowering, row, written))

        def read() -> None:
            trial, of = self.trial, (lowering, first, count)
            fits = trial.fits(*of, self.strides) if trial else self._are_small(*of)
            lowering.assign([is_small], [fits])

        other = lowering.within(lambda: lowering.assign([is_small], [False]))
        blocks = lowering.within(read), other
        lowering.emit("if", lowering.all_of(tests), blocks=blocks)
        lowering.assign([counter], [first])

    def _is_small(self, lowering: Lowering, one: Local) -> Local:
        moved = lowering.compute("add", one.type, one, 2**self.bits, type=one.type)
        most = 2 ** (self.bits + 1)
        return lowering.compute("icmp ult", BIT, moved, most, type=one.type)

    def _at(self, lowering: Lowering, turn: Local) -> dict[Operand, Local]:
        """The places in a turn, as ints."""
        lowering.assign([self.counter], [turn])
        places = [one for one in self.reading if one.op != "load"]
        lowering.block.instructions += [replace(one) for one in places]
        return {
            place: lowering.compute("ptrtoint", INT, place, type="ptr")
            for place in dict.fromkeys(
                one for read, store in self.pairs for one in (*read, store)
            )
        }

    def _are_small(self, lowering: Lowering, first: Local, count: Operand) -> Local:
        """Whether all that turns read is small; all of them are read."""
        note = lowering.local(self.kind)
        lowering.assign([note], [0])
        for spread in dict.fromkeys(row.spread for row in self.rows):
            # A row has more elements than there are turns.
            turns = count
            if spread:
                turns = lowering.compute("add", INT, count, spread, type=INT)
            reads = [row.first for row in self.rows if row.spread == spread]
            self._note(lowering, note, first, turns, reads)
        most = 2 ** (self.bits + 1)
        return lowering.compute("icmp ult", BIT, note, most, type=self.kind)

    def _note(
        self,
        lowering: Lowering,
        note: Local,
        first: Local,
        turns: Operand,
        reads: list[Local],
    ) -> None:
        """Note what reads give in so many turns."""
        index, kind = lowering.local(INT), self.kind
        place = Instruction("add", (self.counter,), (first, index), type=INT)
        steps = [place]
        for step in self.reading:
            if step.op != "load" or step.outs[0] in reads:
                steps.append(replace(step))
        found: Operand = note
        for one in reads:
            moved, both = lowering.local(kind), lowering.local(kind)
            steps += [
                # No shift: AVX2 has none of 64 bits that keeps the sign.
                Instruction("add", (moved,), (one, 2**self.bits), type=kind),
                Instruction("or", (both,), (found, moved), type=kind),
            ]
            found = both
        steps.append(Instruction("move", (note,), (found,)))
        turn = with_strides(Block(steps), self.strides)
        lowering.emit("for", index, turns, type=TURNS, blocks=(turn,))


def with_strides(block: Block, known: Mapping[Operand, int]) -> Block:
    """The same, of arrays that have these strides."""
    made = []
    for one in block.instructions:
        inner = tuple(with_strides(inside, known) for inside in one.blocks)
        args = tuple(known.get(arg, arg) for arg in one.args)
        is_place = one.op == "address"
        made.append(replace(one, args=args if is_place else one.args, blocks=inner))
    return Block(made)


def _lie_apart(
    lowering: Lowering, one: tuple[Local, Local, int], other: tuple[Local, Local, int]
) -> Local:
    """Whether what lies between the places of two turns does not meet other such."""
    ends = []
    for begin, end, size in (one, other):
        low = lowering.compute("smin", INT, begin, end)
        high = lowering.compute("smax", INT, begin, end)
        ends.append((low, lowering.compute("add", INT, high, size, type=INT)))
    (low, high), (least, most) = ends
    before = lowering.compute("icmp sle", BIT, high, least, type=INT)
    behind = lowering.compute("icmp sle", BIT, most, low, type=INT)
    return lowering.compute("or", BIT, before, behind, type=BIT)


def reads_ahead(
    steps: list[Instruction], ends: dict[Local, Operand], counter: Local
) -> ReadsAhead | None:
    """The turns without ways out; None where they have none, or do something else."""
    leaves = [one for one in Block(steps).walk() if one.exit]
    kinds = {one.outs[0].type for one in leaves if one.op in _PLAIN}
    plain = all(one.op in _PLAIN for one in leaves)
    if ends or not leaves or not plain or len(kinds) > 1 or not kinds <= _WIDTHS.keys():
        return None
    try:
        return _Made(steps, ends, counter, *kinds).ahead()
    except Unfit:
        return None


class _Made:
    """The turns, as they are made.

    sizes: of each int that is computed
    reads: the loads that all turns come to, by what they give
    bits:  that what is read may have at most
    """

    def __init__(
        self,
        steps: list[Instruction],
        ends: dict[Local, Operand],
        counter: Local,
        kind: str,
    ) -> None:
        self.steps, self.ends, self.counter, self.kind = steps, ends, counter, kind
        self.inside = [*Block(steps).walk()]
        self.written = {out for one in self.inside for out in one.outs}
        self.sizes: dict[Local, Size | None] = {}
        self.reads: dict[Local, Instruction] = {}
        self.wanted: set[Local] = set()
        self.bits = _WIDTHS[kind][0] - 2
        self._follow(steps, is_inside=False)

    def ahead(self) -> ReadsAhead:
        noted = [one for one in self.reads if one in self.wanted]
        if not noted or self.bits < _WIDTHS[self.kind][1]:
            raise Unfit
        stores = [one for one in self.inside if one.op == "store"]
        at = Places(self.inside, self.counter, self.reads)
        rows = at.rows(noted)
        read = [self.reads[one] for row in rows for one in (row.first, row.last)]
        kinds = {one.args[0]: one.outs[0].type for one in read}
        kinds |= {one.args[0]: one.type for one in stores}
        places = [place for place in kinds if isinstance(place, Local)]
        return ReadsAhead(
            without_exits(self.steps),
            self.ends,
            self.counter,
            at.reading(places, rows),
            rows,
            [one for one in self.wanted if one not in self.reads],
            at.pairs(rows, stores),
            self.bits,
            self.kind,
            {place: SIZES[kinds[place]] for place in places},
        )

    def _follow(self, steps: Iterable[Instruction], *, is_inside: bool) -> None:
        """What is computed, step by step; in branches nothing is read ahead."""
        for one in steps:
            for block in one.blocks:
                self._follow(block.instructions, is_inside=True)
            if one.op == "load":
                (out,) = one.outs
                is_read = out.type == self.kind and not is_inside
                if is_read:
                    self.reads[out] = one
                self.sizes[out] = Size(1, 0, frozenset({out})) if is_read else None
            elif one.op == "move":
                for out, arg in zip(one.outs, one.args, strict=True):
                    self._is(out, self._size(arg))
            elif one.outs and one.outs[0].type not in (BIT, "ptr"):
                self._is(one.outs[0], self._computed(one))
            if one.exit:
                self._must_fit(one.outs[0])

    def _is(self, out: Local, size: Size | None) -> None:
        """Note what it is, beside what it may be from before."""
        known = self.sizes.get(out, size)
        both = None if size is None or known is None else _either(known, size)
        self.sizes[out] = both

    def _size(self, operand: Operand) -> Size | None:
        if not isinstance(operand, Local):
            return Size(0, int(operand).bit_length(), frozenset())
        if operand in self.written:
            return self.sizes.get(operand)
        fits = operand.type == self.kind or operand is self.counter
        return Size(1, 0, frozenset({operand})) if fits else None

    def _computed(self, one: Instruction) -> Size | None:
        word = _PLAIN.get(one.op, one.op)
        args = one.args[1:] if word == "select" else one.args
        found = [self._size(arg) for arg in args]
        if word in ("sext", "zext") and one.type in SIZES:
            return Size(0, 1 if one.type == BIT else 8 * SIZES[one.type], frozenset())
        if not found or None in found or word not in {*_KEEPS, *_SUMS, "mul"}:
            return None
        first, *others = (size for size in found if size is not None)
        for other in others:
            both = _either(first, other)
            if word in _SUMS:
                both = both._replace(more=both.more + 1)
            elif word == "mul":
                times, more = first.times + other.times, first.more + other.more
                both = both._replace(times=times, more=more)
            first = both
        return first

    def _must_fit(self, out: Local) -> None:
        """Let what is read have so few bits that this does not outgrow its dtype."""
        size = self.sizes.get(out)
        if size is None:
            raise Unfit
        left = _WIDTHS[self.kind][0] - 2 - size.more
        if left < 0:
            raise Unfit
        self.bits = min(self.bits, left // max(size.times, 1))
        self.wanted |= size.reads


def _either(one: Size, other: Size) -> Size:
    more = max(one.more, other.more)
    return Size(max(one.times, other.times), more, one.reads | other.reads)


def without_exits(
    steps: Iterable[Instruction], plain: Mapping[str, str] = _PLAIN
) -> list[Instruction]:
    """The steps; what may leave is what does the same without."""
    made = []
    for one in steps:
        blocks = tuple(Block(without_exits(b.instructions, plain)) for b in one.blocks)
        if one.exit:
            word, kind = plain[one.op], one.outs[0].type
            made.append(replace(one, op=word, type=kind, exit=None))
        else:
            made.append(replace(one, blocks=blocks) if blocks else one)
    return made
