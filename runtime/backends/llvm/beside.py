"""beside: work in a thread of its own, while the program goes on.

There is one thread, which ends when nothing is left to do. A fork, and the end of the
program, wait for it: LLVM must not be half-way through something then. What can be
interrupted asks by `go_on`, and is begun anew after the fork.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar

T = TypeVar("T")
# Seconds that Python runs one thread before it looks at others, while there is work:
# each call of LLVM's lets go of Python, and would wait for 5 ms to have it again.
SWITCH = 2e-4


class Abandoned(Exception):
    """The work was to stop half-way."""


class Task(Generic[T]):
    """Work that gives something.

    is_done: whether it has ended, well or not
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self.is_done = False
        self._context = copy_context()
        self._work: Callable[[], T] | None = work
        self._found: T | None = None
        self._error: Exception | None = None

    def run(self) -> None:
        """Do the work. Abandoned: it is to be done another time."""
        assert self._work is not None
        try:
            self._found = self._context.run(self._work)
        except Abandoned:
            raise
        except Exception as error:
            self._error = error
        self._work = None
        self.is_done = True

    def result(self) -> T:
        """What it has given, or the exception that it has raised."""
        if self._error is not None:
            raise self._error
        return self._found  # type: ignore[return-value] # it is done


_tasks: deque[Task[object]] = deque()
_thread: threading.Thread | None = None
_last: threading.Thread | None = None  # which may not have ended yet
_pauses = 0
# LLVM is asked by one thread at a time, and by none in a fork.
LLVM = threading.RLock()
# A signal may come while it is held, and its handler may have work, too.
_lock = threading.RLock()


def begin(task: Task[T]) -> None:
    """Have the work done beside the program."""
    with _lock:
        _tasks.append(task)  # type: ignore[arg-type] # what it gives is not looked at
        _start()


def is_busy() -> bool:
    """Whether something is being done."""
    return _thread is not None


def go_on() -> None:
    """Asked by the work itself, half-way. Abandoned: it is waited for."""
    if _pauses and threading.current_thread() is _thread:
        raise Abandoned


def wait() -> None:
    """Come back when nothing is left to do."""
    while (thread := _thread) is not None:
        thread.join()


def _start() -> None:
    global _thread, _last
    if _thread is not None or _pauses or not _tasks:
        return
    _last = _thread = threading.Thread(
        target=_run, name="autograph-compile", daemon=True
    )
    try:
        _thread.start()
    except RuntimeError:
        # No more threads are to be had: it is done here, or else another time.
        _thread = None
        _tasks.popleft().run()


def _run() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, SWITCH))
    changed = sys.getswitchinterval()
    try:
        _work()
    finally:
        if sys.getswitchinterval() == changed:  # nobody has set it meanwhile
            sys.setswitchinterval(usual)


def _work() -> None:
    global _thread
    while True:
        with _lock:
            if _pauses or not _tasks:
                _thread = None
                return
            task = _tasks.popleft()
        try:
            task.run()
        except Abandoned:
            with _lock:
                _tasks.appendleft(task)
        del task


def _pause() -> None:
    """Wait until the thread has ended; there is none from now on."""
    global _pauses
    with _lock:
        _pauses += 1
        thread = _last
    if thread is not None and thread is not threading.current_thread():
        thread.join()


def _before_fork() -> None:
    _pause()
    LLVM.acquire()
    _lock.acquire()


def _after_fork() -> None:
    _goes_on(_pauses - 1)


def _in_child() -> None:
    # Other threads, which may have been about to fork, too, are not there.
    _goes_on(0)


def _goes_on(pauses: int) -> None:
    global _pauses
    _pauses = pauses
    _start()
    _lock.release()
    LLVM.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_in_child
    )
atexit.register(_pause)
