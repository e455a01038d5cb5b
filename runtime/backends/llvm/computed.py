"""computed: what an int is at least and at most, by what computes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.backends.llvm.loops import INT, Instruction, Local, Operand
from runtime.backends.llvm.ranges import (
    ANY,
    LEAST,
    MOST,
    Known,
    Range,
    assume,
    either_of,
)

Rule = Callable[[Known, Instruction], Range]
# What gives the same in another order.
COMMUTES = frozenset({"add", "mul", "sadd", "smul", "and", "or", "xor"})
# How long a list may be.
LENGTH = Range(0, MOST >> 3)


def range_of(known: Known, one: Instruction) -> Range:
    """What the one result is; of overflowing ones, where they have not left."""
    rule = RULES.get(one.op)
    if rule is None or one.outs[0].type != INT:
        return ANY
    found = rule(known, one)
    if LEAST <= found.low and found.high <= MOST:
        return found
    if one.exit is None:
        return ANY  # it has wrapped round
    return Range(max(found.low, LEAST), min(found.high, MOST), found.below, found.above)


def fits(known: Known, one: Instruction) -> bool:
    """Whether the result of an instruction that may overflow never does."""
    found = RULES[one.op](known, one)
    return LEAST <= found.low and found.high <= MOST


def _beside(known: Known, a: Operand) -> tuple[dict[Local, int], dict[Local, int]]:
    """What an operand is at most and at least beside others, itself among them."""
    found, root = known.of(a), known.root(a)
    below, above = dict(found.below), dict(found.above)
    if isinstance(root, Local):
        below[root] = above[root] = 0
    return below, above


def _sum(known: Known, one: Instruction) -> Range:
    a, b = one.args
    x, y = known.of(a), known.of(b)
    below: dict[Local, int] = {}
    above: dict[Local, int] = {}
    for first, second in ((a, y), (b, x)):
        highs, lows = _beside(known, first)
        if second.high - second.low < MOST:
            below |= {local: more + second.high for local, more in highs.items()}
            above |= {local: more + second.low for local, more in lows.items()}
    return Range(x.low + y.low, x.high + y.high, below, above)


def _difference(known: Known, one: Instruction) -> Range:
    a, b = one.args
    y = known.of(b)
    below, above = _beside(known, a)
    low, high = known.least_between(a, b), -known.least_between(b, a)
    if y.high - y.low >= MOST:
        return Range(low, high)
    return Range(
        low,
        high,
        {local: more - y.low for local, more in below.items()},
        {local: more - y.high for local, more in above.items()},
    )


def _product(known: Known, one: Instruction) -> Range:
    a, b = map(known.of, one.args)
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    if a.low == a.high == 1:
        return _same(known, one.args[1])
    return _same(known, one.args[0]) if b.low == b.high == 1 else _between(ends)


def _between(ends: list[int]) -> Range:
    return Range(min(ends), max(ends))


def _same(known: Known, a: Operand) -> Range:
    found = known.of(a)
    return Range(found.low, found.high, *_beside(known, a))


def _quotient(known: Known, one: Instruction) -> Range:
    a, b = map(known.of, one.args)
    if b.low != b.high or b.low <= 0:
        return ANY
    ends = [abs(x) // b.low * (-1 if x < 0 else 1) for x in (a.low, a.high)]
    return _between(ends)


def _shifted(known: Known, one: Instruction) -> Range:
    """The quotient by a power of two, rounded down."""
    a, b = map(known.of, one.args)
    if b.low != b.high or not 0 <= b.low < 64:
        return ANY
    return Range(a.low >> b.low, a.high >> b.low)


def _rest(known: Known, one: Instruction) -> Range:
    a, b = map(known.of, one.args)
    if b.low <= 0:
        return ANY
    most = b.high - 1
    low = 0 if a.low >= 0 else max(a.low, -most)
    return Range(low, min(most, a.high) if a.high >= 0 else 0)


def _unsigned(known: Known, one: Instruction) -> Range:
    """Of ints without signs: one that is negative is a large one there."""
    a, b = map(known.of, one.args)
    if b.low != b.high or b.low <= 1:
        return ANY
    high = a.high if a.low >= 0 else 2**64 - 1
    return Range(0, high // b.low if one.op == "udiv" else min(high, b.low - 1))


def _bits(known: Known, one: Instruction) -> Range:
    """Of two ints whose bits are put together: `and` by a number leaves few."""
    a, b = map(known.of, one.args)
    if one.op == "and":
        highs = [x.high for x in (a, b) if x.low >= 0]
        return Range(0, min(highs)) if highs else ANY
    if a.low < 0 or b.low < 0:
        return ANY
    return Range(0, (1 << max(a.high, b.high).bit_length()) - 1)


def _extreme(known: Known, one: Instruction) -> Range:
    a, b = one.args
    x, y = known.of(a), known.of(b)
    highs, lows = zip(_beside(known, a), _beside(known, b), strict=True)
    if one.op == "smin":
        return Range(min(x.low, y.low), min(x.high, y.high), highs[0] | highs[1], {})
    return Range(max(x.low, y.low), max(x.high, y.high), {}, lows[0] | lows[1])


def _chosen(known: Known, one: Instruction) -> Range:
    """`a if test else b`; each is taken where the test says so."""
    test, *sides = one.args
    found, places = [], []
    for holds, side in zip((True, False), sides, strict=True):
        there = known.supposed()
        places.append(there)
        assume(there, test, holds)
        made = known.made.get(side) if isinstance(side, Local) else None
        # `i + n if i < 0 else i`: the sum is computed before it is asked.
        is_sum = made is not None and made.op in ("add", "sub") and made.exit is None
        again = range_of(there, made) if made is not None and is_sum else ANY
        if is_sum and again is not ANY:
            known_there = _same(there, side)
            found.append(
                Range(
                    max(again.low, known_there.low),
                    min(again.high, known_there.high),
                    again.below,
                    again.above,
                )
            )
        else:
            found.append(_same(there, side))
    return either_of(places[0], found[0], places[1], found[1])


def _extended(known: Known, one: Instruction) -> Range:
    """An int of fewer bits."""
    bits = int(one.type[1:])
    if one.op == "zext":
        return Range(0, 2**bits - 1)
    return Range(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sadd"), _sum),
    **dict.fromkeys(("sub", "ssub"), _difference),
    **dict.fromkeys(("mul", "smul"), _product),
    **{"sdiv": _quotient, "srem": _rest, "select": _chosen, "ashr": _shifted},
    **dict.fromkeys(("udiv", "urem"), _unsigned),
    **dict.fromkeys(("and", "or", "xor"), _bits),
    **dict.fromkeys(("smin", "smax"), _extreme),
    **dict.fromkeys(("sext", "zext"), _extended),
    "ctpop": lambda known, one: Range(0, 64),
    "list_length": lambda known, one: LENGTH,
    **dict.fromkeys(("typed_append", "typed_cut"), lambda known, one: LENGTH),
    "typed_behead": lambda known, one: LENGTH,
    "typed_find": lambda known, one: Range(-1, LENGTH.high),
}


def key_of(one: Instruction, known: Known) -> Any:
    """What is the same for instructions that give the same."""
    args = []
    for arg in one.args:
        root = known.root(arg)
        args.append(root if isinstance(root, Local) else (type(root), repr(root)))
    if one.op in COMMUTES:
        args.sort(key=lambda arg: arg.name if isinstance(arg, Local) else "")
    return one.op, one.type, one.outs[0].type, tuple(args)
