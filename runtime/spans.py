"""spans: what takes time, told to those who record it; as a rule nobody does.

A span is a call, a trace, a conversion, a compilation, a run of a graph or one of its
steps. It begins and ends in one thread, and those that begin in between end before it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Protocol

from runtime.location import Location
from runtime.structs import struct


@struct(eq=False)
class Span:
    """What takes time.

    kind:  "call", "trace", "convert", "optimize", "compile", "run", "python", or of a
           step "op", "control", "host", "machine code"
    place: the user's line, where there is one
    """

    kind: str
    name: str
    place: Location | None


class Recorder(Protocol):
    """Is told of each span that ends, in the thread that it was in."""

    def add(self, span: Span, start: float, end: float, own: float) -> None:
        """A span has ended. own: the seconds that no span inside it took."""


RECORDERS: list[Recorder] = []


class _Open(threading.local):
    """The spans that are open in a thread: when each began, and the time inside."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, list[float]]] = []


_open = _Open()
interned = functools.lru_cache(maxsize=None)(Span)


def begin() -> float:
    """A span begins: its start, which `end` is to be given."""
    start = perf_counter()
    _open.frames.append((start, [0.0]))
    return start


def end(span: Span, start: float) -> None:
    """The span that has begun at `start` has ended; those that failed in it, too."""
    now = perf_counter()
    frames, inside = _open.frames, 0.0
    while frames:
        began, (inside,) = frames.pop()
        if began == start:
            break
    if frames:
        frames[-1][1][0] += now - start
    for recorder in tuple(RECORDERS):
        recorder.add(span, start, now, now - start - inside)


def ended(kind: str, name: str, place: Location | None, start: float) -> None:
    """A span without others in it, begun at `start` by the clock, has ended."""
    if RECORDERS:
        _open.frames.append((start, [0.0]))
        end(interned(kind, name, place), start)


@contextmanager
def spanned(kind: str, name: str, place: Location | None = None) -> Iterator[None]:
    """The block is a span, also where it raises."""
    if not RECORDERS:
        yield
        return
    start = begin()
    try:
        yield
    finally:
        end(interned(kind, name, place), start)
