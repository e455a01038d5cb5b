"""steady: what a `while` of lanes computes alike in each turn is done in its first one.

A pass over loop IR, of a part that only reads and computes (`lanes.py`). `real[j]` in a
`while` of its own turn is one gather for each vector and turn; with the product for its
place that is most of the time of a picture of Mandelbrot's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from runtime.backends.llvm.lines import OVERFLOWING
from runtime.backends.llvm.loops import Block, Instruction, Local
from runtime.backends.llvm.unused import PURE
from runtime.structs import replace

# The word for what only the first turn of the loop around it does.
ONCE = "once"
_STEADY = PURE | {"same", "load", "own", "leave_if"}
# What is done safely only where no turn has left before: others trap.
GUARDED = frozenset({"load", "sdiv", "srem", "udiv", "urem"})


def settled(block: Block) -> Block:
    """A block like it, in which of each `while` the first turn does what all would.

    Lanes only ever drop out of a `while`, so all that are at work later are in its
    first turn. It is not done before that: there may be none.
    """
    made = Block()
    for one in block.instructions:
        inner = tuple(map(settled, one.blocks))
        if one.op == "while":
            inner = (inner[0], _settled(*inner))
        made.instructions.append(replace(one, blocks=inner) if inner else one)
    return made


def _settled(head: Block, body: Block) -> Block:
    """The body of a `while`."""
    outs = [out for block in (head, body) for one in block.walk() for out in one.outs]
    moving = set(outs)
    steady, rest = [], []
    may_leave = False
    for one in body.instructions:
        word = one.op.split(" ")[0]
        is_safe = not (may_leave and word in GUARDED)
        is_alone = all(outs.count(out) == 1 for out in one.outs)
        if word in _STEADY and is_safe and is_alone and moving.isdisjoint(_reads(one)):
            steady.append(one)
            moving.difference_update(one.outs)
            continue
        rest.append(one)
        may_leave |= any(inner.exit for inner in (one, *_inside(one)))
    if all(one.op == "same" for one in steady):
        return body
    return Block([Instruction(ONCE, blocks=(Block(steady),)), *rest])


def turn_ends(block: Block, given: Collection[Local]) -> dict[Instruction, list[Local]]:
    """The moves at the ends of turns, each with what is read after its loop.

    given: what is read after the block
    """
    every = Counter(_reads_within(block))
    ends = {}
    for loop in block.walk():
        if loop.op != "while" or not loop.blocks[1].instructions:
            continue
        last = loop.blocks[1].instructions[-1]
        if last.op == "move":
            here = Counter(local for one in loop.blocks for local in _reads_within(one))
            ends[last] = [o for o in last.outs if o in given or here[o] < every[o]]
    return ends


def head_results(
    block: Block, given: Collection[Local]
) -> dict[Instruction, list[Local]]:
    """What the test of each loop computes that is read after it, too.

    given: what is read after the block. `while c * c < n: ...` and then `c * c == n`:
    the product is the one with which the loop has ended (`needless.py`)
    """
    every = Counter(_reads_within(block))
    found = {}
    for loop in block.walk():
        if loop.op == "while":
            here = Counter(local for one in loop.blocks for local in _reads_within(one))
            outs = (out for one in loop.blocks[0].walk() for out in one.outs)
            read = (o for o in outs if o in given or here[o] < every[o])
            found[loop] = [*dict.fromkeys(read)]
    return found


def may_leave(loop: Instruction) -> bool:
    """Whether lanes may leave in a `while`, other than where it looks at the clock.

    Where one in it stops there, this one is told so as of the others.
    """
    inside = [one for block in loop.blocks for one in block.walk()]
    return any(one.exit or one.op in ("while", *OVERFLOWING) for one in inside)


def _reads_within(block: Block) -> Iterator[Local]:
    return (local for one in block.walk() for local in _reads(one))


def _reads(one: Instruction) -> Iterator[Local]:
    return (arg for arg in one.args if isinstance(arg, Local))


def _inside(one: Instruction) -> Iterator[Instruction]:
    return (inner for block in one.blocks for inner in block.walk())
