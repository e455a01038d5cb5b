"""ranges: what is known of the ints of a function, at one place in it.

Of an int what it is at least and at most, as a number and beside others: `i < n` says
that `i` is at most `n - 1`, whatever `n` is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from runtime.backends.llvm.layers import Table
from runtime.backends.llvm.loops import BIT, INT, Instruction, Local, Operand
from runtime.structs import field, struct

LEAST, MOST = -(2**63), 2**63 - 1
Offsets = Mapping[Local, int]


@struct
class Range:
    """From `low` to `high`; at most, and at least, other ints and a number."""

    low: int = LEAST
    high: int = MOST
    below: Offsets = field(default_factory=dict)
    above: Offsets = field(default_factory=dict)

    def either(self, other: Range) -> Range:
        """What holds of both."""
        below = {
            one: max(more, other.below[one])
            for one, more in self.below.items()
            if one in other.below
        }
        above = {
            one: min(more, other.above[one])
            for one, more in self.above.items()
            if one in other.above
        }
        return Range(min(self.low, other.low), max(self.high, other.high), below, above)

    def within(self, other: Range) -> Range:
        """The same, of which these numbers are known, too."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high, self.below, self.above)

    def without(self, gone: set[Local]) -> Range:
        """The same, when these have got other values."""
        if gone.isdisjoint(self.below) and gone.isdisjoint(self.above):
            return self
        below = {one: more for one, more in self.below.items() if one not in gone}
        above = {one: more for one, more in self.above.items() if one not in gone}
        return Range(self.low, self.high, below, above)


ANY, TRUTH = Range(), Range(0, 1)


@lru_cache(maxsize=256)
def _of_number(number: int) -> Range:
    return Range(number, number)


class Known:
    """All that is known at a place.

    ranges:   of locals; aliases: locals that have the value of another one
    made:     the instruction that a local is the result of
    computed: a local with the result of an instruction, by its text
    named:    all locals that anything of that names, and maybe others
    """

    def __init__(self) -> None:
        self.ranges: Table[Local, Range] = Table()
        self.aliases: Table[Local, Local] = Table()
        self.made: Table[Local, Instruction] = Table()
        self.computed: Table[Any, Local] = Table()
        self.named: Table[Local, bool] = Table()

    def copy(self) -> Known:
        """What is known where a branch begins."""
        made = self.supposed()
        made.aliases, made.named = Table(self.aliases), Table(self.named)
        made.made, made.computed = Table(self.made), Table(self.computed)
        return made

    def supposed(self) -> Known:
        """The same, where no more is to be done than to assume something."""
        made = Known()
        made.ranges, made.aliases = Table(self.ranges), self.aliases
        made.made, made.computed, made.named = self.made, self.computed, self.named
        return made

    def meet(self, then: Known, orelse: Known) -> None:
        """Know what is known after two branches that began here, as copies of this."""
        changed = {*then.ranges.changed, *orelse.ranges.changed}
        changed.update(then.aliases.changed, orelse.aliases.changed)
        ranges = {
            local: either_of(then, then.of(local), orelse, orelse.of(local))
            for local in changed
            if then.knows(local) and orelse.knows(local)
        }
        self.aliases.meet(then.aliases, orelse.aliases)
        self.computed.meet(then.computed, orelse.computed)
        self.ranges.meet(then.ranges, orelse.ranges)
        for local, found in ranges.items():
            if local not in self.aliases and local not in self.ranges:
                self.ranges[local] = found
        # What one branch alone has made nobody looks at unless that one was run.
        made = {
            local: one
            for local, one in {**then.made.own(), **orelse.made.own()}.items()
            if all(k.made.get(local, one) is one for k in (then, orelse))
        }
        self.made.meet(then.made, orelse.made)
        for local, one in made.items():
            self.made[local] = one
        for local in {**then.named.changed, **orelse.named.changed}:
            if local in then.named or local in orelse.named:
                self.named[local] = True
            else:
                self.named.drop([local])

    def knows(self, local: Local) -> bool:
        """Whether anything is known of a local."""
        return local in self.ranges or local in self.aliases

    # Ranges.

    def root(self, operand: Operand) -> Operand:
        """The first local that has this value."""
        if not isinstance(operand, Local):
            return operand
        return self.aliases.get(operand, operand)

    def of(self, operand: Operand) -> Range:
        """What an operand is."""
        if not isinstance(operand, Local):
            return ANY if isinstance(operand, float) else _of_number(int(operand))
        found = self.aliases.get(operand, operand)
        known = self.ranges.get(found, TRUTH if found.type == BIT else ANY)
        if found is operand:
            return known
        # As far as the other is concerned it is the same.
        return Range(
            known.low,
            known.high,
            {**known.below, found: 0},
            {**known.above, found: 0},
        )

    def put(self, local: Local, found: Range) -> None:
        """Note what a local is."""
        self.ranges[local] = found
        self.named.put_all((local, *found.below, *found.above), True)

    def note(self, one: Instruction, key: Any) -> None:
        """Note what the result of an instruction is computed of."""
        (out,) = one.outs
        self.made[out] = one
        self.named.put_all((out, *_locals(one.args)), True)
        if key is not None:
            self.computed[key] = out

    def alias(self, local: Local, to: Local) -> None:
        """Note that a local has the value of another one."""
        self.aliases[local] = to
        self.named.put_all((local, to), True)

    def forget(self, gone: set[Local]) -> None:
        """These have got other values."""
        gone = {local for local in gone if local in self.named}
        if not gone:
            return
        self.named.drop(gone)
        for local, to in self.aliases.items():
            if local in gone or to in gone:
                kept = self.of(local)
                self.aliases.drop([local])
                if local not in gone:
                    self.ranges[local] = kept
        for local, known in self.ranges.items():
            kept = known.without(gone)
            if local in gone:
                self.ranges.drop([local])
            elif kept is not known:
                self.ranges[local] = kept
        self.made.drop(
            local
            for local, one in self.made.items()
            if local in gone or not gone.isdisjoint(_locals(one.args))
        )
        self.computed.drop(
            key
            for key, local in self.computed.items()
            if local in gone or not gone.isdisjoint(_locals(key[-1]))
        )

    def least_between(self, a: Operand, b: Operand) -> int:
        """What `a - b` is at least."""
        x, y = self.of(a), self.of(b)
        found = x.low - y.high
        above, below = dict(x.above), dict(y.below)
        if isinstance(a, Local):
            above[a] = 0
        if isinstance(b, Local):
            below[b] = 0
        for local, more in above.items():
            if local in below:
                found = max(found, more - below[local])
        return found

    def least(self, a: Operand, low: int, beside: Offsets) -> None:
        """Note that `a` is at least so much, also beside others."""
        a = self.root(a)
        if not isinstance(a, Local):
            return
        known = self.of(a)
        above = dict(known.above)
        for local, more in beside.items():
            above[local] = max(more, above.get(local, more))
        low = max(low, known.low)
        self.put(a, Range(low, known.high, known.below, above))
        for local, more in known.below.items():
            other = self.of(local)
            if low - more > other.low and not self.aliases.get(local):
                self.put(local, Range(low - more, other.high, other.below, other.above))

    def most(self, a: Operand, high: int, beside: Offsets) -> None:
        """Note that `a` is at most so much, also beside others."""
        a = self.root(a)
        if not isinstance(a, Local):
            return
        known = self.of(a)
        below = dict(known.below)
        for local, more in beside.items():
            below[local] = min(more, below.get(local, more))
        high = min(high, known.high)
        self.put(a, Range(known.low, high, below, known.above))
        for local, more in known.above.items():
            other = self.of(local)
            if high - more < other.high and not self.aliases.get(local):
                self.put(local, Range(other.low, high - more, other.below, other.above))

    def less(self, a: Operand, b: Operand, by: int) -> None:
        """Note that `a <= b - by`."""
        x, y = self.of(a), self.of(b)
        a, b = self.root(a), self.root(b)
        below = {local: more - by for local, more in y.below.items()}
        above = {local: more + by for local, more in x.above.items()}
        if isinstance(b, Local):
            below[b] = -by
        if isinstance(a, Local):
            above[a] = by
            below.pop(a, None)
        if isinstance(b, Local):
            above.pop(b, None)  # also where it is `a`
        self.most(a, y.high - by, below)
        self.least(b, x.low + by, above)


def either_of(then: Known, a: Range, orelse: Known, b: Range) -> Range:
    """What holds of an int that is one of two, each known at a place of its own."""
    return _beside(then, a, b).either(_beside(orelse, b, a))


def _beside(known: Known, one: Range, other: Range) -> Range:
    """The same, also beside what the other one is compared with.

    Of a count that begins anew (`n = n + 1 if a else 1`): 1 is at most `n`, if that is
    never less.
    """
    below = {
        local: one.high - known.of(local).low
        for local in other.below
        if local not in one.below and one.high < MOST and known.of(local).low > LEAST
    }
    above = {
        local: one.low - known.of(local).high
        for local in other.above
        if local not in one.above and one.low > LEAST and known.of(local).high < MOST
    }
    if not below and not above:
        return one
    return Range(one.low, one.high, {**one.below, **below}, {**one.above, **above})


def _locals(args: Iterable[Any]) -> list[Local]:
    return [arg for arg in args if isinstance(arg, Local)]


# --- tests ----------------------------------------------------------------------------
# Of signed ints: whether the operands change places, and what the first is less by.
_ORDERS = {
    "icmp slt": (False, 1),
    "icmp sle": (False, 0),
    "icmp sgt": (True, 1),
    "icmp sge": (True, 0),
}
_UNSIGNED = {"icmp u" + word: "icmp s" + word for word in ("lt", "le", "gt", "ge")}


def answer(known: Known, one: Instruction) -> bool | None:
    """What a test of two ints says; None where that is not known."""
    a, b = one.args
    op = one.op
    if op in _UNSIGNED:
        if known.of(a).low < 0 or known.of(b).low < 0:
            return None
        op = _UNSIGNED[op]
    if op in ("icmp eq", "icmp ne"):
        if known.least_between(a, b) > 0 or known.least_between(b, a) > 0:
            return op == "icmp ne"
        is_same = known.least_between(a, b) == known.least_between(b, a) == 0
        return op == "icmp eq" if is_same else None
    swaps, by = _ORDERS[op]
    a, b = (b, a) if swaps else (a, b)
    if known.least_between(b, a) >= by:
        return True
    return False if known.least_between(a, b) > -by else None


def is_answered(one: Instruction) -> bool:
    """Whether it is a test of two ints of 64 bits."""
    return one.op.startswith("icmp ") and one.type == INT


def assume(known: Known, test: Operand, holds: bool) -> None:
    """Note that a test has this answer."""
    root = known.root(test)
    if not isinstance(root, Local):
        return
    known.put(root, Range(int(holds), int(holds)))
    one = known.made.get(root)
    if one is None:
        return
    if one.op == "xor" and one.args[1] is True:
        assume(known, one.args[0], not holds)
    elif (one.op == "and" and holds) or (one.op == "or" and not holds):
        for arg in one.args:
            assume(known, arg, holds)
    elif one.op == "either":
        # Of the branches one gives the other answer: it was not that one.
        which, *sides = one.args
        for side, other in zip((True, False), sides, strict=True):
            if not isinstance(other, Local) and bool(other) is not holds:
                assume(known, which, not side)
                assume(known, sides[side], holds)
    elif is_answered(one):
        _assume_order(known, one, holds)


def _assume_order(known: Known, one: Instruction, holds: bool) -> None:
    a, b = one.args
    op = one.op
    if op in ("icmp eq", "icmp ne"):
        if holds is (op == "icmp eq"):
            known.less(a, b, 0)
            known.less(b, a, 0)
        else:
            _assume_other(known, a, b)
            _assume_other(known, b, a)
        return
    if op in _UNSIGNED:
        op = _UNSIGNED[op]
        is_less = holds is (op in ("icmp slt", "icmp sle"))
        small, large = (a, b) if is_less else (b, a)
        if known.of(large).low < 0:
            return
        known.least(small, 0, {})
    swaps, by = _ORDERS[op]
    a, b = (b, a) if swaps else (a, b)
    if holds:
        known.less(a, b, by)
    else:
        known.less(b, a, 1 - by)


def _assume_other(known: Known, a: Operand, b: Operand) -> None:
    x, y = known.of(a), known.of(b)
    if y.low == y.high == x.low:
        known.least(a, x.low + 1, {})
    elif y.low == y.high == x.high:
        known.most(a, x.high - 1, {})
