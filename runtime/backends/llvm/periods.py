"""periods: turns that ask for `i % 3`, three of them at once, each of which knows.

A pass over loop IR. Where branches depend on what the counter of a chunk leaves when it
is divided by a small number, as many turns as come until all remainders are the same
again are written one after the other. In each of them these are constants: nothing is
divided, and a processor guesses the other branches of each by themselves. Turns before
the first such round, and behind the last one, are as they were.
"""

from __future__ import annotations

from functools import partial
from math import lcm
from typing import NamedTuple

from runtime.backends.llvm.chunks import CHUNK, ONCE
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.lesser import JUMPS
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.unused import written_by
from runtime.structs import replace

# Turns in a round at most, and the instructions of them all.
LONGEST, LARGEST = 6, 200
# How far from the counter an int of a turn is; how large one is where rounds begin. A
# chunk has no more turns than are between that and the largest int.
FAR, WIDE = 1 << 20, 1 << 61
# Rounds that a chunk is worth.
ROUNDS = 2

# Sums, and whether they are no differences; some leave where they outgrow the machine.
_SUMS = {"add": True, "sadd": True, "sub": False, "ssub": False}


class _Place(NamedTuple):
    """An int of a turn: the counter, what is the same in all turns, and a number."""

    base: Operand
    offset: int


class _Remainder(NamedTuple):
    """What an instruction gives: an int of a turn `% of`, as Python has it.

    is_unsigned: of the int without a sign, which below 0 is another
    """

    place: _Place
    of: int
    is_unsigned: bool


_Remainders = dict[Instruction, _Remainder]


def with_periods(lowering: Lowering, function: Function) -> Function:
    """The function, whose chunks that ask for such remainders are of rounds."""
    if any(one.op in ("urem", "srem", "and") for one in function.body.walk()):
        function.body.rewrite(partial(_chunk, lowering))
    return function


def _chunk(lowering: Lowering, one: Instruction) -> list[Instruction]:
    if one.op != "while" or one.type != CHUNK:
        return [one]
    counter, end = counted(one)
    if counter is None or end is None:
        return [one]
    turn = one.blocks[1]
    found, period = _chosen(_Asked(one, counter).found, LARGEST // turn.size())
    if period < 2:
        return [one]
    write = partial(_rounds, lowering, one, (counter, end), found, period)
    return lowering.within(write).instructions


class _Asked:
    """The remainders that comparisons of a turn ask for: a local has one value in it.

    places: of ints that are the counter and something; made: what gives a local
    """

    def __init__(self, loop: Instruction, counter: Local) -> None:
        turn, self.written = loop.blocks[1], written_by(loop)
        self.places: dict[Operand, _Place] = {counter: _Place(0, 0)}
        self.made = {out: one for one in turn.walk() for out in one.outs}
        self.found: _Remainders = {}
        known: dict[Operand, tuple[Instruction, _Remainder]] = {}
        for one in turn.walk():
            at = one.args[0] if one.args else None
            if one.op == "same" and at in known:
                known[one.outs[0]] = known[at]
            elif one.op in ("icmp eq", "icmp ne") and at in known:
                self.found.update([known[at]])
            elif (made := self._remainder(one)) is not None:
                known[one.outs[0]] = one, made
            elif (place := self._place(one)) is not None:
                self.places[one.outs[0]] = place

    def _place(self, one: Instruction) -> _Place | None:
        if one.op == "same":
            return self.places.get(one.args[0])
        if one.type not in ("", INT) or one.op not in _SUMS:
            return None
        at, by = one.args
        is_more = _SUMS[one.op]
        if is_more and by in self.places:
            at, by = by, at
        place = self.places.get(at)
        if place is None or by in self.places:
            return None
        if not isinstance(by, Local):
            sum = place.offset + int(by if is_more else -by)
            return place._replace(offset=sum) if abs(sum) < FAR else None
        is_same = is_more and by not in self.written and place.base == 0
        return place._replace(base=by) if is_same else None

    def _remainder(self, one: Instruction) -> _Remainder | None:
        of = 0
        if len(one.args) < 2:
            return None
        at, by = one.args[:2]
        if one.op == "select":
            at, of = self._as_python_has_it(one)
        elif isinstance(by, Local):
            return None
        elif one.op == "urem":
            of = int(by)
        elif one.op == "and" and one.type == INT and int(by) & (int(by) + 1) == 0:
            of = int(by) + 1
        place = self.places.get(at) if of > 1 else None
        return place and _Remainder(place, of, one.op == "urem")

    def _as_python_has_it(self, one: Instruction) -> tuple[Operand, int]:
        """Of what is chosen where a remainder has a sign: of what and by what it is."""
        test, more, rest = (self._of(arg) for arg in one.args)
        if test is None or more is None or rest is None or rest.op != "srem":
            return 0, 0
        at, of = rest.args
        is_below = test.op == "icmp slt" and test.args == (rest.outs[0], 0)
        if not is_below or more.op != "add" or more.args != (rest.outs[0], of):
            return 0, 0
        return at, 0 if isinstance(of, Local) else int(of)

    def _of(self, arg: Operand) -> Instruction | None:
        return self.made.get(arg) if isinstance(arg, Local) else None


def _chosen(found: _Remainders, room: int) -> tuple[_Remainders, int]:
    """Those that are constants in each turn of a round, and how long a round is."""
    bases = {one.place.base for one in found.values()}
    if len(bases) != 1:
        return {}, 1
    period = 1
    for size in sorted({one.of for one in found.values()}):
        if lcm(period, size) <= min(LONGEST, room):
            period = lcm(period, size)
    fit = {key: one for key, one in found.items() if period % one.of == 0}
    return fit, period


def _rounds(
    lowering: Lowering,
    loop: Instruction,
    counts: tuple[Local, Operand],
    found: _Remainders,
    period: int,
) -> None:
    """Turns until a round begins, rounds, and the turns that are left.

    The first and the last ones are written once: what goes to the first round, and
    then through the rounds, comes to the end when it does so again.
    """
    counter, end = counts
    first, last = _ends(lowering, counts, found, period)
    known = [
        {one: (turn + each.place.offset) % each.of for one, each in found.items()}
        for turn in range(period)
    ]
    steps = loop.blocks[1].instructions
    turns = Block([_told(one, told) for told in known for one in steps])

    def until(stop: Operand, turn: Block, kind: str) -> None:
        verdict = lowering.local(BIT)

        def head() -> None:
            test = lowering.compute("icmp slt", BIT, counter, stop, type=INT)
            lowering.assign([verdict], [test])

        lowering.emit("while", verdict, blocks=(lowering.within(head), turn), type=kind)

    def both() -> None:
        until(goal, loop.blocks[1], ONCE)
        until(last, turns, CHUNK)
        lowering.assign([goal], [end])

    goal = lowering.local(INT)
    lowering.assign([goal], [first])
    until(end, lowering.within(both), ONCE)


def _ends(
    lowering: Lowering,
    counts: tuple[Local, Operand],
    found: _Remainders,
    period: int,
) -> tuple[Local, Local]:
    """The counter where rounds begin, and where they end.

    Nothing here leaves 64 bits, whatever the counter is.
    """
    compute = partial(lowering.compute, type=INT)
    counter, end = counts
    base = next(one.place.base for one in found.values())
    at = compute("add", INT, counter, base)
    count = compute("sub", INT, end, counter)
    over = compute("srem", INT, at, period)
    missing = compute("sub", INT, 0, over)
    more = compute("sub", INT, period, over)
    before = compute("select", INT, compute("icmp sgt", BIT, over, 0), more, missing)
    tests = [compute("icmp sge", BIT, count, ROUNDS * period)]
    # What numbers of NumPy's come to beyond 64 bits has another remainder.
    tests.append(compute("icmp ult", BIT, compute("add", INT, at, WIDE), 2 * WIDE))
    unsigned = [one.place.offset for one in found.values() if one.is_unsigned]
    if unsigned:
        tests.append(compute("icmp sge", BIT, at, -min(unsigned)))
    alone = compute("select", INT, lowering.all_of(tests), before, count)
    first = compute("add", INT, counter, alone)
    left = compute("urem", INT, compute("sub", INT, count, alone), period)
    return first, compute("sub", INT, end, left)


def _told(one: Instruction, known: dict[Instruction, int]) -> Instruction:
    """An instruction once more; what is known is a constant, and branches stay such.

    What is chosen by a comparison of floats, and waits for it, would take longer than
    a branch that is guessed for each turn of a round.
    """
    if one in known:
        return Instruction("move", one.outs, (known[one],))
    blocks = [
        Block([_told(step, known) for step in block.instructions])
        for block in one.blocks
    ]
    kind = JUMPS if one.op == "if" and not one.type else one.type
    return replace(one, blocks=tuple(blocks), type=kind)
