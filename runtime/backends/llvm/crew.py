"""crew: threads that share the work of one loop over elements.

They are the C library's, not Python's: none ever touches an object. One piece of work
is done at a time, by its caller and by those that wake up soon enough; each takes the
next few of its units until none is left, and the caller waits for those at work. Who
finds the crew busy does the work alone. What the processor notes of numbers is handed
to the caller. A child of a fork has no crew: it does all by itself.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import signal
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime import workers
from runtime.backends.llvm import apart, freed, store
from runtime.backends.llvm.building import Source, built
from runtime.backends.llvm.float_errors import FLAGS

if TYPE_CHECKING:
    from runtime.backends.llvm.linking import Compiled

# So often a thread looks whether there is more to do before it sleeps: some 50 us, as
# long as it takes to wake one up. The caller looks ten times as often whether the
# others are done: who sleeps may be woken on a processor that is not free.
SPINS, WAITS = 1000, 10_000
_ROOM = 128  # bytes; the C library's locks take up to 64


class _Crew(ctypes.Structure):
    """What the threads and their callers share; `TEXT` names the fields by number.

    run:     the address of the function that shares work; 0: there is no crew
    shares, works: the addresses of that function and of what a thread does
    seats:   how many may still join; running: how many have, and are at work
    next:    the unit that nobody has taken
    taken:   the processors of those at work (`apart.py`)
    """

    _fields_ = (
        *(("run", ctypes.c_int64), ("limit", ctypes.c_void_p)),
        *(("shares", ctypes.c_int64), ("works", ctypes.c_int64)),
        *(("busy", ctypes.c_int64), ("number", ctypes.c_int64)),
        *(("seats", ctypes.c_int64), ("running", ctypes.c_int64)),
        *(("function", ctypes.c_void_p), ("frame", ctypes.c_void_p)),
        *(("count", ctypes.c_int64), ("grain", ctypes.c_int64)),
        *(("next", ctypes.c_int64), ("flags", ctypes.c_int64)),
        *(("lock", ctypes.c_char * _ROOM), ("wake", ctypes.c_char * _ROOM)),
        *(("done", ctypes.c_char * _ROOM), ("taken", ctypes.c_int64 * apart.WORDS)),
    )


CREW = _Crew(0, ctypes.addressof(workers.LIMIT))
PLACE = ctypes.addressof(CREW)
SYMBOL, NAME = "crew", "crew_prepare"
# What is asked of the C library.
_CALLED = (
    *("pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait"),
    "pthread_mutex_trylock",
    *("pthread_cond_broadcast", "pthread_cond_signal"),
    *("feclearexcept", "fetestexcept"),
)
_lock = threading.Lock()
_is_child = False


# --- the code -------------------------------------------------------------------------
def offset(name: str) -> int:
    """Where a field lies."""
    return int(getattr(_Crew, name).offset)


def _place(name: str) -> str:
    """LLVM's constant for the place of a field."""
    return f"getelementptr (i8, ptr @{SYMBOL}, i64 {offset(name)})"


_HEAD = """\
@crew = external global i8
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
  ret void
}}
"""
_CLAIM = """
define internal void @claim() {{
entry:
  %grain = load i64, ptr {grain}
  %count = load i64, ptr {count}
  %function = load ptr, ptr {function}
  %frame = load ptr, ptr {frame}
  br label %again
again:
  %first = atomicrmw add ptr {next}, i64 %grain seq_cst
  %has = icmp slt i64 %first, %count
  br i1 %has, label %work, label %end
work:
  %sum = add i64 %first, %grain
  %over = icmp sgt i64 %sum, %count
  %last = select i1 %over, i64 %count, i64 %sum
  call void %function(ptr %frame, i64 %first, i64 %last)
  br label %again
end:
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
  %l0 = call i32 @pthread_mutex_lock(ptr {lock})
  store ptr %function, ptr {function}
  store ptr %frame, ptr {frame}
  store i64 %count, ptr {count}
  store i64 %grain, ptr {grain}
  store i64 0, ptr {next}
  store i64 0, ptr {flags}
  %limit = load ptr, ptr {limit}
  %threads = load i64, ptr %limit
  %others = sub i64 %threads, 1
  call void @begin_apart()
  store i64 %others, ptr {seats}
  %n = load i64, ptr {number}
  %m = add i64 %n, 1
  store i64 %m, ptr {number}
  %w = call i32 @pthread_cond_broadcast(ptr {wake})
  %u0 = call i32 @pthread_mutex_unlock(ptr {lock})
  call void @claim()
  %l1 = call i32 @pthread_mutex_lock(ptr {lock})
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
define internal ptr @crew_work(ptr %none) {{
entry:
  %l0 = call i32 @pthread_mutex_lock(ptr {lock})
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
  call void @claim()
  %noted = call i32 @fetestexcept(i32 FLAGS)
  %wide = zext i32 %noted to i64
  %l1 = call i32 @pthread_mutex_lock(ptr {lock})
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
  %waits = icmp slt i64 %turn, SPINS
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
  %l2 = call i32 @pthread_mutex_lock(ptr {lock})
  br label %look"""


def text() -> str:
    """LLVM's text of what shares work and of what a thread does."""
    places = {name: _place(name) for name, _ in _Crew._fields_}
    parts = [part.format(**places) for part in (_HEAD, _CLAIM, _RUN, _WORK)]
    parts.insert(1, apart.text(places["taken"], _has(apart.CALLED)))
    asks = _ASK_ON.format(**places)
    words = {"ASK_LONG": asks.replace("SPINS", str(WAITS)), "ASK_ON": asks}
    words |= {"FLAGS": str(FLAGS), "SPINS": str(SPINS), "PAUSE": _pause()}
    text = "".join(parts)
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text


def _pause() -> str:
    """What a processor does that waits for another one for a moment."""
    machine = platform.machine().lower()
    word = {"x86_64": "pause", "amd64": "pause", "arm64": "yield", "aarch64": "yield"}
    if machine not in word:
        return ""
    return f'call void asm sideeffect "{word[machine]}", "~{{memory}}"()'


# --- the threads ----------------------------------------------------------------------
def built_to_share(source: Source, key: str, is_shared: bool) -> Compiled:
    """The machine code, with what it shares its work with where it does.

    is_shared: the text names the crew
    """
    made = built(source, key)
    if is_shared:
        start()
        freed.keep()
    return made


def start() -> None:
    """Have a crew, if there is more than one processor and the C library has threads.

    What is compiled works without one.
    """
    count = workers.LIMIT.value - 1
    with _lock:
        if CREW.run or count < 1 or _is_child:
            return
        if not hasattr(signal, "pthread_sigmask"):
            return
        if not _has(_CALLED):
            return
        _prepare()
        if sum(_is_started() for _ in range(count)):
            CREW.run = CREW.shares


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _has(names: Sequence[str]) -> bool:
    """Whether the C library has all of them."""
    return all(hasattr(_library(), name) for name in names)


@functools.cache
def _prepare() -> None:
    library = _library()
    called = _CALLED + (apart.CALLED if _has(apart.CALLED) else ())
    symbols = {
        name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
        for name in called
    }
    made = built(Source(NAME, text, symbols, (CREW,)), store.key_of(text()))
    # The threads outlive everything.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    ctypes.CFUNCTYPE(None)(made.address)()
    for name, kind in (("lock", "mutex"), ("wake", "cond"), ("done", "cond")):
        place = ctypes.c_void_p(PLACE + offset(name))
        getattr(library, f"pthread_{kind}_init")(place, None)


def _is_started() -> bool:
    """One more thread; Python's signals are not for it."""
    thread = ctypes.c_void_p()
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        work = ctypes.c_void_p(CREW.works)
        failed = _library().pthread_create(ctypes.byref(thread), None, work, None)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    return not failed


def _forked() -> None:
    """The threads are not in the child, which shares nothing with anyone."""
    global _lock, _is_child
    _lock, _is_child = threading.Lock(), True
    CREW.run = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
