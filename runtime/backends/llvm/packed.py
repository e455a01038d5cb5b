"""packed: a product of matrices by tiles, as LLVM's text; threads share it.

Its units are blocks of the result. Whoever has one packs the part of the second matrix
that it needs, for some of `k` at a time, and goes over the rows tile by tile: the rows
of a tile stay in the first cache for all panels of what is packed. How `k`
is parted decides the bits: `block` at a time, and `half` where more than one block is
left but less than two. What the first sum is added to decides a sign: 0, or nothing
(`bare`), so that a sum that is too small may be -0.
"""

from __future__ import annotations

from runtime.backends.llvm import crew
from runtime.backends.llvm.panels import pack_columns, pack_rows, pack_turned
from runtime.backends.llvm.tiles import Routine, Shape, declared, tiles

# What a unit is told of the whole product, in this order.
FIELDS = (
    *("a", "arow", "acol", "b", "brow", "bcol", "c", "crow", "m", "n", "k"),
    *("block", "half", "height", "wide", "across", "bare", "failed"),
)
# Panels of a unit, at most: they stay in the second cache for all its rows. Tiles, one
# below the other, for which the first matrix is packed at once, if it is.
WIDE, SLIVERS = 8, 8
# Tiles one below the other in a unit: fewer are not worth the packing.
LOWEST, HIGHEST = 3, 96
# Units for each thread, so that none waits long for another one.
UNITS = 2
# Multiplications, of float32, from which threads share them: some 50 us.
SHARED = 2_500_000
# Memory is aligned to so many bytes.
ALIGNED = 64


def text_of(shape: Shape) -> str:
    """All functions: `@multiply(args, sizes, steps, block, half, bare)` is called.

    It is given what NumPy's loop is, and gives whether it had no memory.
    """
    head = [
        "declare ptr @malloc(i64)",
        "declare void @free(ptr)",
        f"@{crew.SYMBOL} = external global i8",
        "declare i32 @m_feraiseexcept(i32)",
        declared(shape),
    ]
    packing = [pack_rows(shape), pack_columns(shape), pack_turned(shape)]
    return "\n".join([*head, *tiles(shape), *packing, _units(shape), _multiply(shape)])


class _Units(Routine):
    """The function that does some units; what it is told has the names of FIELDS."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        for place, name in enumerate(FIELDS):
            kind = "ptr" if name in ("a", "b", "c", "failed") else "i64"
            at = self.at("%frame", 8 * place)
            self.line(f"%{name} = load {kind}, ptr {at}")

        is_bare = self.set("icmp ne i64 %bare, 0")
        kind = shape.kind
        self.zero = self.set(f"select i1 {is_bare}, {kind} -0.0, {kind} 0.0")

    def write(self) -> str:
        """All of it."""
        size, fine, none = self.shape.size, self.fresh_label(), self.fresh_label()
        length = self.least("%block", "%k")
        width = self.compute("mul", "%wide", self.shape.columns)
        row = self.compute("add", width, SLIVERS * self.shape.rows)
        room = self.compute("mul", self.compute("mul", row, length), size)
        whole = self.compute("add", room, ALIGNED)
        memory = self.set(f"call ptr @malloc(i64 {whole})")
        self.line(f"br i1 {self.is_null(memory)}, label %{none}, label %{fine}")
        self.label(none)
        self.line("store i64 1, ptr %failed")
        self.line("ret void")
        self.label(fine)
        place = self.set(f"ptrtoint ptr {memory} to i64")
        aligned = self.compute("and", self.compute("add", place, ALIGNED - 1), -ALIGNED)
        first = self.set(f"inttoptr i64 {aligned} to ptr")
        panels = self.compute("mul", length, self.compute("mul", width, size))
        second = self.at(first, panels)
        with self.counting("%first", "%last") as unit:
            down = self.compute("udiv", unit, "%across")
            side = self.compute("sub", unit, self.compute("mul", down, "%across"))
            self._unit(down, side, first, second)
        self.line(f"call void @free(ptr {memory})")
        return self.text("internal void @units(ptr %frame, i64 %first, i64 %last)")

    def _unit(self, down: str, side: str, panels: str, turned: str) -> None:
        """A block of the result, for one part of `k` after the other."""
        top = self.compute("mul", down, "%height")
        bottom = self.least("%m", self.compute("add", top, "%height"))
        width = self.compute("mul", "%wide", self.shape.columns)
        left = self.compute("mul", side, width)
        right = self.least(self.compute("add", left, width), "%n")
        begin = self.slot("i64", "0")
        head, again, after = (self.fresh_label() for _ in range(3))
        self.to_label(head)
        start = self.set(f"load i64, ptr {begin}")
        rest = self.compute("sub", "%k", start)
        test = self.set(f"icmp sgt i64 {rest}, 0")
        self.line(f"br i1 {test}, label %{again}, label %{after}")
        self.label(again)
        length = self._part(rest)
        self._pack(panels, left, start, length, right)
        some = str(SLIVERS * self.shape.rows)
        with self.counting(top, bottom, some) as first:
            last = self.least(self.compute("add", first, some), bottom)
            rows = self.compute("sub", last, first)
            source, steps, over = self._rows(first, rows, start, length, turned)
            with self.counting("0", rows, str(self.shape.rows)) as row:
                one = self.at(source, row, over)
                high = self.least(self.compute("sub", rows, row), self.shape.rows)
                to = self.at("%c", self.compute("add", first, row), "%crow")
                with self.counting(left, right, str(self.shape.columns)) as column:
                    into = self.at(to, column, self.shape.size)
                    rest = self.compute("sub", right, column)
                    wide = self.least(rest, self.shape.columns)
                    panel = self._panel(panels, column, left, length)
                    self._down(one, steps, panel, into, (high, wide, length, start))
        self.line(f"store i64 {self.compute('add', start, length)}, ptr {begin}")
        self.line(f"br label %{head}")
        self.label(after)

    def _panel(self, panels: str, column: str, left: str, length: str) -> str:
        """Where the panel of a column lies: each is as long as the part of `k` is."""
        apart = self.compute("mul", length, self.shape.size)
        return self.at(panels, self.compute("sub", column, left), apart)

    def _part(self, rest: str) -> str:
        """How much of what is left of `k` is next."""
        twice = self.compute("mul", "%block", 2)
        is_much = self.set(f"icmp sge i64 {rest}, {twice}")
        is_more = self.set(f"icmp sgt i64 {rest}, %block")
        less = self.set(f"select i1 {is_more}, i64 %half, i64 {rest}")
        return self.set(f"select i1 {is_much}, i64 %block, i64 {less}")

    def _rows(
        self, top: str, rows: str, start: str, length: str, turned: str
    ) -> tuple[str, tuple[str, str], str]:
        """Where the rows begin, their steps, and how far they are from each other."""
        size = self.shape.size
        source = self.at(self.at("%a", top, "%arow"), start, "%acol")
        is_turned = self.set(f"icmp eq i64 %arow, {size}")
        with self.only_if(is_turned):
            inside = f"ptr {turned}, ptr {source}, i64 %acol, i64 {length}, i64 {rows}"
            self.line(f"call void @pack_turned({inside})")
        found = self.set(f"select i1 {is_turned}, ptr {turned}, ptr {source}")
        apart = self.shape.rows * size
        step = self.set(f"select i1 {is_turned}, i64 {apart}, i64 %acol")
        packed = self.compute("mul", length, size)
        over = self.set(f"select i1 {is_turned}, i64 {packed}, i64 %arow")
        return found, ("%arow", step), over

    def _pack(
        self, panels: str, left: str, start: str, length: str, right: str
    ) -> None:
        """The part of the second matrix that the tiles of a unit read."""
        shape = self.shape
        source = self.at(self.at("%b", start, "%brow"), left, "%bcol")
        wide = self.compute("sub", right, left)
        test = self.set(f"icmp eq i64 %bcol, {shape.size}")
        rows, columns, after = (self.fresh_label() for _ in range(3))
        self.line(f"br i1 {test}, label %{rows}, label %{columns}")
        self.label(rows)
        inside = f"ptr {panels}, ptr {source}, i64 %brow, i64 {length}, i64 {wide}"
        self.line(f"call void @pack_rows({inside})")
        self.line(f"br label %{after}")
        self.label(columns)
        with self.counting("0", wide, str(shape.columns)) as column:
            few = self.least(self.compute("sub", wide, column), shape.columns)
            panel = self._panel(panels, column, "0", length)
            given = self.at(source, column, "%bcol")
            inside = f"ptr {panel}, ptr {given}, i64 %bcol, i64 {length}, i64 {few}"
            self.line(f"call void @pack_columns({inside})")
        self.to_label(after)

    def _down(
        self,
        source: str,
        steps: tuple[str, str],
        panel: str,
        into: str,
        sizes: tuple[str, str, str, str],
    ) -> None:
        """A tile, or of fewer rows some tiles one below the other."""
        high, wide, length, start = sizes
        is_first = self.set(f"icmp eq i64 {start}, 0")
        above = self.slot("i64", "0")
        apart = self.shape.columns * self.shape.size
        for height in self.shape.heights():
            done = self.set(f"load i64, ptr {above}")
            rest = self.compute("sub", high, done)
            with self.only_if(self.set(f"icmp sge i64 {rest}, {height}")):
                one, to = self.at(source, done, steps[0]), self.at(into, done, "%crow")
                given = (
                    f"ptr {one}, i64 {steps[0]}, i64 {steps[1]}, ptr {panel}, "
                    f"i64 {apart}, ptr {to}, i64 %crow, i64 {length}, "
                    f"i64 {height}, i64 {wide}, i1 {is_first}, "
                    f"{self.shape.kind} {self.zero}"
                )
                self.line(f"call void @tiles({given})")
                more = self.compute("add", done, height)
                self.line(f"store i64 {more}, ptr {above}")


def _units(shape: Shape) -> str:
    return _Units(shape).write()


# --- the whole ------------------------------------------------------------------------
# What NumPy's loop of `@` is given: sizes and steps by their places.
SIZES = {"m": 1, "k": 2, "n": 3}
STEPS = {"arow": 3, "acol": 4, "brow": 5, "bcol": 6, "crow": 7, "ccol": 8}


def read_given(text: Routine) -> None:
    """Names for the places, sizes and steps that NumPy's loop is given."""
    for place, name in enumerate("abc"):
        text.line(f"%{name} = load ptr, ptr {text.at('%args', 8 * place)}")
    for base, table in (("%sizes", SIZES), ("%steps", STEPS)):
        for name, place in table.items():
            text.line(f"%{name} = load i64, ptr {text.at(base, 8 * place)}")


def _multiply(shape: Shape) -> str:
    text = Routine()
    read_given(text)
    frame = text.slot(f"[{len(FIELDS)} x i64]", "zeroinitializer")
    failed = text.slot("i64", "0")
    place = text.set(
        f"load ptr, ptr {text.at(f'@{crew.SYMBOL}', crew.offset('limit'))}"
    )
    threads = text.set(f"load i64, ptr {place}")
    run = text.field(f"@{crew.SYMBOL}", crew.offset("run"), "ptr")
    work = text.compute("mul", text.compute("mul", "%m", "%n"), "%k")
    tests = (
        text.set(f"icmp sge i64 {work}, {SHARED * 4 // shape.size}"),
        text.set(f"icmp ne ptr {run}, null"),
        text.set(f"icmp sgt i64 {threads}, 1"),
    )
    both = text.set(f"and i1 {tests[0]}, {tests[1]}")
    is_shared = text.set(f"and i1 {both}, {tests[2]}")
    many = text.set(f"select i1 {is_shared}, i64 {threads}, i64 1")
    counted = _blocks(text, shape, many)
    words = {name: f"%{name}" for name in FIELDS} | counted | {"failed": failed}
    for place_, name in enumerate(FIELDS):
        kind = "ptr" if name in ("a", "b", "c", "failed") else "i64"
        text.line(f"store {kind} {words[name]}, ptr {text.at(frame, 8 * place_)}")
    several, alone, after = (text.fresh_label() for _ in range(3))
    text.line(f"br i1 {is_shared}, label %{several}, label %{alone}")
    text.label(several)
    inside = f"ptr @units, ptr {frame}, i64 {counted['units']}, i64 1"
    noted = text.set(f"call i64 {run}({inside})")
    flags = text.set(f"trunc i64 {noted} to i32")
    with text.only_if(text.set(f"icmp ne i32 {flags}, 0")):
        text.line(f"call i32 @m_feraiseexcept(i32 {flags})")
    text.line(f"br label %{after}")
    text.label(alone)
    text.line(f"call void @units(ptr {frame}, i64 0, i64 {counted['units']})")
    text.to_label(after)
    found = text.set(f"load i64, ptr {failed}")
    takes = "ptr %args, ptr %sizes, ptr %steps, i64 %block, i64 %half, i64 %bare"
    return text.text(f"i64 @multiply({takes})", f"ret i64 {found}")


def _blocks(text: Routine, shape: Shape, threads: str) -> dict[str, str]:
    """How large units are, and how many there are."""
    panels = _over(text, "%n", shape.columns)
    alone = text.set(f"icmp eq i64 {threads}, 1")
    parts = text.compute("mul", threads, UNITS)
    wanted = text.set(f"select i1 {alone}, i64 1, i64 {parts}")
    # Each thread has as many panels; rows are parted where these are too few, or tall.
    turns = _over(text, _over(text, panels, WIDE), wanted)
    wide = _over(text, panels, text.compute("mul", turns, wanted))
    across = _over(text, panels, wide)
    down = _over(text, wanted, across)
    tall = _over(text, "%m", down)
    is_low = text.set(f"icmp slt i64 {tall}, {LOWEST * shape.rows}")
    least = text.set(f"select i1 {is_low}, i64 {LOWEST * shape.rows}, i64 {tall}")
    most = _over(text, "%m", _over(text, "%m", HIGHEST * shape.rows))
    rows = _over(text, text.least(least, most), shape.rows)
    height = text.compute("mul", rows, shape.rows)
    units = text.compute("mul", _over(text, "%m", height), across)
    return {"height": height, "wide": wide, "across": across, "units": units}


def _over(text: Routine, one: str, other: str | int) -> str:
    """The quotient, rounded up; of nothing it is one."""
    more = text.compute("add", one, text.compute("sub", other, 1))
    found = text.compute("udiv", more, other)
    is_none = text.set(f"icmp eq i64 {found}, 0")
    return text.set(f"select i1 {is_none}, i64 1, i64 {found}")
