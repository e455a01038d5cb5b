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

from runtime.backends.llvm.loops import Local, Operand
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
# After a way out up to so many times as many turns as there are lanes are run singly.
# Odd, lest it be an image's edge each time.
MOST_FAILED = 255
NOW, NEXT, TOOK = "lanes_now", "lanes_next", "lanes_took"
_SLOTS = ("begun", "spent", "why")

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

    ready: turns that have been run ahead; again: the one until which turns are run
           singly; step: how many groups are after a way out
    """

    ready: Local
    again: Local
    step: Local


STATE = State._fields


class Group(NamedTuple):
    """Turns that are run ahead: the first, those that are left, and how many."""

    at: str
    room: str
    width: str


class Trials:
    """Whether turns of one loop with lanes are run ahead, as LLVM's text.

    kept: the name of what is kept of it; way: that of what the group is to be
    Slots: when something has begun, what turns took in lanes, whether they are run
    singly because that is a trial, or because that was found to be faster
    """

    def __init__(self, text: Polling, state: State, count: int) -> None:
        self.text, self.state, self.count, self.way = text, state, count, ""
        name = text.fresh().replace("%t", "lanes")
        declared = f"@{name} = internal global [{WORDS} x i64] zeroinitializer"
        self.kept = text.symbol(name, declared)
        for one in ("umax", "umin"):
            text.symbol(f"llvm.{one}.i64", f"declare i64 @llvm.{one}.i64(i64, i64)")
        text.helpers[NEXT] = _TEXT
        self.begun, self.spent, self.why = (f"%{name}.{one}" for one in _SLOTS)
        for slot in (self.begun, self.spent, self.why):
            text.slot_of(slot, "i64")

    def begin(self) -> None:
        """Where nothing is known of the turns yet."""
        self.text.line(f"store i64 {LANES}, ptr {self.why}")

    def seek(self, args: tuple[Operand, ...], labels: tuple[str, str]) -> Group:
        """Go on where turns are run ahead; else say until which one they are not.

        args: the counter, its end, and whether the arrays are apart
        """
        text, state, (run, single) = self.text, self.state, labels
        due, ask, never = (text.fresh_label() for _ in range(3))
        counter, end, apart = args
        at, stop = text.read(counter, "i64"), text.read(end, "i64")
        start = text.read(state.again, "i64")
        is_due = text.set(f"icmp sge i64 {at}, {start}")
        text.line(f"br i1 {is_due}, label %{due}, label %{single}")
        text.label(due)
        # As ints without a sign: the difference may be any.
        room = text.set(f"sub i64 {stop}, {at}")
        wide = text.set(f"icmp uge i64 {room}, {max(2, self.count // 4)}")
        both = text.set(f"and i1 {wide}, {text.read(apart, 'i1')}")
        text.line(f"br i1 {both}, label %{ask}, label %{never}")
        text.label(never)
        text.keep(state.again, stop)
        text.line(f"br label %{single}")
        text.label(ask)
        is_less = text.set(f"icmp ult i64 {room}, {self.count}")
        width = text.set(f"select i1 {is_less}, i64 {room}, i64 {self.count}")
        self._ask(at, room, labels)
        text.label(run)
        return Group(at, room, width)

    def _ask(self, at: str, room: str, labels: tuple[str, str]) -> None:
        """Go on where a group of turns is run ahead, or many singly."""
        text, (run, single) = self.text, labels
        asked = f"call i64 @{NEXT}(ptr {self.kept})"
        self.way = text.set(asked if TIMED else f"add i64 {LANES}, 0")
        with text.seldom(self._is_trial()) as after:
            self._begin()
            text.line(f"br label %{after}")
        singly = text.fresh_label()
        is_single = text.set(f"icmp eq i64 {self.way}, {SINGLES}")
        text.line(f"br i1 {is_single}, label %{singly}, label %{run}")
        text.label(singly)
        text.line(f"store i64 {SINGLES}, ptr {self.why}")
        groups = text.set(f"load atomic i64, ptr {self.kept} {_AT}")
        some = text.set(f"call i64 @llvm.umin.i64(i64 {groups}, i64 {LAST})")
        more = text.set(f"add i64 {some}, 1")
        self._singly_for(at, room, text.set(f"mul i64 {more}, {self.count}"))
        text.line(f"br label %{single}")

    def _singly_for(self, at: str, room: str, turns: str) -> None:
        """Let so many turns be run singly, if there are as many."""
        far = self.text.set(f"call i64 @llvm.umin.i64(i64 {turns}, i64 {room})")
        self.text.keep(self.state.again, self.text.set(f"add i64 {at}, {far}"))

    def put_off(self, group: Group, fails: str) -> None:
        """Turns that are run one by one before lanes are tried again, if in vain."""
        text, step = self.text, self.state.step
        times = text.read(step, "i64")
        far = text.set(f"mul i64 {group.width}, {times}")
        turns = text.set(f"select i1 {fails}, i64 {far}, i64 0")
        self._singly_for(group.at, group.room, turns)
        twice = text.set(f"mul i64 {times}, 2")
        small = text.set(f"icmp ult i64 {twice}, {MOST_FAILED}")
        more = text.set(f"select i1 {small}, i64 {twice}, i64 {MOST_FAILED}")
        text.keep(step, text.set(f"select i1 {fails}, i64 {more}, i64 1"))

    def ran(self, group: Group, single: str) -> None:
        """Turns have been run ahead; in a trial they are run singly now."""
        text = self.text
        with text.seldom(self._is_trial()):
            text.line(f"store i64 {self._since()}, ptr {self.spent}")
            text.line(f"store i64 {TRIAL}, ptr {self.why}")
            self._singly_for(group.at, group.room, group.width)
            self._begin()
            text.line(f"br label %{single}")

    def ran_singly(self, turns: str) -> None:
        """So many turns were run singly: tell what the trial took, if it was one."""
        text = self.text
        why = text.set(f"load i64, ptr {self.why}")
        told = text.fresh_label()
        for reason in (TRIAL, SINGLES):
            with text.seldom(text.set(f"icmp eq i64 {why}, {reason}")):
                if reason == TRIAL:
                    single = self._since()
                    wide = text.set(f"load i64, ptr {self.spent}")
                    words = f"ptr {self.kept}, i64 {wide}, i64 {single}"
                    text.line(f"call void @{TOOK}({words})")
                else:
                    self._count(text.set(f"udiv i64 {turns}, {self.count}"))
                text.line(f"br label %{told}")
        text.to_label(told)

    def _count(self, groups: str) -> None:
        """So many groups fewer are left until the next trial."""
        text = self.text
        left = text.set(f"load atomic i64, ptr {self.kept} {_AT}")
        less = text.set(f"sub i64 {left}, {groups}")
        text.line(f"store atomic i64 {less}, ptr {self.kept} {_AT}")

    def _is_trial(self) -> str:
        return self.text.set(f"icmp eq i64 {self.way}, {TRIAL}")

    def _begin(self) -> None:
        self.text.line(f"store i64 {self._now()}, ptr {self.begun}")

    def _since(self) -> str:
        """Nanoseconds since the last begin."""
        now, begun = self._now(), self.text.set(f"load i64, ptr {self.begun}")
        return self.text.set(f"sub i64 {now}, {begun}")

    def _now(self) -> str:
        """Nanoseconds, from any time on."""
        return self.text.set(f"call i64 @{NOW}()")
