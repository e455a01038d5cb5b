"""crew_text: how threads share a loop, as LLVM's text.

Words in braces are the places of what they share (`crew.py`).
"""

from __future__ import annotations

import platform
from collections.abc import Mapping

from runtime.backends.llvm import apart
from runtime.backends.llvm.float_errors import FLAGS

LINE = 64  # bytes that processors exchange at once

_HEAD = """\
@crew = external global i8
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @feclearexcept(i32)
declare i32 @fetestexcept(i32)

define void @crew_prepare() {{
  store ptr @crew_run, ptr {shares}
  store ptr @crew_work, ptr {works}
  store ptr @crew_rest, ptr {rests}
  ret void
}}

define internal void @crew_rest(i64 %count) {{
entry:
  br label %again
again:
  %turn = phi i64 [ 0, %entry ], [ %next, %again ]
  PAUSE
  %next = add i64 %turn, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %again, label %out
out:
  ret void
}}
"""
# Who finds the lock held asks again for a while: it is held for a moment, and who
# sleeps meanwhile is woken long after it.
_HOLD = """
define internal i32 @hold() {{
entry:
  br label %ask
ask:
  %turn = phi i64 [ 0, %entry ], [ %next, %again ]
  %t = call i32 @pthread_mutex_trylock(ptr {lock})
  %has = icmp eq i32 %t, 0
  br i1 %has, label %out, label %stay
stay:
  %next = add i64 %turn, 1
  %most = load i64, ptr {asks}
  %waits = icmp slt i64 %turn, %most
  br i1 %waits, label %again, label %sleep
again:
  PAUSE
  br label %ask
sleep:
  %l = call i32 @pthread_mutex_lock(ptr {lock})
  br label %out
out:
  ret i32 0
}}
"""
# Each begins with a range of its own, the same in one loop after the other: what it
# has written is nearest to it. Then it helps with the others'.
_CLAIM = """
define internal ptr @taken_of(i64 %range) {{
  %at = mul i64 %range, LINE
  %place = getelementptr i8, ptr {next}, i64 %at
  ret ptr %place
}}

define internal void @claim(i64 %own) {{
entry:
  %grain = load i64, ptr {grain}
  %count = load i64, ptr {count}
  %ranges = load i64, ptr {ranges}
  %span = load i64, ptr {span}
  %function = load ptr, ptr {function}
  %frame = load ptr, ptr {frame}
  br label %one
one:
  %turn = phi i64 [ 0, %entry ], [ %following, %next ]
  %place = add i64 %own, %turn
  %range = urem i64 %place, %ranges
  %begin = mul i64 %range, %span
  %far = add i64 %begin, %span
  %end = call i64 @llvm.smin.i64(i64 %far, i64 %count)
  %taken = call ptr @taken_of(i64 %range)
  br label %again
again:
  %done = atomicrmw add ptr %taken, i64 %grain seq_cst
  %first = add i64 %begin, %done
  %has = icmp slt i64 %first, %end
  br i1 %has, label %work, label %next
work:
  %sum = add i64 %first, %grain
  %last = call i64 @llvm.smin.i64(i64 %sum, i64 %end)
  call void %function(ptr %frame, i64 %first, i64 %last)
  br label %again
next:
  %following = add i64 %turn, 1
  %more = icmp slt i64 %following, %ranges
  br i1 %more, label %one, label %out
out:
  ret void
}}

define internal void @divide(i64 %count, i64 %grain, i64 %threads) {{
entry:
  store i64 %count, ptr {count}
  store i64 %grain, ptr {grain}
  store i64 %threads, ptr {ranges}
  %all = mul i64 %grain, %threads
  %above = add i64 %count, %all
  %most = sub i64 %above, 1
  %parts = sdiv i64 %most, %all
  %span = mul i64 %parts, %grain
  store i64 %span, ptr {span}
  br label %clear
clear:
  %range = phi i64 [ 0, %entry ], [ %next, %clear ]
  %taken = call ptr @taken_of(i64 %range)
  store i64 0, ptr %taken
  %next = add i64 %range, 1
  %more = icmp slt i64 %next, %threads
  br i1 %more, label %clear, label %out
out:
  ret void
}}
"""
# Who comes when another's work is being done does all by itself.
_RUN = """
define internal i64 @crew_run(ptr %function, ptr %frame, i64 %count, i64 %grain) {{
entry:
  %pair = cmpxchg ptr {busy}, i64 0, i64 1 seq_cst seq_cst
  %own = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %own, label %share, label %alone
alone:
  call void %function(ptr %frame, i64 0, i64 %count)
  ret i64 0
share:
  %l0 = call i32 @hold()
  store ptr %function, ptr {function}
  store ptr %frame, ptr {frame}
  store i64 0, ptr {flags}
  %limit = load ptr, ptr {limit}
  %threads = load i64, ptr %limit
  call void @divide(i64 %count, i64 %grain, i64 %threads)
  %others = sub i64 %threads, 1
  call void @begin_apart()
  store i64 %others, ptr {seats}
  %n = load i64, ptr {number}
  %m = add i64 %n, 1
  store i64 %m, ptr {number}
  %w = call i32 @pthread_cond_broadcast(ptr {wake})
  %u0 = call i32 @pthread_mutex_unlock(ptr {lock})
  call void @claim(i64 0)
  %l1 = call i32 @hold()
  store i64 0, ptr {seats}
  %many = load i64, ptr {running}
  %late = icmp sgt i64 %many, 0
  br i1 %late, label %soon, label %look
soon:
  %u2 = call i32 @pthread_mutex_unlock(ptr {lock})
  br label %ask
ask:
  %turn = phi i64 [ 0, %soon ], [ %next, %again ]
  %left = load atomic i64, ptr {running} seq_cst, align 8
  %ready = icmp eq i64 %left, 0
  ASK_LONG
look:
  %running = load i64, ptr {running}
  %some = icmp sgt i64 %running, 0
  br i1 %some, label %wait, label %end
wait:
  %d = call i32 @pthread_cond_wait(ptr {done}, ptr {lock})
  br label %look
end:
  %found = load i64, ptr {flags}
  %u1 = call i32 @pthread_mutex_unlock(ptr {lock})
  store atomic i64 0, ptr {busy} seq_cst, align 8
  ret i64 %found
}}
"""
_WORK = """
define internal ptr @crew_work(ptr %own) {{
entry:
  %range = ptrtoint ptr %own to i64
  %l0 = call i32 @hold()
  br label %look
look:
  %seen = phi i64 [ 0, %entry ], [ %seen, %wait ],
    [ %number, %try ], [ %number, %sleep ]
  %number = load i64, ptr {number}
  %new = icmp ne i64 %number, %seen
  %seats = load i64, ptr {seats}
  %free = icmp sgt i64 %seats, 0
  %go = and i1 %new, %free
  br i1 %go, label %join, label %wait
wait:
  %w = call i32 @pthread_cond_wait(ptr {wake}, ptr {lock})
  br label %look
join:
  %fewer = sub i64 %seats, 1
  store i64 %fewer, ptr {seats}
  %before = load i64, ptr {running}
  %more = add i64 %before, 1
  store i64 %more, ptr {running}
  %u0 = call i32 @pthread_mutex_unlock(ptr {lock})
  call void @be_apart()
  %c = call i32 @feclearexcept(i32 FLAGS)
  call void @claim(i64 %range)
  %noted = call i32 @fetestexcept(i32 FLAGS)
  %wide = zext i32 %noted to i64
  %l1 = call i32 @hold()
  %flags = load i64, ptr {flags}
  %all = or i64 %flags, %wide
  store i64 %all, ptr {flags}
  %working = load i64, ptr {running}
  %rest = sub i64 %working, 1
  store i64 %rest, ptr {running}
  %none_left = icmp eq i64 %rest, 0
  br i1 %none_left, label %tell, label %left
tell:
  %s = call i32 @pthread_cond_signal(ptr {done})
  br label %left
left:
  %u1 = call i32 @pthread_mutex_unlock(ptr {lock})
  br label %ask
ask:
  %turn = phi i64 [ 0, %left ], [ %next, %again ]
  %last = load atomic i64, ptr {number} seq_cst, align 8
  %ready = icmp ne i64 %last, %number
  ASK_ON
}}
"""


# Asks on, so many turns, until it is ready and the lock is held; then waits for that.
_ASK_ON = """\
%next = add i64 %turn, 1
  %most = load i64, ptr {MOST}
  %waits = icmp slt i64 %turn, %most
  br i1 %ready, label %try, label %stay
try:
  %t = call i32 @pthread_mutex_trylock(ptr {lock})
  %has = icmp eq i32 %t, 0
  br i1 %has, label %look, label %stay
stay:
  br i1 %waits, label %again, label %sleep
again:
  PAUSE
  br label %ask
sleep:
  %l2 = call i32 @hold()
  br label %look"""


def text_of(places: Mapping[str, str], is_apart: bool) -> str:
    """What shares work, and what a thread does.

    places: LLVM's constants for where what they share lies, by its name
    is_apart: whether there is what tells the processors of threads
    """
    parts = [part.format(**places) for part in (_HEAD, _HOLD, _CLAIM, _RUN, _WORK)]
    parts.insert(1, apart.text(places["taken"], is_apart))
    words = {
        "ASK_LONG": _ask_on("waits").format(**places),
        "ASK_ON": _ask_on("asks").format(**places),
        "LINE": str(LINE),
    }
    words |= {"FLAGS": str(FLAGS), "PAUSE": _pause()}
    text = "".join(parts)
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text


def _ask_on(most: str) -> str:
    """Asking on, as often as a field says."""
    return _ASK_ON.replace("MOST", most)


def _pause() -> str:
    """What a processor does that waits for another one for a moment."""
    machine = platform.machine().lower()
    word = {"x86_64": "pause", "amd64": "pause", "arm64": "yield", "aarch64": "yield"}
    if machine not in word:
        return ""
    return f'call void asm sideeffect "{word[machine]}", "~{{memory}}"()'
