"""depth: room on Python's stack, since what a text has in a row we have inside itself.

What follows an early return is a function that it calls, and so is each `elif` and each
operand of `and`; to convert, trace and compile them nests ten of our calls for each.
Python's limit stands for the user's own calls: `limit` is what it is without us.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

FACTOR = 10
_lock = threading.Lock()


class _Open:
    """The blocks that are open, in all threads, and the limit before the first."""

    count = 0
    before = 0


def limit() -> int:
    """Python's recursion limit, as the user has set it."""
    return _Open.before if _Open.count else sys.getrecursionlimit()


@contextmanager
def deeper() -> Iterator[None]:
    """Python's recursion limit is ten times higher in the block."""
    with _lock:
        if not _Open.count:
            _Open.before = sys.getrecursionlimit()
            sys.setrecursionlimit(_Open.before * FACTOR)
        _Open.count += 1
    try:
        yield
    finally:
        with _lock:
            _Open.count -= 1
            # The traced program may have set it itself.
            ours = sys.getrecursionlimit() == _Open.before * FACTOR
            if not _Open.count and ours:
                sys.setrecursionlimit(_Open.before)
