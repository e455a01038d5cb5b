"""units: what the functions that do units of a product of matrices are told, and share.

Parts of `k` come one after the other: `block` at a time, and `half` where more than one
block is left but less than two. For each of them panels of the second matrix are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.backends.llvm.calls import IN_MXCSR, MXCSR
from runtime.backends.llvm.tiles import Routine, Shape

# What a unit is told of the whole product, in this order.
FIELDS = (
    *("a", "arow", "acol", "b", "brow", "bcol", "c", "crow", "m", "n", "k"),
    *("block", "half", "height", "wide", "across", "bare", "failed", "packed"),
    *("after", "given"),
)
# Memory is aligned to so many bytes.
ALIGNED = 64
# The fields that are places in memory.
PLACES = frozenset({"a", "b", "c", "failed", "packed", "after", "given"})


class Framed(Routine):
    """A function that does some units; what it is told has the names of FIELDS."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        for place, name in enumerate(FIELDS):
            at = self.at("%frame", 8 * place)
            self.line(f"%{name} = load {field_type(name)}, ptr {at}")
        self.width = self.compute("mul", "%wide", shape.columns)

    @contextmanager
    def parts(self) -> Iterator[tuple[str, str]]:
        """What is done for each part of `k`: where it begins, and its length."""
        begin = self.slot("i64", "0")
        head, again, after = (self.fresh_label() for _ in range(3))
        self.to_label(head)
        start = self.set(f"load i64, ptr {begin}")
        rest = self.compute("sub", "%k", start)
        test = self.set(f"icmp sgt i64 {rest}, 0")
        self.line(f"br i1 {test}, label %{again}, label %{after}")
        self.label(again)
        length = self._part(rest)
        yield start, length
        self.line(f"store i64 {self.compute('add', start, length)}, ptr {begin}")
        self.line(f"br label %{head}")
        self.label(after)

    def _part(self, rest: str) -> str:
        """How much of what is left of `k` is next."""
        twice = self.compute("mul", "%block", 2)
        is_much = self.set(f"icmp sge i64 {rest}, {twice}")
        is_more = self.set(f"icmp sgt i64 {rest}, %block")
        less = self.set(f"select i1 {is_more}, i64 %half, i64 {rest}")
        return self.set(f"select i1 {is_much}, i64 %block, i64 {less}")

    def kept(self, left: str, start: str, length: str) -> str:
        """Where the panels from a column on lie of a matrix that is packed as a whole.

        All panels of a part of `k` are one after the other.
        """
        panels = over(self, "%n", self.shape.columns)
        row = self.compute("mul", panels, self.shape.columns)
        before = self.compute("mul", start, row)
        place = self.compute("add", before, self.compute("mul", left, length))
        return self.at("%packed", place, self.shape.size)

    def panel(self, panels: str, column: str, left: str, length: str) -> str:
        """Where the panel of a column lies: each is as long as the part of `k` is."""
        apart = self.compute("mul", length, self.shape.size)
        return self.at(panels, self.compute("sub", column, left), apart)

    def pack(self, panels: str, left: str, start: str, length: str, right: str) -> None:
        """Part of the second matrix, as the tiles of a unit read it."""
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
            panel = self.panel(panels, column, "0", length)
            given = self.at(source, column, "%bcol")
            inside = f"ptr {panel}, ptr {given}, i64 %bcol, i64 {length}, i64 {few}"
            self.line(f"call void @pack_columns({inside})")
        self.to_label(after)


def aligned(text: Routine, memory: str) -> str:
    """The first place in some memory, of ALIGNED bytes more, that vectors like."""
    place = text.set(f"ptrtoint ptr {memory} to i64")
    found = text.compute("and", text.compute("add", place, ALIGNED - 1), -ALIGNED)
    return text.set(f"inttoptr i64 {found} to ptr")


def field_type(name: str) -> str:
    """LLVM's type of a field."""
    return "ptr" if name in PLACES else "i64"


def over(text: Routine, one: str, other: str | int) -> str:
    """The quotient, rounded up; of nothing it is one."""
    more = text.compute("add", one, text.compute("sub", other, 1))
    found = text.compute("udiv", more, other)
    is_none = text.set(f"icmp eq i64 {found}, 0")
    return text.set(f"select i1 {is_none}, i64 1, i64 {found}")


def run_units(
    text: Routine, name: str, frame: str, shared: tuple[str, str], count: str
) -> None:
    """So many units of a function, by all threads or by this one alone.

    shared: what shares them, and whether it does
    """
    run, is_shared = shared
    several, alone, after = (text.fresh_label() for _ in range(3))
    text.line(f"br i1 {is_shared}, label %{several}, label %{alone}")
    text.label(several)
    inside = f"ptr @{name}, ptr {frame}, i64 {count}, i64 1"
    noted = text.set(f"call i64 {run}({inside})")
    flags = text.set(f"trunc i64 {noted} to i32")
    with text.only_if(text.set(f"icmp ne i32 {flags}, 0")):
        _raise(text, flags)
    text.line(f"br label %{after}")
    text.label(alone)
    text.line(f"call void @{name}(ptr {frame}, i64 0, i64 {count})")
    text.to_label(after)


def _raise(text: Routine, flags: str) -> None:
    """Let this have happened, where machine code looks for it (`calls.py`)."""
    if not IN_MXCSR:
        text.line(f"call i32 @m_feraiseexcept(i32 {flags})")
        return
    place = text.slot("i32", "0")
    store, load = (
        MXCSR.format(*words).replace("%mxcsr", place)
        for words in (("st", "=*m"), ("ld", "*m"))
    )
    text.line(store)
    both = text.set(f"or i32 {text.set(f'load i32, ptr {place}')}, {flags}")
    text.line(f"store i32 {both}, ptr {place}")
    text.line(load)
