"""tiles: small blocks of a product of matrices, in registers, as LLVM's text.

A tile is some rows by some vectors of columns. Each of its elements is one chain of
fused products, in the order of `k`: that is how OpenBLAS computes them, so the bits may
be its own (`product_choice.py`). The rows of the second matrix that a tile reads are
packed one after the other first (`panels.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.backends.llvm.lines import LLVM_TYPES, Lines
from runtime.backends.llvm.vectors import lanes
from runtime.structs import struct


@struct
class Shape:
    """The tile of this machine, and what it is of.

    kind:    LLVM's type of an element; size: its bytes
    rows:    of a tile; vectors: of a row, each of so many `lanes`
    """

    kind: str
    size: int
    rows: int
    vectors: int
    lanes: int

    @property
    def columns(self) -> int:
        """The columns of a tile."""
        return self.vectors * self.lanes

    @property
    def vector(self) -> str:
        """LLVM's type of a vector."""
        return f"<{self.lanes} x {self.kind}>"

    @property
    def suffix(self) -> str:
        """How LLVM's intrinsics call that type."""
        return f"v{self.lanes}{LLVM_TYPES[self.kind]}"

    def heights(self) -> tuple[int, ...]:
        """The rows of the tiles there are: of what remains, parts are computed."""
        powers = [2**bit for bit in reversed(range(self.rows.bit_length()))]
        return (self.rows, *(count for count in powers if count < self.rows))


def shape_of(kind: str) -> Shape:
    """The tile for this machine: what its registers hold, with what is added to it."""
    # Of 32 registers, or of 16, where vectors are of 32 bytes.
    found = {16: (14, 2, 64), 8: (4, 3, 32)}.get(lanes(), (8, 3, 16))
    rows, vectors, width = found
    size = 8 if kind == "double" else 4
    return Shape(kind, size, rows, vectors, width // size)


class Routine(Lines):
    """The text of one function; what it counts lies in slots on the stack."""

    mostly = ""

    def slot(self, kind: str, first: str) -> str:
        """A place that begins with a value, here."""
        name = self.fresh()
        self.slots.append(f"{name} = alloca {kind}")
        self.line(f"store {kind} {first}, ptr {name}")
        return name

    @contextmanager
    def counting(self, first: str, end: str, step: str = "1") -> Iterator[str]:
        """What is done for each number from the first on, below the end."""
        at = self.slot("i64", first)
        head, again, after = (self.fresh_label() for _ in range(3))
        self.to_label(head)
        number = self.set(f"load i64, ptr {at}")
        test = self.set(f"icmp slt i64 {number}, {end}")
        self.line(f"br i1 {test}, label %{again}, label %{after}")
        self.label(again)
        yield number
        more = self.set(f"add i64 {number}, {step}")
        self.line(f"store i64 {more}, ptr {at}")
        self.line(f"br label %{head}")
        self.label(after)

    @contextmanager
    def only_if(self, test: str) -> Iterator[None]:
        """What is done where the test holds."""
        inside, after = self.fresh_label(), self.fresh_label()
        self.line(f"br i1 {test}, label %{inside}, label %{after}")
        self.label(inside)
        yield
        self.to_label(after)

    def compute(self, word: str, a: str | int, b: str | int) -> str:
        """Of two ints of the machine."""
        return self.set(f"{word} i64 {a}, {b}")

    def least(self, a: str | int, b: str | int) -> str:
        """The lesser one of two ints."""
        test = self.set(f"icmp slt i64 {a}, {b}")
        return self.set(f"select i1 {test}, i64 {a}, i64 {b}")

    def at(self, base: str, offset: str | int, step: str | int = 1) -> str:
        """The place so many steps after another one."""
        many = offset if step == 1 else self.compute("mul", offset, step)
        return self.set(f"getelementptr i8, ptr {base}, i64 {many}")

    def text(self, head: str, last: str = "ret void") -> str:
        """All of it."""
        slots = [f"  {slot}" for slot in self.slots]
        body = [*slots, *self.lines, f"  {last}"]
        return "\n".join([f"define {head} {{", "entry:", *body, "}"])


# Rows that are asked for before they are read: a panel is larger than the first cache,
# and of a matrix the next row may lie in another page. 2 to 9 parts of 100 of the time.
AHEAD = 8


# --- tiles ----------------------------------------------------------------------------
def tile(shape: Shape, rows: int, vectors: int, is_packed: bool) -> str:
    """`c = a @ b`, or `c += a @ b`, of so many rows and vectors.

    The rows of `a` are packed (`panels.py`), or lie as they are: known steps are parts
    of the instructions that load. count: the length of the chains; last: the columns in
    the last vector
    """
    text, many = Routine(), shape.vector
    sums = [
        [text.slot(many, "zeroinitializer") for _ in range(vectors)]
        for _ in range(rows)
    ]
    down = [
        row * shape.size if is_packed else text.compute("mul", "%arow", row)
        for row in range(rows)
    ]
    with text.counting("0", "%count") as step:
        row = text.at("%b", step, shape.columns * shape.size)
        one = text.at("%a", step, shape.size * (shape.rows if is_packed else 1))
        others = _next_row(text, shape, row, vectors)
        for offset, line in zip(down, sums, strict=True):
            at = text.at(one, offset)
            number = text.set(f"load {shape.kind}, ptr {at}, align {shape.size}")
            both = splat(text, shape, number)
            for sum_, other in zip(line, others, strict=True):
                old = text.set(f"load {many}, ptr {sum_}")
                inside = f"{many} {both}, {many} {other}, {many} {old}"
                new = text.set(f"call {many} @llvm.fma.{shape.suffix}({inside})")
                text.line(f"store {many} {new}, ptr {sum_}")
    _written(text, shape, sums)
    name = _name(rows, vectors, is_packed)
    return text.text(f"internal void {name}({_given(shape)})")


def _name(rows: int, vectors: int, is_packed: bool) -> str:
    return f"@tile_{rows}_{vectors}" + "_packed" * is_packed


def _next_row(text: Routine, shape: Shape, row: str, vectors: int) -> list[str]:
    """A row of a panel; a later one is asked for first."""
    for number in range(vectors):
        soon = (AHEAD * shape.vectors + number) * shape.lanes * shape.size
        prefetch(text, text.at(row, soon))
    width = shape.lanes * shape.size
    places = [text.at(row, number * width) for number in range(vectors)]
    return [
        text.set(f"load {shape.vector}, ptr {at}, align {shape.size}") for at in places
    ]


def prefetch(text: Routine, place: str) -> None:
    """Ask for what is read there soon."""
    text.line(f"call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 3, i32 1)")


# What a tile is given.
# zero: of the elements' type, which is what a first sum is added to
TILE = (
    "ptr %a, i64 %arow, i64 %acol, ptr %b, ptr %c, i64 %crow, "
    "i64 %count, i64 %last, i1 %first, KIND %zero"
)


def _given(shape: Shape) -> str:
    return TILE.replace("KIND", shape.kind)


def splat(text: Routine, shape: Shape, one: str) -> str:
    """A vector of one number."""
    many = shape.vector
    first = text.set(f"insertelement {many} poison, {shape.kind} {one}, i64 0")
    zeros = f"<{shape.lanes} x i32> zeroinitializer"
    return text.set(f"shufflevector {many} {first}, {many} poison, {zeros}")


def _written(text: Routine, shape: Shape, sums: list[list[str]]) -> None:
    """Put what was summed, or add it; to `zero` at first, by whose sign -0 stays."""
    mask = _first_lanes(text, shape, "%last")
    first, add, after = (text.fresh_label() for _ in range(3))
    text.line(f"br i1 %first, label %{first}, label %{add}")
    for label in (first, add):
        text.label(label)
        for row, line in enumerate(sums):
            into = text.at("%c", row, "%crow")
            for number, sum_ in enumerate(line):
                at = text.at(into, number * shape.lanes * shape.size)
                held = mask if number == len(line) - 1 else ""
                _put(text, shape, at, sum_, held, label == add)
        text.line(f"br label %{after}")
    text.label(after)


def _put(
    text: Routine, shape: Shape, at: str, sum_: str, mask: str, is_added: bool
) -> None:
    """One vector of a tile; where there is a mask, of some lanes."""
    many, size = shape.vector, shape.size
    if not is_added:
        old = splat(text, shape, "%zero")
    elif mask:
        inside = f"ptr {at}, i32 {size}, {mask}, {many} zeroinitializer"
        old = text.set(f"call {many} @llvm.masked.load.{shape.suffix}.p0({inside})")
    else:
        old = text.set(f"load {many}, ptr {at}, align {size}")
    found = text.set(f"load {many}, ptr {sum_}")
    new = text.set(f"fadd {many} {old}, {found}")
    if mask:
        inside = f"{many} {new}, ptr {at}, i32 {size}, {mask}"
        text.line(f"call void @llvm.masked.store.{shape.suffix}.p0({inside})")
    else:
        text.line(f"store {many} {new}, ptr {at}, align {size}")


def _first_lanes(text: Routine, shape: Shape, count: str) -> str:
    """The mask of so many lanes, with its type."""
    whole = f"<{shape.lanes} x i64>"
    places = ", ".join(f"i64 {place}" for place in range(shape.lanes))
    last = text.set(f"insertelement {whole} poison, i64 {count}, i64 0")
    zeros = f"<{shape.lanes} x i32> zeroinitializer"
    ends = text.set(f"shufflevector {whole} {last}, {whole} poison, {zeros}")
    return f"<{shape.lanes} x i1> " + text.set(f"icmp slt {whole} <{places}>, {ends}")


def declared(shape: Shape) -> str:
    """The declarations of what tiles call."""
    many, bits, name = shape.vector, f"<{shape.lanes} x i1>", shape.suffix
    return "\n".join(
        [
            f"declare {many} @llvm.fma.{name}({many}, {many}, {many})",
            "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
            f"declare {many} @llvm.masked.load.{name}.p0(ptr, i32, {bits}, {many})",
            f"declare void @llvm.masked.store.{name}.p0({many}, ptr, i32, {bits})",
        ]
    )


def tiles(shape: Shape) -> list[str]:
    """All tiles, and `@tiles`: one of so many rows and columns."""
    made = [
        tile(shape, rows, vectors, is_packed)
        for is_packed in (False, True)
        for rows in shape.heights()
        for vectors in range(1, shape.vectors + 1)
    ]
    return [*made, _any_tile(shape)]


def _any_tile(shape: Shape) -> str:
    """The tile of `rows`, which is one of the heights, by `columns`."""
    text = Routine()
    more = text.compute("add", "%columns", shape.lanes - 1)
    vectors = text.compute("udiv", more, shape.lanes)
    fewer = text.compute("sub", vectors, 1)
    before = text.compute("mul", fewer, shape.lanes)
    last = text.compute("sub", "%columns", before)
    scaled = text.compute("mul", "%rows", shape.vectors)
    key = text.compute("add", scaled, fewer)
    # Packed, and their columns are a tile's rows apart.
    is_packed = text.set(f"icmp ne i64 %acol, {shape.size}")
    kinds = {
        2 * (rows * shape.vectors + number) + packed: (rows, number + 1, bool(packed))
        for rows in shape.heights()
        for number in range(shape.vectors)
        for packed in range(2)
    }
    after = text.fresh_label()
    labels = {one: text.fresh_label() for one in kinds}
    table = " ".join(f"i64 {one}, label %{label}" for one, label in labels.items())
    flag = text.set(f"zext i1 {is_packed} to i64")
    which = text.compute("add", text.compute("mul", key, 2), flag)
    text.line(f"switch i64 {which}, label %{after} [ {table} ]")
    given = _given(shape).replace("%last", last)
    for one, kind in kinds.items():
        text.label(labels[one])
        text.line(f"call void {_name(*kind)}({given})")
        text.line(f"br label %{after}")
    text.label(after)
    taken = _given(shape).replace("i64 %last", "i64 %rows, i64 %columns")
    return text.text(f"internal void @tiles({taken})")
