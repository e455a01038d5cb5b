"""bounds_once: ints that a loop keeps within bounds are asked for them before it.

A pass over loop IR. What a turn makes of `x = (a * x + c) % m` is less than `m`; what
the loop begins with is anybody's number, so each turn looked whether the product is too
large. Where that first number lies within the bounds, too, the loop is run without;
else as it was. A sum is within bounds if it begins near zero, each turn adds little,
and there are not too many turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from runtime.backends.llvm.few_turns import FEW_TURNS
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.lines import OVERFLOWING
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
from runtime.backends.llvm.needless import NeedlessPass
from runtime.backends.llvm.ranges import LEAST, MOST, Known, Range
from runtime.backends.llvm.supposed import FAR, STEP
from runtime.backends.llvm.tested_once import copied

# The longest loop that is written twice, and for sums alone.
LONGEST, SHORT = 200, 60
# What a turn may add to a sum, and what all turns may.
LARGE_STEP, ALL_STEPS = 2**31, 2**60


def with_bounds_once(lowering: Lowering, function: Function) -> Function:
    """The function; its innermost loops ask once of what they keep within bounds."""
    function.body.rewrite(partial(_loop, lowering))
    return function


def _loop(lowering: Lowering, loop: Instruction) -> list[Instruction]:
    if loop.op != "while":
        return [loop]
    inside = [one for block in loop.blocks for one in block.walk()]
    has_blocks = any(one.blocks and one.op != "if" for one in inside)
    if has_blocks or len(inside) > LONGEST or not _looks(loop):
        return [loop]
    after = _after_turns(loop)
    bounds = {
        local: of for local, of in after.items() if of.low > LEAST and of.high < MOST
    }
    sums = _sums(loop, after, bounds) if len(inside) <= SHORT else {}
    if not bounds and not sums:
        return [loop]
    fast, bounds = _fastest(loop, bounds, sums)
    if _looks(fast) >= _looks(loop):
        return [loop]
    found: list[Operand] = []
    step = max(sums.values(), default=0)
    is_few = step <= STEP or loop.type == FEW_TURNS
    turns = 0 if is_few else ALL_STEPS // step
    begins = dict.fromkeys(sums, Range(-FAR, FAR)) | bounds

    def before() -> None:
        tests = _asked(lowering, begins)
        if turns:
            counter, end = counted(loop)
            assert counter is not None
            assert end is not None
            left = lowering.compute("sub", INT, end, counter, type=INT)
            tests.append(lowering.compute("icmp ult", BIT, left, turns, type=INT))
            # A loop of no turn at all is run as it was.
        found.append(lowering.all_of(tests))

    block = lowering.within(before)
    either = (Block([fast]), Block([loop]))
    return [*block.instructions, Instruction("if", (), (found[0],), either)]


def _looks(loop: Instruction) -> int:
    """How often a turn looks whether an int is too large for the machine."""
    words = (one.op.split(" ")[0] for one in loop.blocks[1].walk() if one.exit)
    return sum(word in OVERFLOWING for word in words)


def _after_turns(loop: Instruction) -> dict[Local, Range]:
    """What the ints that a loop carries are after any turn, whatever they were."""
    return NeedlessPass(frozenset()).carried(copied(loop), Known(), is_begun=True)


def _sums(
    loop: Instruction, after: Mapping[Local, Range], bounds: Mapping[Local, Range]
) -> dict[Local, int]:
    """The ints to which a turn adds little, and how much at most.

    after: what they are after a turn, also beside what they were
    """
    counter, _ = counted(loop)
    is_bounded = counter is not None or loop.type == FEW_TURNS
    most = LARGE_STEP if is_bounded else STEP
    found = {}
    for local, of in after.items():
        if local in bounds or local is counter:
            continue
        if local in of.above and local in of.below:
            step = max(abs(of.above[local]), abs(of.below[local]))
            if step <= most:
                found[local] = step
    return found


def _fastest(
    loop: Instruction, bounds: dict[Local, Range], sums: Iterable[Local]
) -> tuple[Instruction, dict[Local, Range]]:
    """The loop as it is within bounds, and those of them that have to be asked."""
    fast = _within_bounds(loop, bounds, sums)
    if bounds and sums:
        # It may be the sums alone of which something has to be known.
        other = _within_bounds(loop, {}, sums)
        if _looks(other) == _looks(fast):
            return other, {}
    return fast, bounds


def _within_bounds(
    loop: Instruction, bounds: Mapping[Local, Range], sums: Iterable[Local]
) -> Instruction:
    """The loop without what it need not do where these ints begin so."""
    known = Known()
    for local, of in bounds.items():
        known.put(local, Range(of.low, of.high))
    needless = NeedlessPass(frozenset())
    needless.held = dict.fromkeys(sums, Range(-2 * FAR, 2 * FAR))
    (made,) = needless.block(Block([copied(loop)]), known).instructions
    return made


def _asked(lowering: Lowering, bounds: Mapping[Local, Range]) -> list[Local]:
    """Whether these ints lie within their bounds."""
    tests = []
    for local, of in bounds.items():
        tests.append(lowering.compute("icmp sge", BIT, local, of.low, type=INT))
        tests.append(lowering.compute("icmp sle", BIT, local, of.high, type=INT))
    return tests
