"""Collecting what a trace made, without a look at all that was there before.

Whether a tensor outlives its trace shows once the cycles of the trace are collected. A
full collection goes through every object of the process: a second where the program
has loaded much. What is there when a trace begins is set aside for as long as it lasts.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Python 3.12 sets some hundreds of its own aside when it starts; a program that has
# loaded NumPy and does so itself, tens of thousands.
_INTERPRETERS = 1_000

_lock = threading.Lock()
_traces = 0
_set_aside = False


@contextmanager
def of_trace() -> Iterator[None]:
    """A trace, whose objects alone `gc.collect` goes through.

    So it is in traces inside of it and in those of other threads that begin meanwhile.
    A user's own `gc.freeze` is left as it is, and a collection is then a full one.

    >>> import gc
    >>> with of_trace():
    ...     found = gc.collect()
    >>> gc.get_freeze_count()
    0
    """
    global _traces, _set_aside
    with _lock:
        _traces += 1
        if _traces == 1 and gc.get_freeze_count() < _INTERPRETERS:
            gc.freeze()
            _set_aside = True
    try:
        yield
    finally:
        with _lock:
            _traces -= 1
            if _traces == 0 and _set_aside:
                gc.unfreeze()
                _set_aside = False
