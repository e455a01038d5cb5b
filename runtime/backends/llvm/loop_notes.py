"""loop_notes: what LLVM is told of a loop, behind the jump back to its begin."""

from __future__ import annotations

from runtime.backends.llvm.chunks import CHUNK, LONG_TURN, UNROLLED
from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import BIT, INT, TURNS, Block, Instruction

# Is in the text of loops over elements, whose turns are independent.
PARALLEL = "llvm.loop.parallel_accesses"
WIDTH = "llvm.loop.vectorize.width"
# However few turns it has.
ENABLED = "llvm.loop.vectorize.enable"
# How many vectors are begun with: of sums each waits for the one before.
INTERLEAVED, SUMS = "llvm.loop.interleave.count", 4

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


def _loop(text: Lines, parts: list[str]) -> str:
    inside = ", ".join([f"!{len(text.notes)}", *parts])
    return f", !llvm.loop {text.note(f'distinct !{{{inside}}}')}"
