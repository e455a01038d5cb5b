"""bounds_once: ints that a loop keeps within bounds are asked for them before it.

A pass over loop IR. What a turn makes of `x = (a * x + c) % m` is less than `m`; what
the loop begins with is anybody's number, so each turn looked whether the product is too
large. Where that first number lies within the bounds, too, the loop is run without;
else as it was.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.backends.llvm.lines import OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Block,
    Function,
    Instruction,
    Local,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.needless import NeedlessPass
from runtime.backends.llvm.ranges import LEAST, MOST, Known, Range
from runtime.backends.llvm.tested_once import copied

# The longest loop that is written twice.
LONGEST = 200


def with_bounds_once(lowering: Lowering, function: Function) -> Function:
    """The function; its innermost loops ask once of what they keep within bounds."""
    _block(lowering, function.body)
    return function


def _block(lowering: Lowering, block: Block) -> None:
    made: list[Instruction] = []
    for one in block.instructions:
        # What lanes run ahead is for vectors.
        for inner in one.blocks[one.op == "lanes" :]:
            _block(lowering, inner)
        made += _loop(lowering, one) if one.op == "while" else [one]
    block.instructions = made


def _loop(lowering: Lowering, loop: Instruction) -> list[Instruction]:
    inside = [one for block in loop.blocks for one in block.walk()]
    has_blocks = any(one.blocks and one.op != "if" for one in inside)
    if has_blocks or len(inside) > LONGEST or not _looks(loop):
        return [loop]
    bounds = {
        local: of
        for local, of in _bounds_of_turns(copied(loop)).items()
        if of.low > LEAST and of.high < MOST
    }
    if not bounds:
        return [loop]
    fast = _within_bounds(copied(loop), bounds)
    if _looks(fast) >= _looks(loop):
        return [loop]
    found: list[Local] = []
    before = lowering.within(lambda: found.append(_asked(lowering, bounds)))
    either = (Block([fast]), Block([loop]))
    return [*before.instructions, Instruction("if", (), (found[0],), either)]


def _looks(loop: Instruction) -> int:
    """How often a turn looks whether an int is too large for the machine."""
    words = (one.op.split(" ")[0] for one in loop.blocks[1].walk() if one.exit)
    return sum(word in OVERFLOWING for word in words)


def _bounds_of_turns(loop: Instruction) -> dict[Local, Range]:
    """What the ints that a loop carries are after any turn, whatever they were."""
    return NeedlessPass(frozenset()).carried(loop, Known(), is_begun=True)


def _within_bounds(loop: Instruction, bounds: Mapping[Local, Range]) -> Instruction:
    """The loop without what it need not do where these ints begin so."""
    known = Known()
    for local, of in bounds.items():
        known.put(local, Range(of.low, of.high))
    (made,) = NeedlessPass(frozenset()).block(Block([loop]), known).instructions
    return made


def _asked(lowering: Lowering, bounds: dict[Local, Range]) -> Local:
    """Whether all of these ints lie within their bounds."""
    tests = []
    for local, of in bounds.items():
        tests.append(lowering.compute("icmp sge", BIT, local, of.low, type=INT))
        tests.append(lowering.compute("icmp sle", BIT, local, of.high, type=INT))
    first, *others = tests
    for one in others:
        first = lowering.compute("and", BIT, first, one, type=BIT)
    return first
