"""chunks: the turns of a counted loop, many between two looks at the clock.

A pass over loop IR. A loop that counts its turns, with no loop in it, asked at each of
them whether a look is due. It becomes a loop of chunks, each as long as the turns that
are left until the next look, in which there is no more than what the program does.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.ahead import BESIDE
from runtime.backends.llvm.few_turns import FEW_TURNS
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

# The word for such a loop, whose turns LLVM may write several times.
CHUNK = "chunk"
# The word for turns of a chunk that are left before and behind what is written of it.
ONCE = "once"
# Turns of a chunk that are written one after the other, if they are no longer.
UNROLLED, LONG_TURN = 4, 60
# What is in a turn of any other loop that is short enough for that.
SHORT, SHORT_TURN = BESIDE - {"while", "call", "numpy", "own"}, 24
# What may take long: a look each turn is nothing beside it.
_LONG = frozenset({"while", "for", "lanes", "outlined", "pairwise", "product"})


def with_chunks(lowering: Lowering, function: Function) -> Function:
    """The function, whose innermost counted loops are of chunks."""
    _block(lowering, function.body)
    return function


def _block(lowering: Lowering, block: Block) -> None:
    for one in block.instructions:
        # What lanes run ahead is for vectors.
        for inner in one.blocks[one.op == "lanes" :]:
            _block(lowering, inner)
        if one.op == "while" and not one.symbol and one.type != FEW_TURNS:
            _loop(lowering, one)


def _loop(lowering: Lowering, loop: Instruction) -> None:
    counter, end = counted(loop)
    steps = loop.blocks[1].instructions
    polls = [one for one in steps if one.op == "poll"]
    if counter is None or end is None or len(polls) != 1:
        return
    inside = loop.blocks[1].walk()
    if any(one.op in _LONG and one.type != FEW_TURNS for one in inside):
        return
    write = partial(_chunk, lowering, counter, end, polls[0], steps)
    loop.blocks = (loop.blocks[0], lowering.within(write))


def _chunk(
    lowering: Lowering,
    counter: Local,
    end: Operand,
    poll: Instruction,
    steps: list[Instruction],
) -> None:
    """The turns until the next look."""
    room = lowering.compute("sub", INT, end, counter, type=INT)
    count, verdict = lowering.local(INT), lowering.local(BIT)
    many = Instruction("poll", (count,), (room, *poll.args))
    lowering.block.instructions.append(many)
    stop = lowering.compute("add", INT, counter, count, type=INT)

    def head() -> None:
        test = lowering.compute("icmp slt", BIT, counter, stop, type=INT)
        lowering.assign([verdict], [test])

    turn = Block([one for one in steps if one is not poll])
    blocks = (lowering.within(head), turn)
    lowering.emit("while", verdict, blocks=blocks, type=CHUNK)


def written_turns(loop: Instruction) -> list[Block]:
    """The turns of a loop as they are written: of a short one several.

    They are counted all at once: a look may come a little early.
    """
    turn, every = loop.blocks[1], [one for block in loop.blocks for one in block.walk()]
    words = {one.op.split(" ")[0] for one in every}
    is_short = len(every) <= SHORT_TURN and words <= SHORT
    if any(one.op == "load" for one in loop.blocks[0].walk()):
        # Each of them has a test of its own, which the processor guesses by itself.
        is_fit = loop.type not in (CHUNK, ONCE)
    else:
        # Of one that only counts on and writes LLVM makes more places than registers.
        is_fit = loop.type not in (CHUNK, FEW_TURNS, ONCE) and "store" not in words
        is_fit = is_fit and not loop.symbol
    if not (is_short and is_fit):
        return [turn]
    rest = [one for one in turn.instructions if one.op != "poll"]
    return [turn, *[Block(rest)] * (UNROLLED - 1)]
