"""packed: a product of matrices by tiles, as LLVM's text; threads share it.

Its units are blocks of the result. Whoever has one packs the part of the second matrix
that it needs, for some of `k` at a time, and goes over the rows tile by tile, some of
them packed, too: the rows of a tile stay in the first cache for a strip of what is
packed, and the strip stays in the second one for some tiles below each other. How `k`
is parted decides the bits: `block` at a time, and `half` where more than one block is
left but less than two. What the first sum is added to decides a sign: 0, or nothing
(`bare`), so that a sum that is too small may be -0.
"""

from __future__ import annotations

from runtime.backends.llvm import by_vector, crew
from runtime.backends.llvm.epilogues import WORDS
from runtime.backends.llvm.packed_once import once, packed_before
from runtime.backends.llvm.panels import (
    pack_columns,
    pack_left,
    pack_rows,
    pack_turned,
)
from runtime.backends.llvm.tiles import Routine, Shape, declared, tiles
from runtime.backends.llvm.units import (
    ALIGNED,
    FIELDS,
    Framed,
    aligned,
    field_type,
    over,
    run_units,
)

# Panels side by side that stay in the second cache, and those of a unit at most. Tiles,
# one below the other, for which the first matrix is packed at once.
WIDE, WIDEST, SLIVERS = 8, 64, 8
# Columns of a unit from which it is worth to pack rows that lie one after the other.
NARROW = 400
# Tiles one below the other in a unit: fewer are not worth the packing.
LOWEST, HIGHEST = 3, 96
# Units for each thread, so that none waits long for another one.
UNITS = 2
# What follows is worth as many multiplications as packing an element, for each element
# of so many rows: 30 by 6.
TALL = 4
# Among the steps: what follows the product, its frame, and whether it was done.
AFTER = 8 * (WORDS - 4)
# Multiplications, of float32, from which threads share them: some 50 us.
SHARED = 2_500_000


def text_of(shape: Shape) -> str:
    """All functions: `@multiply(args, sizes, steps, block, half, bare)` is called.

    It is given what NumPy's loop is, and gives whether it had no memory.
    """
    head = [
        "declare ptr @malloc(i64)",
        "declare void @free(ptr)",
        f"@{crew.SYMBOL} = external global i8",
        "declare i32 @m_feraiseexcept(i32)",
        "declare double @llvm.sqrt.f64(double)",
        declared(shape),
    ]
    packing = [
        pack_rows(shape),
        pack_columns(shape),
        pack_left(shape),
        pack_turned(shape),
    ]
    whole = [_Units(shape).write(), *once(shape), _multiply(shape)]
    packing += by_vector.lines_of(shape)
    return "\n".join([*head, *tiles(shape), *packing, *whole])


class _Units(Framed):
    """The function that computes some blocks of the result."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.is_kept = self.set("icmp ne ptr %packed, null")
        is_bare = self.set("icmp ne i64 %bare, 0")
        kind = shape.kind
        self.zero = self.set(f"select i1 {is_bare}, {kind} -0.0, {kind} 0.0")

    def write(self) -> str:
        """All of it."""
        size, fine, none = self.shape.size, self.fresh_label(), self.fresh_label()
        length = self.least("%block", "%k")
        own = self.set(f"select i1 {self.is_kept}, i64 0, i64 {self.width}")
        row = self.compute("add", own, SLIVERS * self.shape.rows)
        room = self.compute("mul", self.compute("mul", row, length), size)
        # Slivers are written a vector beyond their end.
        whole = self.compute("add", room, 2 * ALIGNED)
        memory = self.set(f"call ptr @malloc(i64 {whole})")
        self.line(f"br i1 {self.is_null(memory)}, label %{none}, label %{fine}")
        self.label(none)
        self.line("store i64 1, ptr %failed")
        self.line("ret void")
        self.label(fine)
        first = aligned(self, memory)
        panels = self.compute("mul", length, self.compute("mul", own, size))
        second = self.at(first, panels)
        with self.counting("%first", "%last") as unit:
            down = self.compute("udiv", unit, "%across")
            side = self.compute("sub", unit, self.compute("mul", down, "%across"))
            self._unit(down, side, first, second)
        self.line(f"call void @free(ptr {memory})")
        return self.text("internal void @units(ptr %frame, i64 %first, i64 %last)")

    def _unit(self, down: str, side: str, own: str, packed: str) -> None:
        """A block of the result, for one part of `k` after the other."""
        top = self.compute("mul", down, "%height")
        bottom = self.least("%m", self.compute("add", top, "%height"))
        left = self.compute("mul", side, self.width)
        right = self.least(self.compute("add", left, self.width), "%n")
        some = str(SLIVERS * self.shape.rows)
        with self.parts() as part:
            there = self.kept(left, *part)
            panels = self.set(f"select i1 {self.is_kept}, ptr {there}, ptr {own}")
            with self.only_if(self.set(f"xor i1 {self.is_kept}, true")):
                self.pack(own, left, *part, right)
            with self.counting(top, bottom, some) as first:
                last = self.least(self.compute("add", first, some), bottom)
                rows = self.compute("sub", last, first)
                self._strips((first, rows), part, (left, right), (panels, packed))
                self._follow(first, last, part)

    def _follow(self, first: str, last: str, part: tuple[str, str]) -> None:
        """What follows the product, for rows that are done: they are in the cache."""
        end = self.compute("add", *part)
        is_last = self.set(f"icmp eq i64 {end}, %k")
        has = self.set("icmp ne ptr %after, null")
        with self.only_if(self.set(f"and i1 {is_last}, {has}")):
            self.line(f"call void %after(ptr %given, i64 {first}, i64 {last})")

    def _strips(
        self,
        down: tuple[str, str],
        part: tuple[str, str],
        sides: tuple[str, str],
        rooms: tuple[str, str],
    ) -> None:
        """Some tiles one below the other, strip by strip: panels of a strip stay near.

        down:  the first row, and how many; part: where `k` begins, and how much of it
        sides: the first column, and the one after the last; rooms: for what is packed
        """
        (first, rows), (start, length), (left, right) = down, part, sides
        wide = self.compute("sub", right, left)
        source, steps, far = self._rows(down, part, wide, rooms[1])
        strip = str(WIDE * self.shape.columns)
        with self.counting(left, right, strip) as begin:
            end = self.least(self.compute("add", begin, strip), right)
            panels = self.panel(rooms[0], begin, left, length)
            with self.counting("0", rows, str(self.shape.rows)) as row:
                one = self.at(source, row, far)
                high = self.least(self.compute("sub", rows, row), self.shape.rows)
                to = self.at("%c", self.compute("add", first, row), "%crow")
                sizes = high, length, start
                self._across(one, steps, panels, to, (begin, end), sizes)

    def _across(
        self,
        one: str,
        steps: tuple[str, str],
        panels: str,
        to: str,
        sides: tuple[str, str],
        sizes: tuple[str, str, str],
    ) -> None:
        """Tiles side by side: the rows that they read stay in the first cache."""
        (left, right), (high, length, start) = sides, sizes
        with self.counting(left, right, str(self.shape.columns)) as column:
            into = self.at(to, column, self.shape.size)
            rest = self.compute("sub", right, column)
            wide = self.least(rest, self.shape.columns)
            panel = self.panel(panels, column, left, length)
            self._down(one, steps, panel, into, (high, wide, length, start))

    def _rows(
        self, down: tuple[str, str], part: tuple[str, str], wide: str, packed: str
    ) -> tuple[str, tuple[str, str], str]:
        """Where the rows begin, their steps, and how far they are from each other.

        They are packed where there are columns enough.
        """
        size, (top, rows), (start, length) = self.shape.size, down, part
        source = self.at(self.at("%a", top, "%arow"), start, "%acol")
        is_turned = self.set(f"icmp ne i64 %acol, {size}")
        is_wide = self.set(f"icmp sge i64 {wide}, {NARROW}")
        far = self.set(f"select i1 {is_turned}, i64 %acol, i64 %arow")
        inside = f"ptr {packed}, ptr {source}, i64 {far}, i64 {length}, i64 {rows}"
        with self.only_if(is_turned):
            self.line(f"call void @pack_turned({inside})")
        with self.only_if(self.set(f"select i1 {is_turned}, i1 false, i1 {is_wide}")):
            self.line(f"call void @pack_left({inside})")
        is_packed = self.set(f"or i1 {is_turned}, {is_wide}")
        apart = self.shape.rows * size
        words = (
            *(("ptr", packed, source), ("i64", size, "%arow"), ("i64", apart, size)),
            ("i64", self.compute("mul", length, size), "%arow"),
        )
        found, row, column, next_ = (
            self.set(f"select i1 {is_packed}, {kind} {one}, {kind} {other}")
            for kind, one, other in words
        )
        return found, (row, column), next_

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
        for height in self.shape.heights():
            done = self.set(f"load i64, ptr {above}")
            rest = self.compute("sub", high, done)
            with self.only_if(self.set(f"icmp sge i64 {rest}, {height}")):
                one, to = self.at(source, done, steps[0]), self.at(into, done, "%crow")
                given = (
                    f"ptr {one}, i64 {steps[0]}, i64 {steps[1]}, ptr {panel}, "
                    f"ptr {to}, i64 %crow, i64 {length}, "
                    f"i64 {height}, i64 {wide}, i1 {is_first}, "
                    f"{self.shape.kind} {self.zero}"
                )
                self.line(f"call void @tiles({given})")
                more = self.compute("add", done, height)
                self.line(f"store i64 {more}, ptr {above}")


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
    with text.only_if(by_vector.is_one(text, shape)):
        by_vector.call(text, (run, is_shared))
        text.line("ret i64 0")
        text.label(text.fresh_label())
    many = text.set(f"select i1 {is_shared}, i64 {threads}, i64 1")
    after = text.field("%steps", AFTER, "ptr")
    counted = _blocks(text, shape, many, after)
    told = {"failed": failed, "packed": "null"} | _following(text, after, counted)
    words = {name: f"%{name}" for name in FIELDS} | counted | told
    for place_, name in enumerate(FIELDS):
        at = text.at(frame, 8 * place_)
        text.line(f"store {field_type(name)} {words[name]}, ptr {at}")
    shared = run, is_shared
    with packed_before(text, frame, shared, counted["across"]):
        run_units(text, "units", frame, shared, counted["units"])
    found = text.set(f"load i64, ptr {failed}")
    followed = text.set(f"icmp ne ptr {told['after']}, null")
    fine = text.set(f"icmp eq i64 {found}, 0")
    done = text.set(f"zext i1 {text.set(f'and i1 {followed}, {fine}')} to i64")
    text.line(f"store i64 {done}, ptr {text.at('%steps', AFTER + 16)}")
    takes = "ptr %args, ptr %sizes, ptr %steps, i64 %block, i64 %half, i64 %bare"
    return text.text(f"i64 @multiply({takes})", f"ret i64 {found}")


def _following(text: Routine, after: str, counted: dict[str, str]) -> dict[str, str]:
    """What follows the rows of a unit, and its frame: if a unit has whole rows."""
    is_whole = text.set(f"icmp eq i64 {counted['across']}, 1")
    found = text.set(f"select i1 {is_whole}, ptr {after}, ptr null")
    return {"after": found, "given": text.field("%steps", AFTER + 8, "ptr")}


def _blocks(text: Routine, shape: Shape, threads: str, after: str) -> dict[str, str]:
    """How large units are, and how many there are.

    after: what follows the product, for which units have whole rows if there are many:
    it saves more than it costs to pack the columns for each of them
    """
    panels = over(text, "%n", shape.columns)
    alone = text.set(f"icmp eq i64 {threads}, 1")
    parts = text.compute("mul", threads, UNITS)
    wanted = text.set(f"select i1 {alone}, i64 1, i64 {parts}")
    has = text.set(f"icmp ne ptr {after}, null")
    packing = text.compute("mul", wanted, "%k")
    is_tall = text.set(f"icmp sge i64 {text.compute('mul', '%m', TALL)}, {packing}")
    is_whole = text.set(f"and i1 {has}, {is_tall}")
    sides = _side_by_side(text, wanted)
    beside = text.set(f"select i1 {is_whole}, i64 1, i64 {sides}")
    turns = over(text, over(text, panels, WIDEST), beside)
    wide = over(text, panels, text.compute("mul", turns, beside))
    across = over(text, panels, wide)
    down = over(text, wanted, across)
    tall = over(text, "%m", down)
    is_low = text.set(f"icmp slt i64 {tall}, {LOWEST * shape.rows}")
    least = text.set(f"select i1 {is_low}, i64 {LOWEST * shape.rows}, i64 {tall}")
    most = over(text, "%m", over(text, "%m", HIGHEST * shape.rows))
    rows = over(text, text.least(least, most), shape.rows)
    height = text.compute("mul", rows, shape.rows)
    units = text.compute("mul", over(text, "%m", height), across)
    return {"height": height, "wide": wide, "across": across, "units": units}


def _side_by_side(text: Routine, wanted: str) -> str:
    """How many parts of so many are to be side by side: all, where columns are few.

    Else they are like squares, since rows are packed for each part that they are in, as
    columns are.
    """
    m, n, many = (
        text.set(f"sitofp i64 {one} to double") for one in ("%m", "%n", wanted)
    )
    ratio = text.set(f"fdiv double {n}, {m}")
    square = text.set(f"fmul double {many}, {ratio}")
    root = text.set(f"call double @llvm.sqrt.f64(double {square})")
    more = text.set(f"fadd double {root}, 0.5")
    near = text.set(f"fptosi double {more} to i64")
    is_none = text.set(f"icmp slt i64 {near}, 1")
    found = text.set(f"select i1 {is_none}, i64 1, i64 {text.least(near, wanted)}")
    is_narrow = text.set(f"icmp slt i64 %n, {2 * NARROW}")
    return text.set(f"select i1 {is_narrow}, i64 {wanted}, i64 {found}")
