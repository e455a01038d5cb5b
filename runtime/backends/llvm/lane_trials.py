"""lane_trials: lanes where they are faster than turns one by one, as the clock says.

What lanes cost depends on the processor (a division of a vector is one of each lane),
and on data (lanes wait for the longest of them). So now and then a group of turns is
timed both ways: what is run ahead changes nothing. The faster way is taken for as long
as makes the next trial cheap. What was found is kept in the code: a loop may be entered
often, for few turns.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from runtime.backends.llvm.loops import Local
from runtime.backends.llvm.polling import CLOCK, Polling

# Whether the clock decides; tests want lanes wherever there can be any.
TIMED = True
# What the next group of turns is to be.
LANES, SINGLES, TRIAL = range(3)
# The words of what is kept: groups until the next trial, the way that is taken till
# then, the most groups until the one after, and what the trials took either way.
WORDS = 5
LEFT, WAY, MOST, WIDE, SINGLE = (8 * number for number in range(WORDS))
# Groups after the first trial at most, which may have met a cold cache; each time so
# many times as many, up to a last number.
BEGIN, GROWTH, LAST = 4, 4, 4096
# What a trial costs is so small a part of what it is good for.
WORTH = 64
# A trial in which one way took longer than so many times the other was disturbed.
FARTHEST = 8
# Of what earlier trials took an eighth is forgotten with each.
FORGOTTEN = 3
NOW, NEXT, TOOK = "lanes_now", "lanes_next", "lanes_took"

_FIELDS = "\n".join(
    f"  %{name}_at = getelementptr i8, ptr %kept, i64 {place}"
    for name, place in (
        *(("left", LEFT), ("way", WAY), ("most", MOST)),
        *(("wide", WIDE), ("single", SINGLE)),
    )
)
# Threads may meet here, and lose one another's trials: the words are only advice.
_LOAD, _STORE = "load atomic i64, ptr", "store atomic i64"
_AT = "monotonic, align 8"
_TEXT = f"""
define internal i64 @{NOW}() noinline {{
entry:
  %time = alloca [2 x i64]
  %c = call i32 @{CLOCK}(i32 {getattr(time, "CLOCK_MONOTONIC", 1)}, ptr %time)
  %seconds = load i64, ptr %time
  %part_at = getelementptr i8, ptr %time, i64 8
  %part = load i64, ptr %part_at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %part
  ret i64 %now
}}

define internal i64 @{NEXT}(ptr %kept) noinline {{
entry:
{_FIELDS}
  %left = {_LOAD} %left_at {_AT}
  %less = sub i64 %left, 1
  {_STORE} %less, ptr %left_at {_AT}
  %goes_on = icmp sgt i64 %left, 0
  %way = {_LOAD} %way_at {_AT}
  %next = select i1 %goes_on, i64 %way, i64 {TRIAL}
  ret i64 %next
}}

define internal void @{TOOK}(ptr %kept, i64 %wide, i64 %single) noinline {{
entry:
{_FIELDS}
  %wide_all = {_LOAD} %wide_at {_AT}
  %wide_old = lshr i64 %wide_all, {FORGOTTEN}
  %wide_kept = sub i64 %wide_all, %wide_old
  %single_most = mul i64 %single, {FARTHEST}
  %wide_near = call i64 @llvm.umin.i64(i64 %wide, i64 %single_most)
  %a = add i64 %wide_kept, %wide_near
  %single_all = {_LOAD} %single_at {_AT}
  %single_old = lshr i64 %single_all, {FORGOTTEN}
  %single_kept = sub i64 %single_all, %single_old
  %wide_most = mul i64 %wide, {FARTHEST}
  %single_near = call i64 @llvm.umin.i64(i64 %single, i64 %wide_most)
  %b = add i64 %single_kept, %single_near
  %is_wide = icmp ult i64 %a, %b
  %way = select i1 %is_wide, i64 {LANES}, i64 {SINGLES}
  %worse = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %least = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  %better = call i64 @llvm.umax.i64(i64 %least, i64 1)
  %much = mul i64 %worse, {WORTH}
  %worth = udiv i64 %much, %better
  %found = {_LOAD} %most_at {_AT}
  %most = call i64 @llvm.umax.i64(i64 %found, i64 {BEGIN})
  %left = call i64 @llvm.umin.i64(i64 %worth, i64 %most)
  %more = mul i64 %most, {GROWTH}
  %next = call i64 @llvm.umin.i64(i64 %more, i64 {LAST})
  {_STORE} %a, ptr %wide_at {_AT}
  {_STORE} %b, ptr %single_at {_AT}
  {_STORE} %way, ptr %way_at {_AT}
  {_STORE} %next, ptr %most_at {_AT}
  {_STORE} %left, ptr %left_at {_AT}
  ret void
}}
"""


class State(NamedTuple):
    """What a loop with lanes carries, beside what the program's does.

    ready: turns that have been run ahead; again: the one from which lanes are tried
    step:  how many groups are run singly after a way out
    timed: turns until a trial of single ones is over
    begin: when it has begun; spent: what the same turns took in lanes
    """

    ready: Local
    again: Local
    step: Local
    timed: Local
    begin: Local
    spent: Local


STATE = State._fields


class Trials:
    """The trials of one loop with lanes, as LLVM's text.

    kept: the name of what is kept of it; way: that of what the group is to be
    """

    def __init__(self, text: Polling, state: State) -> None:
        self.text, self.state = text, state
        name = text.fresh().replace("%t", "lanes")
        declared = f"@{name} = internal global [{WORDS} x i64] zeroinitializer"
        self.kept, self.way = text.symbol(name, declared), ""
        for one in ("umax", "umin"):
            text.symbol(f"llvm.{one}.i64", f"declare i64 @llvm.{one}.i64(i64, i64)")
        text.helpers[NEXT] = _TEXT

    def ask(self, at: str, width: str, labels: tuple[str, str]) -> None:
        """Go on where a group of turns is run ahead, or singly."""
        text, (run, single) = self.text, labels
        asked = f"call i64 @{NEXT}(ptr {self.kept})"
        self.way = text.set(asked if TIMED else f"add i64 {LANES}, 0")
        with text.seldom(self._is_trial()) as after:
            text.keep(self.state.begin, self._now())
            text.line(f"br label %{after}")
        singly = text.fresh_label()
        is_single = text.set(f"icmp eq i64 {self.way}, {SINGLES}")
        text.line(f"br i1 {is_single}, label %{singly}, label %{run}")
        text.label(singly)
        text.keep(self.state.again, text.set(f"add i64 {at}, {width}"))
        text.line(f"br label %{single}")

    def ran(self, at: str, width: str, single: str) -> None:
        """So many turns have been run ahead; in a trial they are run singly now."""
        text, state = self.text, self.state
        with text.seldom(self._is_trial()):
            now, begin = self._now(), text.read(state.begin, "i64")
            text.keep(state.spent, text.set(f"sub i64 {now}, {begin}"))
            text.keep(state.timed, width)
            text.keep(state.again, text.set(f"add i64 {at}, {width}"))
            text.keep(state.begin, self._now())
            text.line(f"br label %{single}")

    def ran_one(self) -> None:
        """A turn was run singly: tell what the trial took, if it is over."""
        text, state = self.text, self.state
        left = text.read(state.timed, "i64")
        text.keep(state.timed, text.set(f"sub i64 {left}, 1"))
        with text.seldom(text.set(f"icmp eq i64 {left}, 1")) as after:
            now, begin = self._now(), text.read(state.begin, "i64")
            single = text.set(f"sub i64 {now}, {begin}")
            wide = text.read(state.spent, "i64")
            words = f"ptr {self.kept}, i64 {wide}, i64 {single}"
            text.line(f"call void @{TOOK}({words})")
            text.line(f"br label %{after}")

    def _is_trial(self) -> str:
        return self.text.set(f"icmp eq i64 {self.way}, {TRIAL}")

    def _now(self) -> str:
        """Nanoseconds, from any time on."""
        return self.text.set(f"call i64 @{NOW}()")
