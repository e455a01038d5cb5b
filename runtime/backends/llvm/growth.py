"""growth: by how much the ints of a turn can be larger than what it begins with.

An int is no larger than the largest of all that turns hand on or have written, or than
a number; or than both together. What a sum adds to the former is a number of which the
next turn begins with more. What would be twice as large as that is not told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.read_rows import Places, Unfit
from runtime.backends.llvm.unused import outs_of

# What may leave, and what does the same without.
PLAIN = {"sadd": "add", "ssub": "sub", "smul": "mul"}
# The bits of what is handed on at first; how many those of what is read and of what
# stays the same may be, one after the other: products want few.
FIRST, BITS = 60, (44, 30, 22)
# What a turn may add: many thousands of turns stay within 62 bits.
MOST = 2**48
_SUMS, _CHOICES = frozenset({"add", "sub"}), frozenset({"smin", "smax", "select"})
# Not of ints without signs: a large one is a negative one to whom looks at it here.
_FEWER = frozenset({"ashr", "sdiv"})


def looks(one: Instruction) -> bool:
    """Whether an instruction looks whether an int outgrows the machine."""
    return one.exit is not None and one.op in PLAIN and one.outs[0].type == INT


class Bound(NamedTuple):
    """What an int is at most, and the other way round at least.

    grows: whether that is beside the largest of what is handed on, or a number alone
    of:    the locals that it is computed of: of reads, of turns before, or the same
    """

    grows: bool
    most: int
    of: frozenset[Local]


class Read(NamedTuple):
    """A read of an int.

    base: the array; is_written: whether turns before may have written what it reads
    key:  what it has in common with others of one row; None where any element may be
          read; far: how far it is from the counter; turns: of how many it reads what
          was there before, if not of all
    """

    load: Instruction
    base: Local
    is_written: bool
    key: object
    far: int
    turns: int | None


class Growth:
    """What has to be small where a stretch of turns begins.

    asked:   ints, and how many bits they may have; bits: that all that is read may
    bases:   arrays that are read or written; apart: those of them that are not to meet
    placing: the steps that compute the places of what is read; places: these, each
             with its array
    rows:    what reads the first element of each row, and how many elements more than
             turns there are; short: what is read in so many turns alone
    wholes:  arrays that are looked at as a whole
    strides: what they have to be
    """

    def __init__(
        self,
        turn: Block,
        counter: Local,
        ends: Mapping[Local, Operand],
        arrays: Mapping[Operand, Array],
    ) -> None:
        self.turn, self.counter, self.arrays = turn, counter, arrays
        self.inside = [*turn.walk()]
        writes = Counter(out for one in self.inside for out in outs_of(one))
        self.written = writes.keys()
        self.ends = {
            local: end
            for local, end in ends.items()
            if local.type == INT and writes[local] == 1 and local is not counter
        }
        self.carried = ends.keys()
        (*_, last) = turn.instructions
        self.at = Places([one for one in self.inside if one is not last], counter, {})
        self.stores = [one for one in self.inside if one.op == "store"]
        self.reads = {read.load.outs[0]: read for read in self._reads()}
        for bits in BITS:
            self.bits = bits
            needed = self._needed()
            if needed is not None:
                break
        else:
            raise Unfit
        self.asked = {
            one: FIRST if one in self.ends else bits
            for one in needed
            if one not in self.reads
        }
        self._look_at([self.reads[one] for one in needed if one in self.reads])

    # Where it reads.

    def _reads(self) -> Iterable[Read]:
        """The reads of ints whose places are known."""
        for one in self.inside:
            if one.op == "load" and one.outs[0].type == INT:
                try:
                    yield self._read(one)
                except Unfit:
                    continue

    def _read(self, load: Instruction) -> Read:
        place = load.args[0]
        base, last = self._base(place), self.at.last_step(place)
        inner, index, _ = last.args
        degree = self._degree(index)
        stores = [one for one in self.stores if self._base(one.args[0]) is base]
        if degree is None or self._degree(inner) != 0:
            if inner is not base or len(self.arrays[base].dims) != 1:
                raise Unfit
            return Read(load, base, bool(stores), None, 0, None)
        self.at.reading([place], [])  # Unfit: steps that may leave
        key, far = self._row(last)
        if degree == 0:
            return Read(load, base, bool(stores), (key, index), 0, 1)
        is_written, turns = bool(stores), None
        if stores:
            rows = [self._row(self.at.last_step(one.args[0])) for one in stores]
            before = [
                far > there
                or (far == there and self.inside.index(load) < self.inside.index(one))
                for one, (_, there) in zip(stores, rows, strict=True)
            ]
            if all(row == key for row, _ in rows):
                is_written = not all(before)
                always = [
                    there - far
                    for one, (_, there) in zip(stores, rows, strict=True)
                    if one in self.turn.instructions and there > far
                ]
                turns = min(always, default=None)
        return Read(load, base, is_written, key, far, turns)

    def _row(self, last: Instruction) -> tuple[object, int]:
        """What tells a row from others, and how far its element is from the counter."""
        inner, index, stride = last.args
        far = self.at.far(index)
        row = None if far is not None else self.at.place(index)
        return (self.at.place(inner), row, self.at.place(stride)), far or 0

    def _base(self, place: Operand) -> Local:
        """The array that a place is in."""
        made = self.at.maker(place)
        while made is not None and made.op in ("address", "same"):
            place = made.args[0]
            made = self.at.maker(place)
        if made is not None or not isinstance(place, Local) or place not in self.arrays:
            raise Unfit
        return place

    def _degree(self, operand: Operand) -> int | None:
        """1: it changes evenly with the counter; 0: not at all; None: otherwise."""
        if operand is self.counter:
            return 1
        if not isinstance(operand, Local) or operand not in self.written:
            return 0
        made = self.at.maker(operand) if operand not in self.carried else None
        if made is None or made.op not in ("same", "add", "sub", "mul", "address"):
            return None
        found = [self._degree(arg) for arg in made.args]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        if made.op == "address":
            degree = max(known[0], known[1] + known[2])
        else:
            degree = sum(known) if made.op == "mul" else max(known)
        return degree if degree <= 1 else None

    def _look_at(self, reads: list[Read]) -> None:
        """What is to be done to see how large these are."""
        self.strides: dict[Operand, int] = {}
        self.rows: dict[Instruction, int] = {}
        self.places: dict[Operand, Local] = {}
        self.wholes: dict[Local, None] = {}
        self.short: dict[Instruction, int] = {}
        groups: dict[object, list[Read]] = {}
        for read in reads:
            if read.key is None:
                self.wholes[read.base] = None
                self._stride(self.arrays[read.base].strides[0])
                continue
            self.places[read.load.args[0]] = read.base
            if read.turns is None or read.turns > 1:
                self._stride(self.at.last_step(read.load.args[0]).args[2])
            if read.turns is None:
                groups.setdefault(read.key, []).append(read)
            else:
                self.short[read.load] = read.turns
        for row in groups.values():
            row.sort(key=lambda read: read.far)
            self.rows[row[0].load] = row[-1].far - row[0].far
        self.placing = self.at.reading(self.places, [])
        bases = dict.fromkeys(read.base for read in reads)
        others = dict.fromkeys(self._base(one.args[0]) for one in self.stores)
        self.apart = [(a, b) for a in bases for b in others if a is not b]
        self.bases = [*dict.fromkeys((*bases, *(b for _, b in self.apart)))]

    def _stride(self, stride: Operand) -> None:
        if isinstance(stride, Local):
            if stride in self.written:
                raise Unfit
            self.strides[stride] = 8
        elif stride != 8:
            raise Unfit

    # What it computes.

    def _needed(self) -> list[Local] | None:
        """The ints that have to be small; None where that does not suffice."""
        known, is_known = {*self.ends}, True
        while True:
            self.known, self.is_known = known, is_known
            self.bounds: dict[Local, Bound | None] = {}
            self.growth = 0
            self.left: list[Local] = []
            self._follow(self.turn.instructions)
            ends = {one: self._bound(end) for one, end in self.ends.items()}
            stays = {one for one in known if ends[one] is not None}
            values = [self._bound(one.args[1]) for one in self._own_stores()]
            if stays == known and (None not in values) is is_known:
                break
            known, is_known = stays, is_known and None not in values
        needed: set[Local] = set()
        asked = [self.bounds[one] for one in self.left]
        while asked:
            bound = asked.pop()
            if bound is None or bound.most >= 2**62:
                return None
            for one in bound.of - needed:
                needed.add(one)
                if one in self.ends:
                    asked.append(self._begins(ends[one]))
                elif one in self.reads and self.reads[one].is_written:
                    asked += map(self._begins, values)
        if self.growth >= MOST:
            return None
        # A set's own order is that of addresses, and another one in each process.
        return sorted(needed, key=lambda one: (len(one.name), one.name))

    def _begins(self, bound: Bound | None) -> Bound | None:
        """What the next turn may begin with; None where that is too large at once."""
        return bound if bound is not None and bound.most < 2**FIRST else None

    def _own_stores(self) -> list[Instruction]:
        """What is written where turns read."""
        bases = {read.base for read in self.reads.values() if read.is_written}
        return [one for one in self.stores if self._base(one.args[0]) in bases]

    def _follow(self, steps: Iterable[Instruction]) -> None:
        for one in steps:
            for block in one.blocks:
                self._follow(block.instructions)
            if one.op == "move":
                for out, arg in zip(one.outs, one.args, strict=True):
                    if out.type == INT and out not in self.carried:
                        self._is(out, self._bound(arg))
            elif one.outs and one.outs[0].type == INT:
                self._is(one.outs[0], self._computed(one))
            if looks(one):
                self.left.append(one.outs[0])

    def _is(self, out: Local, bound: Bound | None) -> None:
        """Note what it is, beside what it may be by another branch."""
        before = self.bounds.get(out, bound)
        both = bound is not None and before is not None
        self.bounds[out] = _either(bound, before) if both else None

    def _bound(self, operand: Operand) -> Bound | None:
        if not isinstance(operand, Local):
            return Bound(False, abs(int(operand)), frozenset())
        if operand in self.bounds:
            return self.bounds[operand]
        of = frozenset({operand})
        if operand in self.known:
            return Bound(True, 0, of)
        is_same = operand not in self.written or operand is self.counter
        is_int = operand.type == INT and is_same
        return Bound(False, 2**self.bits, of) if is_int else None

    def _computed(self, one: Instruction) -> Bound | None:
        word = PLAIN.get(one.op, one.op)
        if word == "load":
            return self._loaded(one.outs[0])
        if word in ("zext", "sext"):
            bits = 1 if one.type == BIT else int(one.type[1:])
            return Bound(False, 2**bits, frozenset()) if bits < 64 else None
        args = [self._bound(arg) for arg in one.args[word == "select" :]]
        found = [arg for arg in args if arg is not None]
        if not found or len(found) < len(args):
            return None
        if word == "same":
            return found[0]
        by = one.args[-1]
        number = int(by) if not isinstance(by, Local) and by >= 0 else None
        if word in _FEWER and number is not None:
            return found[0]
        if word in ("srem", "urem", "and") and number is not None:
            return Bound(False, number, found[0].of)
        if len(found) != 2:
            return None
        if word in _CHOICES:
            return _either(*found)
        return self._sum(*found) if word in _SUMS else _product(word, *found)

    def _sum(self, a: Bound, b: Bound) -> Bound | None:
        if a.grows and b.grows:
            return None
        grows = a.grows or b.grows
        if grows:
            self.growth += b.most if a.grows else a.most
        return Bound(grows, a.most + b.most, a.of | b.of)

    def _loaded(self, out: Local) -> Bound | None:
        read = self.reads.get(out)
        if read is None or (read.is_written and not self.is_known):
            return None
        most = 0 if read.is_written else 2**self.bits
        return Bound(read.is_written, most, frozenset({out}))


def _either(a: Bound | None, b: Bound | None) -> Bound:
    assert a is not None
    assert b is not None
    return Bound(a.grows or b.grows, max(a.most, b.most), a.of | b.of)


def _product(word: str, a: Bound, b: Bound) -> Bound | None:
    """Of two ints of numbers of bits: nothing that grows."""
    if a.grows or b.grows:
        return None
    of = a.of | b.of
    if word == "mul":
        return Bound(False, a.most * b.most, of)
    if word in ("and", "or", "xor"):
        return Bound(False, 2 ** max(a.most, b.most).bit_length(), of)
    return None
