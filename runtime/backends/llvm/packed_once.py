"""packed_once: matrices that are packed once for all turns of a loop, as LLVM's text.

A loop that multiplies by one and the same matrix in each turn gives that matrix a
number, which no other run of a loop has (`turns.py`). What comes again under its number
is packed as a whole, at the second time, and its panels are kept in a table until a
later run wants the room. One product at a time looks at the table; another thread's
does without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.backends.llvm.tiles import Routine, Shape
from runtime.backends.llvm.turns import IN_A_RUN
from runtime.backends.llvm.units import (
    ALIGNED,
    FIELDS,
    Framed,
    aligned,
    over,
    run_units,
)

# Matrices that are kept, and the bytes that they may have altogether.
KEPT, ROOM = 16, 1 << 26
# By what a matrix is known, beside its number: the words of a unit of that name.
KEY = ("b", "brow", "bcol", "n", "k", "block", "half")
# The words of an entry. ready: whether `memory`, of so much `room`, has its panels
ENTRY = ("number", *KEY, "ready", "room", "memory")
SIZE = 8 * len(ENTRY)
# Where the number comes among the steps that a product is given.
NUMBER = 9


def once(shape: Shape) -> list[str]:
    """The table, and the functions that ask it and that pack."""
    return [
        f"@kept = internal global [{KEPT * len(ENTRY)} x i64] zeroinitializer",
        "@kept_lock = internal global i64 0",
        _Packing(shape).write(),
        _asking(shape),
    ]


@contextmanager
def packed_before(
    text: Routine, frame: str, shared: tuple[str, str], count: str
) -> Iterator[None]:
    """What is done with the panels that are kept, if they are; `frame` is told.

    shared: what shares units, and whether it does; count: units of packing
    """
    number = text.set(f"load i64, ptr {text.at('%steps', 8 * NUMBER)}")
    is_own = text.slot("i1", "false")
    with text.only_if(text.set(f"icmp ne i64 {number}, 0")):
        pair = "cmpxchg ptr @kept_lock, i64 0, i64 1 acquire monotonic"
        own = text.set(f"extractvalue {{ i64, i1 }} {text.set(pair)}, 1")
        text.line(f"store i1 {own}, ptr {is_own}")
        with text.only_if(own):
            entry = text.set(f"call ptr @ask_kept(ptr {frame}, i64 {number})")
            with text.only_if(text.set(f"icmp ne ptr {entry}, null")):
                run_units(text, "pack_units", frame, shared, count)
                at = text.at(entry, 8 * ENTRY.index("ready"))
                text.line(f"store i64 1, ptr {at}")
    yield
    with text.only_if(text.set(f"load i1, ptr {is_own}")):
        text.line("store atomic i64 0, ptr @kept_lock release, align 8")


class _Packing(Framed):
    """The function that packs the panels of some units, for all of `k`."""

    def write(self) -> str:
        """All of it."""
        with self.counting("%first", "%last") as side:
            left = self.compute("mul", side, self.width)
            right = self.least(self.compute("add", left, self.width), "%n")
            with self.parts() as (start, length):
                panels = self.kept(left, start, length)
                self.pack(panels, left, start, length, right)
        return self.text("internal void @pack_units(ptr %frame, i64 %first, i64 %last)")


def _asking(shape: Shape) -> str:
    """The function that tells a frame where its panels are kept.

    It gives the entry where there is memory for them, but they are to be packed first.
    """
    return _Asking(shape).write()


class _Asking(Routine):
    """`@ask_kept(frame, number)`, while the table is this thread's."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape, self.none = shape, "none"

    def write(self) -> str:
        """All of it."""
        found, oldest = self.slot("ptr", "null"), self.slot("ptr", "@kept")
        least = self.slot("i64", str((1 << 63) - 1))
        with self.counting("0", str(KEPT)) as place:
            entry = self.at("@kept", place, SIZE)
            with self.only_if(self._is_that(entry)):
                self.line(f"store ptr {entry}, ptr {found}")
            number = self._word(entry, "number")
            best = self.set(f"load i64, ptr {least}")
            with self.only_if(self.set(f"icmp slt i64 {number}, {best}")):
                self.line(f"store i64 {number}, ptr {least}")
                self.line(f"store ptr {entry}, ptr {oldest}")
        one = self.set(f"load ptr, ptr {found}")
        known, new = self.fresh_label(), self.fresh_label()
        self.line(f"br i1 {self.is_null(one)}, label %{new}, label %{known}")
        self.label(new)
        self._note(self.set(f"load ptr, ptr {oldest}"))
        self.label(known)
        self._known(one)
        self.label(self.none)
        head = "internal ptr @ask_kept(ptr %frame, i64 %number)"
        return self.text(head, "ret ptr null")

    def _word(self, entry: str, name: str) -> str:
        kind = "ptr" if name == "memory" else "i64"
        return self.field(entry, 8 * ENTRY.index(name), kind)

    def _put(self, entry: str, name: str, word: str) -> None:
        kind = "ptr" if name == "memory" else "i64"
        at = self.at(entry, 8 * ENTRY.index(name))
        self.line(f"store {kind} {word}, ptr {at}")

    def _told(self, name: str) -> str:
        return self.field("%frame", 8 * FIELDS.index(name), "i64")

    def _is_that(self, entry: str) -> str:
        """Whether an entry is of this number and matrix."""
        number = self._word(entry, "number")
        same = self.set(f"icmp eq i64 {number}, %number")
        for name in KEY:
            pair = f"{self._word(entry, name)}, {self._told(name)}"
            one = self.set(f"icmp eq i64 {pair}")
            same = self.set(f"and i1 {same}, {one}")
        return same

    def _is_older(self, number: str) -> str:
        """Whether a number is of an earlier run."""
        runs = [self.compute("udiv", one, IN_A_RUN) for one in (number, "%number")]
        return self.set(f"icmp slt i64 {runs[0]}, {runs[1]}")

    def _note(self, entry: str) -> None:
        """It has come for the first time: the oldest one makes room, if it is older."""
        number = self._word(entry, "number")
        self.unless(self._is_older(number), self.none)
        self._put(entry, "number", "%number")
        for name in KEY:
            self._put(entry, name, self._told(name))
        self._put(entry, "ready", "0")
        self.line(f"br label %{self.none}")

    def _known(self, entry: str) -> None:
        """It has come before: its panels are there, or there is room for them."""
        size, shape = self.shape.size, self.shape
        ready, packing = self.fresh_label(), self.fresh_label()
        is_ready = self.set(f"icmp ne i64 {self._word(entry, 'ready')}, 0")
        self.line(f"br i1 {is_ready}, label %{ready}, label %{packing}")
        self.label(ready)
        self._tell(self._word(entry, "memory"))
        self.line(f"br label %{self.none}")
        self.label(packing)
        panels = over(self, self._told("n"), shape.columns)
        row = self.compute("mul", panels, shape.columns * size)
        bytes_ = self.compute("mul", row, self._told("k"))
        wanted = self.compute("add", bytes_, ALIGNED)
        room = self._word(entry, "room")
        with self.only_if(self.set(f"icmp slt i64 {room}, {wanted}")):
            self._empty(entry)
            with self.counting("0", str(KEPT)) as place:
                other = self.at("@kept", place, SIZE)
                with self.only_if(self._is_older(self._word(other, "number"))):
                    self._empty(other)
            taken = self._taken()
            all_ = self.compute("add", taken, wanted)
            self.unless(self.set(f"icmp sle i64 {all_}, {ROOM}"), self.none)
            made = self.set(f"call ptr @malloc(i64 {wanted})")
            got = self.set(f"select i1 {self.is_null(made)}, i64 0, i64 {wanted}")
            self._put(entry, "memory", made)
            self._put(entry, "room", got)
            self.unless(self.set(f"icmp ne i64 {got}, 0"), self.none)
        self._tell(self._word(entry, "memory"))
        self.line(f"ret ptr {entry}")

    def _empty(self, entry: str) -> None:
        self.line(f"call void @free(ptr {self._word(entry, 'memory')})")
        self._put(entry, "memory", "null")
        for name in ("room", "ready"):
            self._put(entry, name, "0")

    def _taken(self) -> str:
        """The bytes that all have."""
        sum_ = self.slot("i64", "0")
        with self.counting("0", str(KEPT)) as place:
            before = self.set(f"load i64, ptr {sum_}")
            room = self._word(self.at("@kept", place, SIZE), "room")
            self.line(f"store i64 {self.compute('add', before, room)}, ptr {sum_}")
        return self.set(f"load i64, ptr {sum_}")

    def _tell(self, memory: str) -> None:
        at = self.at("%frame", 8 * FIELDS.index("packed"))
        self.line(f"store ptr {aligned(self, memory)}, ptr {at}")
