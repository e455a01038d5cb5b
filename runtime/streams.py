"""streams: what one thread writes to sys.stdout is held back, for a block.

There is one sys.stdout for all threads. What stands in its place for a block lets the
others write, and is never freed: Python's print() holds no reference to sys.stdout,
so that one which another thread has put back meanwhile must not be gone.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class Held:
    """is_written: whether the block's thread has written to the stream."""

    is_written = False


class _Here(threading.local):
    """held: of each stream the blocks that this thread is in, outermost first."""

    def __init__(self) -> None:
        self.held: dict[str, list[Held]] = {"stdout": [], "stderr": []}


_here = _Here()


class _Switch:
    """Stands for a stream of `sys` while threads are in blocks."""

    def __init__(self, name: str, stream: Any) -> None:
        self._name, self._stream, self._blocks = name, stream, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> Any:
        if held := _here.held[self._name]:
            held[-1].is_written = True
            return len(text)
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


_lock = threading.Lock()
_free: dict[str, list[_Switch]] = {"stdout": [], "stderr": []}
# All of them, for good.
_made: list[_Switch] = []


@contextmanager
def held(name: str) -> Iterator[Held]:
    """In the block what this thread writes to `sys.stdout`, or "stderr", is lost.

    >>> with held("stdout") as found:
    ...     print("unheard")
    >>> found.is_written
    True
    """
    switch, found = _enter(name), Held()
    _here.held[name].append(found)
    try:
        yield found
    finally:
        _here.held[name].pop()
        if switch is not None:
            _leave(switch)


def _enter(name: str) -> _Switch | None:
    with _lock:
        stream = getattr(sys, name)
        if stream is None:
            return None
        if not isinstance(stream, _Switch) or stream._name != name:
            stream = _put(name, stream)
        stream._blocks += 1
        return stream


def _put(name: str, stream: Any) -> _Switch:
    if _free[name]:
        switch = _free[name].pop()
        switch._stream = stream
    else:
        switch = _Switch(name, stream)
        _made.append(switch)
    setattr(sys, name, switch)
    return switch


def _leave(switch: _Switch) -> None:
    with _lock:
        switch._blocks -= 1
        # Where the program has put a stream over it meanwhile, it stays below that.
        if switch._blocks == 0 and getattr(sys, switch._name) is switch:
            setattr(sys, switch._name, switch._stream)
            _free[switch._name].append(switch)


def _forked() -> None:
    """In a child another thread, which may have held the lock, is not there."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
