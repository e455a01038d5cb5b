"""gate: whether calls may go by machine code; not while anything is traced or watched.

Machine code looks at one field, and leaves the call to Python where it is shut.
"""

from __future__ import annotations

import os
import threading

# What shuts the gate for all threads, whatever their own do.
WATCHED = -1


class Gate:
    """reasons: why it is shut, so many; machine code compares it with the int 0."""

    __slots__ = ("reasons",)

    def __init__(self) -> None:
        self.reasons = 0


GATE = Gate()
# The threads that trace, each once for each trace, and WATCHED.
_reasons: list[int] = []
_lock = threading.Lock()


def shut(reason: int) -> None:
    """Shut it, for the thread of this number or WATCHED."""
    with _lock:
        _reasons.append(reason)
        GATE.reasons = len(_reasons)


def unshut(reason: int) -> None:
    """Take one such reason back."""
    with _lock:
        _reasons.remove(reason)
        GATE.reasons = len(_reasons)


def _forked() -> None:
    """In a child there are no other threads, which may have been tracing."""
    global _lock
    _lock = threading.Lock()
    own = threading.get_ident()
    _reasons[:] = [one for one in _reasons if one in (WATCHED, own)]
    GATE.reasons = len(_reasons)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
