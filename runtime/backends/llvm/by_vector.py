"""by_vector: a matrix whose rows lie one after the other, by a vector, as LLVM's text.

An element is the sum of as many chains of fused products as a vector of 32 bytes has
lanes, for a part of `k` at a time: that is how OpenBLAS's kernels compute it, but for
the last rows and for a `k` that is no multiple of the lanes (`product_choice.py` tries
the one, and does not ask for the other). Threads share the rows.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from runtime.backends.llvm.tiles import Routine, Shape
from runtime.backends.llvm.units import over, run_units

NAME = "by_vector"
# The bytes of a vector of chains; rows that are read side by side; rows of a unit.
WIDTH, TOGETHER, HEIGHT = 32, 4, 32
# Rows come so many at once for each of OpenBLAS's threads, if there are two.
ROWS = 8
# Elements of a part, as OpenBLAS has them, and what is as far apart as elements are.
BLOCKS, STEPS = (2048, 4096), ("%acol", "%brow", "%crow")
# What a unit is told, in this order.
FIELDS = ("a", "arow", "b", "c", "m", "k", "block", "bare")
PLACES = frozenset({"a", "b", "c"})


def chains(shape: Shape) -> Shape:
    """The vectors of chains, of the same elements."""
    return Shape(shape.kind, shape.size, TOGETHER, 1, WIDTH // shape.size)


def lines_of(shape: Shape) -> list[str]:
    """The functions; of those that tiles declare, too, none is declared again."""
    mine = chains(shape)
    many, name = mine.vector, mine.suffix
    told = f"declare {many} @llvm.fma.{name}({many}, {many}, {many})"
    return [*([] if mine.lanes == shape.lanes else [told]), _rows(mine)]


def _rows(shape: Shape) -> str:
    """The function that computes some units of rows."""
    text = Routine()
    for place, name in enumerate(FIELDS):
        kind = "ptr" if name in PLACES else "i64"
        text.line(f"%{name} = load {kind}, ptr {text.at('%frame', 8 * place)}")
    is_bare = text.set("icmp ne i64 %bare, 0")
    kind = shape.kind
    zero = text.set(f"select i1 {is_bare}, {kind} -0.0, {kind} 0.0")
    top = text.compute("mul", "%first", HEIGHT)
    bottom = text.least(text.compute("mul", "%last", HEIGHT), "%m")
    with text.counting(top, bottom, str(TOGETHER)) as row:
        # Where there are fewer rows, the last one comes again.
        last = text.compute("sub", "%m", 1)
        rows = [
            text.least(text.compute("add", row, number), last)
            for number in range(TOGETHER)
        ]
        places = [text.at("%a", one, "%arow") for one in rows]
        sums = [text.slot(kind, zero) for _ in rows]
        with text.counting("0", "%k", "%block") as begin:
            end = text.least(text.compute("add", begin, "%block"), "%k")
            for sum_, part in zip(
                sums, _parts(text, shape, places, begin, end), strict=True
            ):
                old = text.set(f"load {kind}, ptr {sum_}")
                new = text.set(f"fadd {kind} {old}, {part}")
                text.line(f"store {kind} {new}, ptr {sum_}")
        for one, sum_ in zip(rows, sums, strict=True):
            found = text.set(f"load {kind}, ptr {sum_}")
            text.line(f"store {kind} {found}, ptr {text.at('%c', one, shape.size)}")
    return text.text(f"internal void @{NAME}(ptr %frame, i64 %first, i64 %last)")


def _parts(
    text: Routine, shape: Shape, places: list[str], begin: str, end: str
) -> list[str]:
    """Of each row the sum of one part's chains."""
    many = shape.vector
    slots = [text.slot(many, "zeroinitializer") for _ in places]
    with text.counting(begin, end, str(shape.lanes)) as step:
        offset = text.compute("mul", step, shape.size)
        other = _load(text, shape, text.at("%b", offset))
        for place, slot in zip(places, slots, strict=True):
            one = _load(text, shape, text.at(place, offset))
            old = text.set(f"load {many}, ptr {slot}")
            inside = f"{many} {one}, {many} {other}, {many} {old}"
            new = text.set(f"call {many} @llvm.fma.{shape.suffix}({inside})")
            text.line(f"store {many} {new}, ptr {slot}")
    return [_sum(text, shape, text.set(f"load {many}, ptr {slot}")) for slot in slots]


def _load(text: Routine, shape: Shape, at: str) -> str:
    return text.set(f"load {shape.vector}, ptr {at}, align {shape.size}")


def _sum(text: Routine, shape: Shape, chain: str) -> str:
    """Four as (0 + 2) + (1 + 3); eight as i and i + 4 first, then pairwise."""
    lanes = [
        text.set(f"extractelement {shape.vector} {chain}, i64 {lane}")
        for lane in range(shape.lanes)
    ]

    def add(one: str, other: str) -> str:
        return text.set(f"fadd {shape.kind} {one}, {other}")

    half = len(lanes) // 2
    lanes = [add(*pair) for pair in zip(lanes[:half], lanes[half:], strict=True)]
    while len(lanes) > 1:
        lanes = [add(*lanes[at : at + 2]) for at in range(0, len(lanes), 2)]
    return lanes[0]


def blocks_of(k: int) -> Iterator[tuple[int, int]]:
    """The parts of `k` that OpenBLAS may take, each twice: as halves are told."""
    yield k, k
    yield from ((block, block) for block in BLOCKS if block < k)


def is_one(text: Routine, shape: Shape) -> str:
    """Whether the product that has these names is one that is computed here."""
    tests = [
        text.set(f"icmp eq i64 {name}, {wanted}")
        for name, wanted in (("%n", 1), *((step, shape.size) for step in STEPS))
    ]
    for length in ("%k", "%block"):
        rest = text.compute("urem", length, chains(shape).lanes)
        tests.append(text.set(f"icmp eq i64 {rest}, 0"))
    return functools.reduce(lambda a, b: text.set(f"and i1 {a}, {b}"), tests)


def call(text: Routine, shared: tuple[str, str]) -> None:
    """Compute it all, by all threads or by this one; names are those of the whole."""
    frame = text.slot(f"[{len(FIELDS)} x i64]", "zeroinitializer")
    for place, name in enumerate(FIELDS):
        kind = "ptr" if name in PLACES else "i64"
        text.line(f"store {kind} %{name}, ptr {text.at(frame, 8 * place)}")
    run_units(text, NAME, frame, shared, over(text, "%m", HEIGHT))
