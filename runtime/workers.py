"""workers: how many threads machine code may run on, where it looks: in one word."""

from __future__ import annotations

import ctypes
import os


def available() -> int:
    """The processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# More do not help to move memory, which most such loops do.
MOST = 16
# Machine code reads it: the calling thread is one of them.
LIMIT = ctypes.c_int64(min(available(), MOST))


def limit(threads: int) -> None:
    """Let machine code run on so many threads, and no more than MOST."""
    LIMIT.value = min(threads, MOST)
