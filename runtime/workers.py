"""workers: how many threads machine code may run on, where it looks: in one word."""

from __future__ import annotations

import ctypes
import os


def available() -> int:
    """The processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Machine code reads it: the calling thread is one of them.
LIMIT = ctypes.c_int64(available())
