"""grown: how large ints can have grown in a stretch of turns, seen before it.

A pass over loop IR. What a turn adds to an element that it has read, or to what the
turn before has left, makes the largest of all of them larger by no more than the turn
adds. So a stretch of turns looks at what it will read, in vectors, and at what it
begins with: where all of that is small nothing can outgrow the machine before its end,
and no turn looks at its sums. Else the stretch is run as it was.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.ahead import BESIDE, last_move
from runtime.backends.llvm.chunks import CHUNK
from runtime.backends.llvm.growth import PLAIN, Growth, looks
from runtime.backends.llvm.lanes import counted
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    TURNS,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import extent
from runtime.backends.llvm.read_rows import Unfit
from runtime.backends.llvm.reads_ahead import with_strides
from runtime.backends.llvm.tested_once import copied
from runtime.structs import replace

# Turns of a stretch; fewer of them look as they did. The longest turn that is written
# twice.
LENGTH, FEW, LONGEST = 4096, 32, 80
# Bytes of an int.
SIZE = 8
# The word for a branch that where some array does not lie in C's order is never taken.
IN_ORDER = "in order"
_WORDS = BESIDE - {"while"}


def with_growth(lowering: Lowering, function: Function) -> Function:
    """The function; its innermost counted loops look at ints once for many turns."""
    function.body.rewrite(partial(_loop, lowering, _arrays(lowering)))
    return function


def out_of_order(block: Block) -> Block:
    """A block as it is where some array does not lie in C's order."""
    made: list[Instruction] = []
    for one in block.instructions:
        inner = tuple(map(out_of_order, one.blocks))
        if one.op == "if" and one.type == IN_ORDER:
            made += inner[1].instructions
        elif all(a is b for a, b in zip(inner, one.blocks, strict=True)):
            made.append(one)
        else:
            made.append(replace(one, blocks=inner))
    is_same = len(made) == len(block.instructions) and all(
        a is b for a, b in zip(made, block.instructions, strict=True)
    )
    return block if is_same else Block(made)


def _arrays(lowering: Lowering) -> dict[Operand, Array]:
    """Arrays by where they begin; none of which several begin there."""
    found: dict[Operand, Array] = {}
    several: set[Operand] = set()
    for value in lowering.values.values():
        if isinstance(value, Array):
            other = found.setdefault(value.data, value)
            form = (value.dtype, value.dims, value.strides)
            if form != (other.dtype, other.dims, other.strides):
                several.add(value.data)
    return {data: array for data, array in found.items() if data not in several}


def _loop(
    lowering: Lowering, arrays: dict[Operand, Array], loop: Instruction
) -> list[Instruction]:
    if loop.op != "while" or loop.type or loop.symbol:
        return [loop]
    counter, end = counted(loop)
    steps = loop.blocks[1].instructions
    polls = [one for one in steps if one.op == "poll"]
    if counter is None or end is None or len(polls) != 1:
        return [loop]
    turn = Block([one for one in steps if one is not polls[0]])
    inside = [*turn.walk()]
    # What only a branch looks at is not worth it.
    is_asking = any(map(looks, turn.instructions))
    words = {one.op.split(" ")[0] for one in inside}
    if not is_asking or len(inside) > LONGEST or not words <= _WORDS:
        return [loop]
    try:
        growth = Growth(turn, counter, last_move(turn), arrays)
    except Unfit:
        return [loop]
    if not _is_worth(inside, growth):
        return [loop]
    write = partial(_stretch, lowering, growth, (counter, end), turn)
    block = lowering.within(write)
    stretch = Block([*polls, *block.instructions])
    return [replace(loop, blocks=(loop.blocks[0], stretch))]


def _is_worth(inside: list[Instruction], growth: Growth) -> bool:
    """Whether looks of all turns take more time than one at all that is read.

    Without them branches are choices.
    """
    saved = sum(looks(one) or one.op == "if" for one in inside)
    return saved > len(growth.rows)


def _stretch(
    lowering: Lowering, growth: Growth, counts: tuple[Local, Operand], turn: Block
) -> None:
    """Many turns; the counter is behind them then."""
    counter, end = counts
    room = lowering.compute("sub", INT, end, counter, type=INT)
    count = lowering.compute("smin", INT, room, LENGTH)
    stop = lowering.compute("add", INT, counter, count, type=INT)
    is_small = lowering.local(BIT)
    many = lowering.within(lambda: _look(lowering, growth, count, is_small))
    few = lowering.within(lambda: lowering.assign([is_small], [False]))
    is_many = lowering.compute("icmp sge", BIT, count, FEW, type=INT)
    lowering.emit("if", is_many, blocks=(many, few), type=IN_ORDER)

    def turns(block: Block) -> Block:
        verdict = lowering.local(BIT)

        def head() -> None:
            test = lowering.compute("icmp slt", BIT, counter, stop, type=INT)
            lowering.assign([verdict], [test])

        chunk = lowering.within(head), block
        return Block([Instruction("while", (), (verdict,), chunk, type=CHUNK)])

    fast = with_strides(Block(_without_looks(turn)), growth.strides)
    ways = turns(fast), turns(turn)
    lowering.emit("if", is_small, blocks=ways, type=IN_ORDER)


def _without_looks(block: Block) -> list[Instruction]:
    made = []
    for one in block.instructions:
        inner = tuple(Block(_without_looks(inside)) for inside in one.blocks)
        plain = copied(one) if not inner else replace(one, blocks=inner)
        if looks(one):
            plain = replace(one, op=PLAIN[one.op], type=INT, exit=None)
        made.append(plain)
    return made


def _look(lowering: Lowering, growth: Growth, count: Operand, is_small: Local) -> None:
    """Whether all that so many turns begin with and read is small."""
    counter, first = growth.counter, lowering.local(INT)
    lowering.assign([first], [counter])
    after = lowering.compute("add", INT, first, count, type=INT)
    last = lowering.compute("sub", INT, after, 1, type=INT)
    tests: list[Operand] = [
        _is_small(lowering, one, bits)
        for local, bits in growth.asked.items()
        for one in ((first, last) if local is counter else (local,))
    ]
    for stride, size in growth.strides.items():
        tests.append(lowering.compute("icmp eq", BIT, stride, size, type=INT))
    extents = {one: extent(lowering, growth.arrays[one]) for one in growth.bases}
    for one, other in growth.apart:
        tests.append(_are_apart(lowering, extents[one], extents[other]))
    for turn in (first, last):
        lowering.assign([counter], [turn])
        lowering.block.instructions += [*map(replace, growth.placing)]
        for place, base in growth.places.items():
            at = lowering.compute("ptrtoint", INT, place, type="ptr")
            low, high = extents[base]
            till = lowering.compute("sub", INT, high, SIZE, type=INT)
            tests.append(lowering.compute("icmp sge", BIT, at, low, type=INT))
            tests.append(lowering.compute("icmp sle", BIT, at, till, type=INT))
    for base in growth.wholes:
        (whole,) = growth.arrays[base].dims
        tests.append(lowering.compute("icmp sle", BIT, whole, count, type=INT))

    def read() -> None:
        note = _noted(lowering, growth, first, count)
        most = 2 ** (growth.bits + 1)
        small = lowering.compute("icmp ult", BIT, note, most, type=INT)
        lowering.assign([is_small], [small])

    none = lowering.within(lambda: lowering.assign([is_small], [False]))
    lowering.emit("if", lowering.all_of(tests), blocks=(lowering.within(read), none))
    lowering.assign([counter], [first])


def _is_small(lowering: Lowering, one: Local, bits: int) -> Local:
    moved = lowering.compute("add", INT, one, 2**bits, type=INT)
    return lowering.compute("icmp ult", BIT, moved, 2 ** (bits + 1), type=INT)


def _are_apart(
    lowering: Lowering, a: tuple[Operand, Operand], b: tuple[Operand, Operand]
) -> Local:
    below = lowering.compute("icmp sle", BIT, a[1], b[0], type=INT)
    above = lowering.compute("icmp sle", BIT, b[1], a[0], type=INT)
    return lowering.compute("or", BIT, below, above, type=BIT)


def _noted(lowering: Lowering, growth: Growth, first: Local, count: Operand) -> Operand:
    """The bits that any of the ints has, each moved so that none is below 0."""
    note = lowering.local(INT)
    lowering.assign([note], [0])
    rows: dict[Instruction, Operand] = {**growth.short}
    for load, spread in growth.rows.items():
        rows[load] = lowering.compute("add", INT, count, spread, type=INT)
    for load, turns in rows.items():
        index = lowering.local(INT)
        step = Instruction("add", (growth.counter,), (first, index), type=INT)
        steps = [step, *map(replace, growth.placing), replace(load)]
        _note(lowering, growth, note, load.outs[0], steps)
        turn = with_strides(Block(steps), growth.strides)
        lowering.emit("for", index, turns, type=TURNS, blocks=(turn,))
    for base in growth.wholes:
        index, found = lowering.local(INT), lowering.local(INT)
        at = lowering.local("ptr")
        place = Instruction("address", (at,), (base, index, SIZE))
        steps = [place, Instruction("load", (found,), (at,))]
        _note(lowering, growth, note, found, steps)
        (size,) = growth.arrays[base].dims
        lowering.emit("for", index, size, type=TURNS, blocks=(Block(steps),))
    return note


def _note(
    lowering: Lowering,
    growth: Growth,
    note: Local,
    found: Local,
    steps: list[Instruction],
) -> None:
    """Add to the steps what notes how large an int is."""
    moved, both = lowering.local(INT), lowering.local(INT)
    steps += [
        Instruction("add", (moved,), (found, 2**growth.bits), type=INT),
        Instruction("or", (both,), (note, moved), type=INT),
        Instruction("move", (note,), (both,)),
    ]
