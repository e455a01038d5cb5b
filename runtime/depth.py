"""depth: room on Python's stack, since what a text has in a row we have inside itself.

What follows an early return is a function that it calls, and so is each `elif` and each
operand of `and`; to convert, trace and compile them nests ten of our calls for each.
Python's limit stands for the user's own calls: `limit` is what it is without us. A call
that is made as Python has calls of ours around it, for which there is room as well.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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


# What Python counts of ours around a call as Python: eleven, more for the first one.
OURS = 14
# Room is made for so many calls at once, as it costs a third of a microsecond.
_EACH = 16
# Python's own limit, as it is usually. Each level takes 1.9 KiB of C's stack.
_MOST = 1000


class _Python:
    """How many calls are made as Python, one in the other, by all threads."""

    calls = 0


def as_python(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`function(*args, **kwargs)`, with room for the calls of ours around it."""
    _Python.calls += 1
    try:
        if _Python.calls % _EACH or _Python.calls > _MOST:
            return function(*args, **kwargs)
        with room(_EACH * OURS):
            return function(*args, **kwargs)
    finally:
        _Python.calls -= 1


@contextmanager
def room(more: int) -> Iterator[None]:
    """Python's recursion limit is `more` higher in the block.

    >>> before = sys.getrecursionlimit()
    >>> with room(5):
    ...     sys.getrecursionlimit() - before
    5
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + more)
    try:
        yield
    finally:
        # The program may have set it itself.
        if sys.getrecursionlimit() == before + more:
            sys.setrecursionlimit(before)
