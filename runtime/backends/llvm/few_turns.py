"""few_turns: loops that end after a hundred turns at most, whatever the numbers are.

Of an int that each turn halves, or takes the lowest bit of, and of a remainder that
the next turn divides by, nothing is left after as many turns as an int has bits, or
one and a half times as many; one that only grows has no more values than lie between
the least and the largest that are known of it. Such a loop asks in no turn whether the
user interrupts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from runtime.backends.llvm.ahead import BESIDE
from runtime.backends.llvm.loops import INT, Instruction, Local, Operand
from runtime.backends.llvm.ranges import Known
from runtime.backends.llvm.unused import outs_of

# The word for such a loop, and for how many turns it counts in the one around it.
FEW_TURNS, COUNTED = "few", 16
# Values of an int that counts.
FEW = 64
# What is in their turns takes no long time.
_SHORT = BESIDE - {"while"}


def weight_of(loop: Instruction) -> int:
    """For how many turns one of a loop counts, which looks at the clock for them."""
    inside = (one for block in loop.blocks for one in block.walk())
    return 1 + COUNTED * sum(one.type == FEW_TURNS for one in inside)


def ends_soon(loop: Instruction, known: Known, ends: Mapping[Local, Operand]) -> bool:
    """Whether a loop does.

    known: at the end of a turn; ends: what it hands on then
    """
    inside = [one for block in loop.blocks for one in block.walk()]
    if not {one.op.split(" ")[0] for one in inside} <= _SHORT:
        return False
    writes = Counter(out for one in inside for out in outs_of(one))
    ints = [one for one in ends if one.type == INT and writes[one] == 1]
    return any(
        _is_counted(known, local, ends[local]) or _runs_out(loop, known, local, ends)
        for local in ints
    )


def _is_counted(known: Known, local: Local, end: Operand) -> bool:
    """Whether an int that only grows, or only falls, has few values in all turns."""
    of, made = known.of(local), known.of(end)
    grows = made.above.get(local, 0) > 0 or made.below.get(local, 0) < 0
    return grows and of.high - of.low < FEW


def _runs_out(
    loop: Instruction, known: Known, local: Local, ends: Mapping[Local, Operand]
) -> bool:
    """Whether an int that a loop carries becomes one with which it ends."""
    made = _maker(known, ends[local])
    if made is None or len(made.args) != 2:
        return False
    first, second = map(known.root, made.args)
    if made.op == "and":
        other = first if second is local else second
        is_lowest = local in (first, second) and _is_one_less(known, other, local)
        return is_lowest and _asks_for(known, loop.args[0], local)
    if made.op == "xor":
        other = first if second is local else second
        is_lowest = local in (first, second) and _is_lowest_bit(known, other, local)
        return is_lowest and _asks_for(known, loop.args[0], local)
    if known.of(local).low < 1:
        return False
    least = known.of(second).low
    if first is local:
        return (made.op == "ashr" and least >= 1) or (
            made.op in ("sdiv", "udiv") and least >= 2
        )
    # Of two numbers of which each divides the other: what is left of the first is
    # less than the second, which takes its place, or none is left and it ends.
    is_left = made.op in ("srem", "urem") and second is local
    before = ends.get(first) if isinstance(first, Local) else None
    return is_left and before is not None and known.root(before) is local


def _is_one_less(known: Known, one: Operand, local: Local) -> bool:
    made = _maker(known, one)
    if made is None or made.op not in ("sub", "ssub"):
        return False
    return known.root(made.args[0]) is local and made.args[1] == 1


def _is_lowest_bit(known: Known, one: Operand, local: Local) -> bool:
    """Whether it is `local & -local`."""
    made = _maker(known, one)
    if made is None or made.op != "and":
        return False
    first, second = map(known.root, made.args)
    turned = _maker(known, first if second is local else second)
    if local not in (first, second) or turned is None:
        return False
    is_less = turned.op in ("sub", "ssub") and turned.args[0] == 0
    return is_less and known.root(turned.args[1]) is local


def _asks_for(known: Known, test: Operand, local: Local) -> bool:
    """Whether a test says no where an int is zero."""
    made = _maker(known, test)
    if made is None:
        return False
    if made.op == "and":
        return any(_asks_for(known, arg, local) for arg in made.args)
    if made.op not in ("icmp ne", "icmp sgt") or len(made.args) != 2:
        return False
    return known.root(made.args[0]) is local and made.args[1] == 0


def _maker(known: Known, operand: Operand) -> Instruction | None:
    root = known.root(operand)
    return known.made.get(root) if isinstance(root, Local) else None
