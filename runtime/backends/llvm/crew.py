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
import signal
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime import store, workers
from runtime.backends.llvm import apart, freed
from runtime.backends.llvm.building import Source, built
from runtime.backends.llvm.crew_text import LINE, text_of

if TYPE_CHECKING:
    from runtime.backends.llvm.linking import Compiled

# So many seconds a thread looks whether there is more to do before it sleeps: as long
# as it takes to wake one up. The caller looks so many times as long whether the others
# are done: who sleeps may be woken on a processor that is not free.
ASKS, OF_WAITS = 50e-6, 10
_ROOM = 128  # bytes; the C library's locks take up to 64


class _Crew(ctypes.Structure):
    """What the threads and their callers share; `TEXT` names the fields by number.

    run:     the address of the function that shares work; 0: there is no crew
    shares, works: the addresses of that function and of what a thread does
    seats:   how many may still join; running: how many have, and are at work
    rests:   the address of what rests so many times
    asks, waits: how many times the threads, and the caller, do between looks
    ranges:  how many there are of them; span: the units of one
    next:    of each range how many units are taken
    taken:   the processors of those at work (`apart.py`)
    """

    _fields_ = (
        *(("run", ctypes.c_int64), ("limit", ctypes.c_void_p)),
        *(("shares", ctypes.c_int64), ("works", ctypes.c_int64)),
        *(("busy", ctypes.c_int64), ("number", ctypes.c_int64)),
        *(("seats", ctypes.c_int64), ("running", ctypes.c_int64)),
        *(("function", ctypes.c_void_p), ("frame", ctypes.c_void_p)),
        *(("count", ctypes.c_int64), ("grain", ctypes.c_int64)),
        *(("ranges", ctypes.c_int64), ("span", ctypes.c_int64)),
        ("flags", ctypes.c_int64),
        *(("asks", ctypes.c_int64), ("waits", ctypes.c_int64)),
        ("rests", ctypes.c_int64),
        *(("lock", ctypes.c_char * _ROOM), ("wake", ctypes.c_char * _ROOM)),
        *(("done", ctypes.c_char * _ROOM), ("taken", ctypes.c_int64 * apart.WORDS)),
        ("next", ctypes.c_char * (LINE * workers.MOST)),
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


def text() -> str:
    """LLVM's text of what shares work and of what a thread does."""
    places = {name: _place(name) for name, _ in _Crew._fields_}
    return text_of(places, _has(apart.CALLED))


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
        if sum(_is_started(1 + place) for place in range(count)):
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
    CREW.asks = max(1, int(ASKS / _rest_time()))
    CREW.waits = OF_WAITS * CREW.asks
    for name, kind in (("lock", "mutex"), ("wake", "cond"), ("done", "cond")):
        place = ctypes.c_void_p(PLACE + offset(name))
        getattr(library, f"pthread_{kind}_init")(place, None)


def _rest_time() -> float:
    """How long a processor rests, in seconds: 15 to 60 ns, by its make."""
    rest, many = ctypes.CFUNCTYPE(None, ctypes.c_int64)(CREW.rests), 500
    found = []
    for _ in range(3):
        begin = time.perf_counter()
        rest(many)
        found.append((time.perf_counter() - begin) / many)
    return min(found)


def _is_started(own: int) -> bool:
    """One more thread, whose range this is; Python's signals are not for it."""
    thread = ctypes.c_void_p()
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        work, told = ctypes.c_void_p(CREW.works), ctypes.c_void_p(own)
        failed = _library().pthread_create(ctypes.byref(thread), None, work, told)
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
