"""polling: what loops do now and then: let other threads run, see who interrupts.

A loop counts its turns, and looks at the clock after so many of them that a look comes
each millisecond or two, whatever a turn takes; after 5 ms it does what Python does
then. A loop in which nothing is asked of Python lets go of Python when it has run for
10 us, and has it back for a moment each 20 ms, to see whether the user interrupts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from runtime.backends.llvm.ahead import BESIDE
from runtime.backends.llvm.dot_calls import DOT
from runtime.backends.llvm.epilogues import THEN
from runtime.backends.llvm.few_turns import FEW_TURNS
from runtime.backends.llvm.lines import HELPER, LINEAR, WRAP
from runtime.backends.llvm.loops import Block, Instruction
from runtime.backends.llvm.owns import Owns
from runtime.backends.llvm.small_products import SMALL_PRODUCT
from runtime.backends.llvm.turns import BEGIN

# What asks nothing of Python.
FREE = {*BESIDE, "for", "pairwise", "numpys", "product", "buffer", "ptrtoint", "lanes"}
FREE |= {SMALL_PRODUCT, BEGIN, WRAP, HELPER, LINEAR, DOT, "use"}
# Turns until the first look: of numbers alone, or where a turn may take long.
FIRST, FIRST_SLOW = 256, 4
SLOW = frozenset({"for", "share", "numpys", "product", "python", "sort", "argsort"})
SLOW |= {THEN, HELPER, LINEAR, DOT}
# Turns between two looks at most.
LONGEST = 1 << 20
# Nanoseconds between two looks; until a loop lets go of Python; until Python is asked
# by a loop that holds it, and by one that has let go of it and waits to have it back.
LEAST, MOST, FREED = 1_000_000, 4_000_000, 10_000
TIME, RARE = 5_000_000, 20_000_000
# What a look changes, but for what other threads do meanwhile to what a loop reads.
UNSEEN = " memory(argmem: readwrite, inaccessiblemem: readwrite)"
POLL, CLOCK = "%poll", "m_clock_gettime"
# The turns until the next look: of this alone no address is given away, so that it is
# kept in a register. Then the words of a function's state, which `look` has.
LEFT = "%turns_left"
# All that have been allowed so far, where it is asked how many were taken.
ALLOWED = "%turns_allowed"
DUE, LAST, SINCE, STATE = (8 * number for number in range(4))

_FIELDS = """\
  %due_at = getelementptr i8, ptr %poll, i64 {due}
  %last_at = getelementptr i8, ptr %poll, i64 {last}
  %since_at = getelementptr i8, ptr %poll, i64 {since}
  %state_at = getelementptr i8, ptr %poll, i64 {state}
"""
_LOOK = (
    """
define internal i64 @look(ptr %poll, i1 %free) noinline {{
entry:
  %time = alloca [2 x i64]
"""
    + _FIELDS
    + """\
  %c = call i32 @m_clock_gettime(i32 {clock}, ptr %time)
  %seconds = load i64, ptr %time
  %part_at = getelementptr i8, ptr %time, i64 8
  %part = load i64, ptr %part_at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %part
  %before = load i64, ptr %last_at
  store i64 %now, ptr %last_at
  %is_first = icmp eq i64 %before, 0
  %gone = sub i64 %now, %before
  %passed = select i1 %is_first, i64 0, i64 %gone
  %due = load i64, ptr %due_at
  %soon = icmp slt i64 %passed, {least}
  %late = icmp sgt i64 %passed, {most}
  %twice = mul i64 %due, 2
  %quarter = sdiv i64 %due, 4
  %more = call i64 @llvm.smin.i64(i64 %twice, i64 {longest})
  %less = call i64 @llvm.smax.i64(i64 %quarter, i64 1)
  %up = select i1 %soon, i64 %more, i64 %due
  %next = select i1 %late, i64 %less, i64 %up
  store i64 %next, ptr %due_at
  %since = load i64, ptr %since_at
  %sum = add i64 %since, %passed
  store i64 %sum, ptr %since_at
  %state = load ptr, ptr %state_at
  %held = icmp eq ptr %state, null
  %long = icmp sge i64 %sum, {freed}
  %could = and i1 %held, %free
  %lets_go = and i1 %could, %long
  %limit = select i1 %free, i64 {rare}, i64 {time}
  %over = icmp sge i64 %sum, %limit
  %ask = or i1 %over, %lets_go
  br i1 %ask, label %asks, label %fine
asks:
  store i64 0, ptr %since_at
  br i1 %held, label %give, label %take
give:
  %own = call ptr @PyEval_SaveThread()
  br label %take
take:
  %back = phi ptr [ %state, %asks ], [ %own, %give ]
  call void @PyEval_RestoreThread(ptr %back)
  store ptr null, ptr %state_at
  %found = call i32 @PyErr_CheckSignals()
  %stops = icmp slt i32 %found, 0
  br i1 %stops, label %stop, label %go_on
go_on:
  br i1 %free, label %release, label %fine
release:
  %new = call ptr @PyEval_SaveThread()
  store ptr %new, ptr %state_at
  br label %fine
fine:
  ret i64 %next
stop:
  ret i64 -1
}}
"""
)
_TAKE_BACK = """
define internal void @take_back(ptr %poll) {{
entry:
  %state_at = getelementptr i8, ptr %poll, i64 {state}
  %state = load ptr, ptr %state_at
  %held = icmp eq ptr %state, null
  br i1 %held, label %end, label %take
take:
  call void @PyEval_RestoreThread(ptr %state)
  store ptr null, ptr %state_at
  br label %end
end:
  ret void
}}
"""


def asks_python(one: Instruction) -> bool:
    """Whether anything in a loop may ask something of Python, but its looks."""
    inside = (inner for block in one.blocks for inner in block.walk())
    return any(inner.op.split(" ")[0] not in FREE for inner in inside)


class Polling(Owns):
    """The text, with what loops do now and then.

    is_short: whether a loop is being written that only goes through a list, or that
             takes few turns
    unseen:  what LLVM is told of a look
    turns_each: those that come after one
    freed:   the numbers of the exits of loops that ask nothing of Python
    """

    is_short = False
    unseen, turns_each = "", "1"
    freed: set[int]

    def begin_polling(self, body: Block) -> None:
        """The state at the beginning: nothing was looked at."""
        self.slots.append(f"{POLL} = alloca [4 x i64]")
        self.slots.append(f"{LEFT} = alloca i64")
        for name in ("llvm.smin.i64", "llvm.smax.i64"):
            self.symbol(name, f"declare i64 @{name}(i64, i64)")
        self.symbol(CLOCK, f"declare i32 @{CLOCK}(i32, ptr)")
        first = FIRST_SLOW if any(one.op in SLOW for one in body.walk()) else FIRST
        self._turns_left(first)
        for place, value in ((DUE, first), (LAST, 0), (SINCE, 0)):
            self._put(place, f"i64 {value}")
        self._put(STATE, "ptr null")

    def _turns_left(self, count: int | str) -> None:
        self.line(f"store i64 {count}, ptr {LEFT}")

    def count_turns(self) -> None:
        """Let it be known how many turns were taken."""
        self.slots.append(f"{ALLOWED} = alloca i64")
        self.line(f"store i64 {self.set(f'load i64, ptr {LEFT}')}, ptr {ALLOWED}")

    @property
    def counts_turns(self) -> bool:
        """Whether it is asked how many turns were taken."""
        return f"{ALLOWED} = alloca i64" in self.slots

    def _allow(self, more: str) -> None:
        if self.counts_turns:
            before = self.set(f"load i64, ptr {ALLOWED}")
            sum = self.set(f"add i64 {before}, {more}")
            self.line(f"store i64 {sum}, ptr {ALLOWED}")

    def turns_taken(self) -> str:
        """How many there were, but for those that look by vectors."""
        allowed = self.set(f"load i64, ptr {ALLOWED}")
        left = self.set(f"load i64, ptr {LEFT}")
        return self.set(f"sub i64 {allowed}, {left}")

    def _put(self, place: int, value: str) -> None:
        at = self.set(f"getelementptr i8, ptr %poll, i64 {place}")
        self.line(f"store {value}, ptr {at}")

    def look_soon(self) -> None:
        """Let the next turn look at the clock: this one may have taken long."""
        if f"{LEFT} = alloca i64" in self.slots:
            self._turns_left(1)

    def poll(self, one: Instruction, also: Callable[[], None] | None = None) -> None:
        """The begin of a turn; `args`: what is let go of where the user interrupts.

        With a result it is of many turns: of at most `args[0]`, which come then.
        also: writes what else is to be done at each look
        """
        if self.is_short:
            return
        left = self.set(f"load i64, ptr {LEFT}")
        turns = self._many(one, left) if one.outs else self.turns_each
        less = self.set(f"sub nsw i64 {left}, {turns}")
        self._turns_left(less)
        with self.seldom(self.set(f"icmp sle i64 {less}, 0")) as after:
            free = "true" if self.is_free else "false"
            found = self.set(f"call i64 @look(ptr {POLL}, i1 {free}){self.unseen}")
            with self.seldom(self.set(f"icmp slt i64 {found}, 0")):
                self.drop(one.args[len(one.outs) :])
                self.line("ret ptr null")
            self._turns_left(found)
            self._allow(self.set(f"sub i64 {found}, {less}"))
            if also is not None:
                also()
            self.line(f"br label %{after}")

    def _many(self, one: Instruction, left: str) -> str:
        """How many turns may come now."""
        each = self.turns_each
        some = self.set(f"sdiv i64 {left}, {each}") if each != "1" else left
        some = self.set(f"call i64 @llvm.smax.i64(i64 {some}, i64 1)")
        room = self.read(one.args[0], "i64")
        # Without a sign: the difference of two ints may be any.
        self.symbol("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)")
        turns = self.set(f"call i64 @llvm.umin.i64(i64 {some}, i64 {room})")
        self.keep(one.outs[0], turns)
        return self.set(f"mul i64 {turns}, {each}") if each != "1" else turns

    def freely(self, one: Instruction, write: Callable[[], None]) -> None:
        """A loop; where it asks nothing of Python it may let go of it."""
        # A loop that writes nothing may wait for what another thread writes.
        outer, inside = self.unseen, (i for b in one.blocks for i in b.walk())
        self.unseen = UNSEEN if any(i.op == "store" for i in inside) else ""
        self._loop(one, write)
        self.unseen = outer

    def _loop(self, one: Instruction, write: Callable[[], None]) -> None:
        if one.symbol:
            self._shortly(one.symbol, write)
            return
        if one.type == FEW_TURNS:
            around, self.is_short = self.is_short, True
            write()
            self.is_short = around
            return
        if self.is_free or asks_python(one):
            write()
            return
        self.is_free = True
        write()
        self.is_free = False
        self.take_back()

    def _shortly(self, counter: str, write: Callable[[], None]) -> None:
        """A loop that takes no more turns than a list is long: its turns count then."""
        begin = self.set(f"load i64, ptr %{counter}")
        self.is_short = True
        write()
        self.is_short = False
        end = self.set(f"load i64, ptr %{counter}")
        away = self.set(f"sub i64 {end}, {begin}")
        count = self.set(f"call i64 @llvm.abs.i64(i64 {away}, i1 false)")
        self.symbol("llvm.abs.i64", "declare i64 @llvm.abs.i64(i64, i1)")
        left = self.set(f"load i64, ptr {LEFT}")
        self._turns_left(self.set(f"sub i64 {left}, {count}"))

    def take_back(self) -> None:
        """Have Python again, if it was let go of."""
        self.line("call void @take_back(ptr %poll)")


def looks() -> str:
    """LLVM's text of the functions that polling calls."""
    words = {
        **{"due": DUE, "last": LAST, "since": SINCE, "state": STATE},
        **{
            "least": LEAST,
            "most": MOST,
            "time": TIME,
            "rare": RARE,
            "freed": FREED,
            "longest": LONGEST,
        },
        "clock": getattr(time, "CLOCK_MONOTONIC", 1),
    }
    return _LOOK.format(**words) + _TAKE_BACK.format(**words)
