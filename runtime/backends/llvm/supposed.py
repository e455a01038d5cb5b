"""supposed: what the ints that a loop carries are in each turn, by what turns make.

What holds of the first turn is supposed of any turn; what a turn then hands on that is
not so is supposed no longer. What is left is so in every turn, since it is so in the
first and stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.backends.llvm.loops import Local, Operand
from runtime.backends.llvm.ranges import ANY, LEAST, MOST, Known, Range

# What is changed by so little in a turn, and has begun as near to zero, is twice as far
# from it after 2**58 turns at least: that takes years. So it stays within 2**62, also
# where a loop is entered at a turn for which that was asked.
STEP, FAR = 4, 2**61
# How often less is supposed, until all is given up.
ROUNDS = 6


def turned_of(
    local: Local, first: Range, known: Known, end: Operand, gone: set[Local]
) -> Range:
    """What a carried int is at the begin of a turn, by what a turn makes of it."""
    found, root = known.of(end), known.root(end)
    least, most = found.above.get(local), found.below.get(local)
    if root is local:
        least = most = 0
    either = first.either(found.without(gone))
    low, above = either.low, either.above
    if least is not None and least >= 0:
        low, above = first.low, first.above
    elif least is not None and least >= -STEP and first.low >= -FAR:
        low = max(low, 2 * min(first.low, -FAR // 2))
    high, below = either.high, either.below
    if most is not None and most <= 0:
        high, below = first.high, first.below
    elif most is not None and most <= STEP and first.high <= FAR:
        high = min(high, 2 * max(first.high, FAR // 2))
    return Range(low, high, below, above)


def supposed_of(first: Range, told: Range) -> Range:
    """What is supposed of an int that begins so, beside what is known of it."""
    low = first.low if told.low < first.low else LEAST
    high = first.high if told.high > first.high else MOST
    return Range(low, high)


def stable(
    trial: Callable[[Mapping[Local, Range]], Known],
    supposed: Mapping[Local, Range],
    ends: Mapping[Local, Operand],
    told: Mapping[Local, Range],
) -> tuple[Mapping[Local, Range], Known | None]:
    """What holds after each turn of which it is supposed, and what a turn then knows.

    What counts on is supposed no longer first of all. What is not counted may be one of
    some (a place that is found, or -1): once so many are supposed as a turn makes then.

    trial: a turn of which so much is supposed; ends: what it hands on
    told:  what is known of any turn
    """
    supposed = {local: of for local, of in supposed.items() if of != ANY}
    waits = widens = True
    for _ in range(ROUNDS):
        if not supposed:
            break
        known = trial(
            {one: of.within(supposed.get(one, ANY)) for one, of in told.items()}
        )
        made = {local: known.of(ends[local]) for local in supposed}
        kept = {local: _kept(of, made[local]) for local, of in supposed.items()}
        if kept == supposed:
            return supposed, known
        found = [
            local
            for local, end in made.items()
            if kept[local] != supposed[local] and not _is_counted(local, end)
        ]
        if waits and len(found) < sum(kept[one] != of for one, of in supposed.items()):
            kept |= {local: supposed[local] for local in found}
        elif widens:
            kept |= {local: _either(supposed[local], made[local]) for local in found}
            widens = False
        waits = False
        supposed = {local: of for local, of in kept.items() if of != ANY}
    return {}, None


def _is_counted(local: Local, end: Range) -> bool:
    """Whether a turn makes it more, or less, by a number."""
    return local in end.above and end.above[local] == end.below.get(local)


def _either(of: Range, end: Range) -> Range:
    return Range(min(of.low, end.low), max(of.high, end.high))


def _kept(of: Range, end: Range) -> Range:
    """As much of it as what a turn hands on keeps: or that it is not negative."""
    low = of.low
    if end.low < low:
        low = 0 if low > 0 and end.low >= 0 else LEAST
    return Range(low, of.high if end.high <= of.high else MOST)
