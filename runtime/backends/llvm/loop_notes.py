"""loop_notes: what LLVM is told of a loop, behind the jump back; what it counts in."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.backends.llvm.chunks import CHUNK, LONG_TURN, UNROLLED
from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    TURNS,
    Block,
    Instruction,
    Local,
    Operand,
)

# Is in the text of loops over elements, whose turns are independent.
PARALLEL = "llvm.loop.parallel_accesses"
WIDTH = "llvm.loop.vectorize.width"
# However few turns it has.
ENABLED = "llvm.loop.vectorize.enable"
# How many vectors are begun with: of sums each waits for the one before.
INTERLEAVED, SUMS = "llvm.loop.interleave.count", 4
# Of so few elements no vectors are made, unless they are these many, which are one.
FEW, WHOLE = 16, (4, 8)

ACCESS = frozenset({"load", "store"})


def gains_by_all_passes(one: Instruction) -> bool:
    """Whether LLVM's whole pipeline is worth its time for a loop.

    It reads or writes elements, turn by turn; or it computes ints in turns that nothing
    leaves, of which several become one product and one sum.
    """
    inside = [inner for block in one.blocks for inner in block.walk()]
    words = {inner.op for inner in inside}
    if "while" in words or not words.isdisjoint(ACCESS):
        return "while" not in words
    types = {out.type for inner in inside for out in inner.outs}
    fails = any(inner.exit for inner in inside)
    return one.type == CHUNK and not fails and types <= {INT, BIT}


def note_of_chunk(text: Lines, one: Instruction) -> str:
    """Of the turns of a chunk: to write several of them, and to make no vectors.

    What could be one is one by `stretches.py`, or is better none.
    """
    if one.type != CHUNK or one.blocks[1].size() > LONG_TURN:
        return ""
    if any(inner.op == "new" for inner in one.blocks[1].walk()):
        # LLVM warns that it cannot, where a turn makes an array.
        return ""
    count = text.note(f'!{{!"llvm.loop.unroll.count", i32 {UNROLLED}}}')
    alone = text.note(f'!{{!"{ENABLED}", i1 false}}')
    return _loop(text, [count, alone])


def note_of_turns(text: Lines, kind: str, width: int, group: str, turn: Block) -> str:
    """Of a loop that counts: that its turns are independent, how many are a vector."""
    parts = []
    # Of turns that may not be independent LLVM would say so if it was told how many.
    if kind == "parallel" and width:
        parts.append(text.note(f'!{{!"{WIDTH}", i32 {width}}}'))
    if kind == TURNS and turn.instructions[-1].op == "move":
        parts.append(text.note(f'!{{!"{INTERLEAVED}", i32 {SUMS}}}'))
    if kind == "parallel":
        parts.append(text.note(f'!{{!"{PARALLEL}", {group}}}'))
        if width:
            # Of others LLVM would say so, where they are not independent.
            parts.append(text.note(f'!{{!"{ENABLED}", i1 true}}'))
    return _loop(text, parts) if parts else ""


def few_and_kind(one: Instruction) -> tuple[int, str]:
    """How many turns one that counts has, if few, and as which kind it is written."""
    size = one.args[1]
    few = 0 if isinstance(size, Local) or size >= FEW else int(size)
    # Of so few LLVM makes one vector, whose other lanes may compute 0 / 0.
    return few, "" if few and few not in WHOLE else one.type


def counter_of(one: Instruction) -> tuple[Local, Operand, Block]:
    """What a loop counts in, what it begins with, and what a turn does besides.

    A stretch of turns computes its counter of where it begins and of the number of the
    turn. Where more is computed of the counter than addresses, that would be a sum for
    each vector, so the loop counts in it.
    """
    (index, _), (turn,) = one.args, one.blocks
    assert isinstance(index, Local)
    usual = index, 0, turn
    place, *steps = turn.instructions or [one]
    if one.type != TURNS or place.op != "add" or place.args[1] is not index:
        return usual
    (counter,), (first, _) = place.outs, place.args
    inside = [inner for step in steps for inner in (step, *_within(step))]
    if any(index in inner.args or counter in inner.outs for inner in inside):
        return usual
    return (counter, first, Block(steps)) if _is_value(counter, inside) else usual


def _within(one: Instruction) -> Iterator[Instruction]:
    for block in one.blocks:
        yield from block.walk()


def _is_value(counter: Local, steps: list[Instruction]) -> bool:
    """Whether more than addresses is computed of a counter."""
    places = {counter}
    for one in steps:
        if places.isdisjoint(one.args) or one.op == "address":
            continue
        if one.op not in ("same", "add", "sub"):
            return True
        places.update(one.outs)
    return False


def _loop(text: Lines, parts: list[str]) -> str:
    inside = ", ".join([f"!{len(text.notes)}", *parts])
    return f", !llvm.loop {text.note(f'distinct !{{{inside}}}')}"
