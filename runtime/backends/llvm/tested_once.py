"""tested_once: indices that are compared with sizes before a loop, not in each turn.

A pass over loop IR. An index that is the counter of a loop, and what stays the same in
it, added and multiplied, is in all turns between what it is in the first and in the
last. Where both lie within an array of a size that only the run knows, the loop is run
without that comparison; where they do not it is run as it was, so that it leaves at the
same turn. A place that is kept of an earlier turn, or from before the loop (the largest
so far), is within if those are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from runtime.backends.llvm.lanes import counted
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
from runtime.backends.llvm.unused import last_move, moved_by, outs_of, read_by
from runtime.structs import replace

# The longest loop that is written twice.
MOST = 200
# What is added and multiplied is asked to be less than a power of two; of that it is
# known how many bits a result has, and that it has not overflowed.
BITS, ROOM = 30, 62
_SUMS = frozenset({"add", "sub", "sadd", "ssub"})
_PRODUCTS = frozenset({"mul", "smul"})


def with_tests_once(lowering: Lowering, function: Function) -> Function:
    """The function; what its innermost loops can test before they begin they do."""
    function.body.rewrite(partial(_loop, lowering))
    return function


def _loop(lowering: Lowering, loop: Instruction) -> list[Instruction]:
    if loop.op != "while":
        return [loop]
    counter, end = counted(loop)
    inside = list(loop.blocks[1].walk())
    has_blocks = any(one.blocks and one.op != "if" for one in inside)
    if counter is None or end is None or has_blocks or len(inside) > MOST:
        return [loop]
    turn = _Turn(loop, counter)
    if not turn.tests or not turn.is_small(end):
        return [loop]
    found: list[Operand] = []
    before = lowering.within(lambda: found.append(_asked(lowering, turn, end)))
    fast = replace(loop, blocks=(loop.blocks[0], turn.untested()))
    either = (Block([fast]), Block([loop]))
    return [*before.instructions, Instruction("if", (), (found[0],), either)]


class _Form(NamedTuple):
    """An int that changes evenly: how many counters it is a product of, its bits."""

    degree: int
    bits: int


class _Test(NamedTuple):
    """A way out that is not taken where an index is at least 0 and below a size."""

    leave: Instruction
    place: Local
    size: Operand


class _Turn:
    """What a turn does.

    forms:  the ints that are computed of the counter and what stays the same
    leaves: what stays the same, and is to be small; leant: what is computed of them
    tests:  those of their tests that come in every turn
    chosen: what counts from the end where an index is negative, and that index
    kept:   what a turn hands on as it was, or as one of some such ints
    needed: what is computed for nothing but these tests, maybe
    """

    def __init__(self, loop: Instruction, counter: Local) -> None:
        self.steps, self.counter = loop.blocks[1].instructions, counter
        inside = [one for block in loop.blocks for one in block.walk()]
        self.writes = Counter(out for one in inside for out in outs_of(one))
        self.made: dict[Operand, Instruction] = {}
        self.forms: dict[Operand, _Form] = {}
        self.leaves: dict[Local, None] = {}
        self.leant: set[Operand] = set()
        self.tests: list[_Test] = []
        self.chosen: dict[Local, Local] = {}
        self.kept: dict[Local, list[Operand]] = {}
        self.needed: set[Operand] = set()
        if self.writes[counter] == 1:
            self._find_kept(last_move(loop.blocks[1]))
            for one in self.steps:
                self._step(one)
            self._drop_unknown()

    def _find_kept(self, ends: Mapping[Local, Operand]) -> None:
        sides: dict[Operand, tuple[Operand, ...]] = {
            out: (then, orelse)
            for one in self.steps
            for out, then, orelse in moved_by(one)
            if self.writes[out] == len(one.blocks)
        }
        for local, end in ends.items():
            others = [one for one in sides.get(end, ()) if one is not local]
            if self.writes[local] == 1 and len(others) == 1:
                self.kept[local] = others

    def _drop_unknown(self) -> None:
        """Forget tests of what is kept of something else than of such ints."""
        for test in list(self.tests):
            others = self.kept.get(test.place, ())
            if any(self.form(one) is None for one in others):
                self.tests.remove(test)
                self.chosen = {
                    found: of
                    for found, of in self.chosen.items()
                    if self.root(of) is not test.place
                }
            else:
                for one in others:
                    self._lean_on(one)

    def is_small(self, operand: Operand) -> bool:
        """Whether it has few bits, or can be asked for that."""
        return isinstance(operand, Local) or abs(operand) < 2**BITS

    def _step(self, one: Instruction) -> None:
        if one.op == "leave_if":
            self._test(one)
        elif len(one.outs) == 1 and self.writes[one.outs[0]] == 1:
            self.made[one.outs[0]] = one
            self._sum(one)

    def _sum(self, one: Instruction) -> None:
        if one.outs[0].type != INT or one.op not in {*_SUMS, *_PRODUCTS, "same"}:
            return
        parts = [self.form(arg) for arg in one.args]
        forms = [part for part in parts if part is not None]
        if len(forms) < len(parts):
            return
        degree, bits = max(part.degree for part in forms), forms[0].bits
        if one.op in _SUMS:
            bits = max(part.bits for part in forms) + 1
        elif one.op in _PRODUCTS:
            degree = sum(part.degree for part in forms)
            bits = sum(part.bits for part in forms)
        if degree > 1 or bits > ROOM:
            return
        self.forms[one.outs[0]] = _Form(degree, bits)
        if one.exit:
            self._lean_on(one.outs[0])

    def _lean_on(self, operand: Operand) -> None:
        """Note of what stays the same something is computed."""
        if operand in self.forms and operand not in self.leant:
            self.leant.add(operand)
            for arg in self.made[operand].args:
                self._lean_on(arg)
                if isinstance(arg, Local) and not self.writes[arg]:
                    self.leaves[arg] = None

    def form(self, arg: Operand) -> _Form | None:
        """What an operand is, if it changes evenly."""
        if arg is self.counter:
            return _Form(1, BITS)
        if not isinstance(arg, Local):
            is_int = type(arg) is int and self.is_small(arg)
            return _Form(0, BITS) if is_int else None
        if arg.type == INT and not self.writes[arg]:
            return _Form(0, BITS)
        return self.forms.get(arg)

    def _test(self, one: Instruction) -> None:
        far = self.made.get(one.args[0])
        if far is None or far.op != "icmp uge" or far.type != INT:
            return
        found, size = far.args
        index = self._counted_from_end(found, size) or found
        place = self.root(index)
        if place not in self.kept:
            place = index
            if self.form(index) is None:
                return
        if not isinstance(index, Local) or not isinstance(place, Local):
            return
        if isinstance(size, Local) and self.writes[size]:
            return
        self.tests.append(_Test(one, place, size))
        self._lean_on(index)
        self.needed.update(far.outs)
        if index is not found and isinstance(found, Local):
            self.chosen[found] = index
            below, from_end, _ = self.made[found].args
            self.needed.update((below, from_end, self.root(below)))

    def _counted_from_end(self, found: Operand, size: Operand) -> Local | None:
        """The index of which this is the place, where it may be negative."""
        chosen = self.made.get(found)
        if chosen is None or chosen.op != "select":
            return None
        below, from_end, index = chosen.args
        test, moved = self.made.get(self.root(below)), self.made.get(from_end)
        if test is None or moved is None or not isinstance(index, Local):
            return None
        is_test = (test.op, test.type, test.args) == ("icmp slt", INT, (index, 0))
        is_moved = (moved.op, moved.type, moved.args) == ("add", INT, (index, size))
        return index if is_test and is_moved else None

    def root(self, operand: Operand) -> Operand:
        """The first local that has this value."""
        while operand in self.made and self.made[operand].op == "same":
            (operand,) = self.made[operand].args
        return operand

    def untested(self) -> Block:
        """The turn without these tests."""
        gone = {id(test.leave) for test in self.tests}
        made = [self._plain(one) for one in self.steps if id(one) not in gone]
        reads = Counter(local for one in Block(made).walk() for local in read_by(one))
        kept = []
        for one in reversed(made):
            if (
                len(one.outs) == 1
                and one.outs[0] in self.needed
                and not reads[one.outs[0]]
            ):
                reads.subtract(read_by(one))
                continue
            kept.append(one)
        return Block(kept[::-1])

    def _plain(self, one: Instruction) -> Instruction:
        """An instruction, of ints that are as small as was asked."""
        if len(one.outs) == 1 and one.outs[0] in self.chosen:
            return Instruction("same", one.outs, (self.chosen[one.outs[0]],))
        if one.exit and len(one.outs) == 1 and one.outs[0] in self.forms:
            return replace(one, op=one.op[1:], type=INT, exit=None)
        return copied(one)


def copied(one: Instruction) -> Instruction:
    """The same once more, for passes that change it where it is."""
    blocks = [
        Block([copied(step) for step in block.instructions]) for block in one.blocks
    ]
    return replace(one, blocks=tuple(blocks))


def _asked(lowering: Lowering, turn: _Turn, end: Operand) -> Operand:
    """Whether all indices lie within, of the first turn and of the last one."""
    last = lowering.compute("sub", INT, end, 1, type=INT)
    small = [one for one in (*turn.leaves, turn.counter, end) if isinstance(one, Local)]
    tests = [_is_small(lowering, one) for one in dict.fromkeys(small)]
    places = [
        dict[Operand, Operand]({turn.counter: one}) for one in (turn.counter, last)
    ]
    asked: dict[tuple[Operand, Operand], None] = {}
    for test in turn.tests:
        if test.place in turn.kept:
            first = lowering.compute("icmp ult", BIT, test.place, test.size, type=INT)
            tests.append(first)
        others = turn.kept.get(test.place, [test.place])
        asked |= dict.fromkeys((turn.root(one), test.size) for one in others)
    for index, size in asked:
        form = turn.form(index)
        assert form is not None
        for known in places[: 1 + form.degree]:
            place = _of_turn(lowering, turn, index, known)
            tests.append(lowering.compute("icmp ult", BIT, place, size, type=INT))
    return lowering.all_of(tests)


def _is_small(lowering: Lowering, local: Local) -> Local:
    moved = lowering.compute("add", INT, local, 2**BITS, type=INT)
    return lowering.compute("icmp ult", BIT, moved, 2 ** (BITS + 1), type=INT)


def _of_turn(
    lowering: Lowering, turn: _Turn, one: Operand, known: dict[Operand, Operand]
) -> Operand:
    """What an int is in one turn, of which the counter is known."""
    if one not in turn.forms:
        return known.get(one, one)
    if one not in known:
        step = turn.made[one]
        args = [_of_turn(lowering, turn, arg, known) for arg in step.args]
        if step.op == "same":
            known[one] = args[0]
        else:
            op = step.op[1:] if step.exit else step.op
            known[one] = lowering.compute(op, INT, *args, type=INT)
    return known[one]
