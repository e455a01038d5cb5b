"""Recording: what took how long, in all threads, as a table and as a Chrome trace."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Iterator
from threading import get_ident
from typing import TYPE_CHECKING, Any

from runtime import spans
from runtime.backends.numpy.executor import compile_watched
from runtime.backends.numpy.timed import Clocks
from runtime.graph import Node
from runtime.location import Location
from runtime.spans import Span
from runtime.structs import struct
from runtime.view.html import duration

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

MOST = 30  # lines that the text has
CALLS = ("host_call", "python_call")  # of functions, whose names say more


@struct
class Row:
    """All spans of one kind and name at one line.

    own:   the seconds that no span inside took
    total: the seconds with what is inside; of a recursion each level's
    times: how many
    """

    kind: str
    name: str
    place: Location | None
    own: float
    total: float
    times: int


class Recording:
    """What decorated functions do while it records, and how long that takes.

    events: (span, start, end, thread), in the order of their ends; no more than `most`
    left_out: the spans that came after those; `rows` has them, too
    """

    def __init__(self, steps: bool = True, most: int = 200_000) -> None:
        self.steps = steps
        self.most = most
        self.events: list[tuple[Span, float, float, int]] = []
        self._sums: dict[tuple[Span, int], list[float]] = {}
        self._names: dict[int, str] = {}

    def add(self, span: Span, start: float, end: float, own: float) -> None:
        """A span has ended, in this thread."""
        thread = get_ident()
        # A row for each thread: no other writes it.
        sums = self._sums.get((span, thread))
        if sums is None:
            sums = self._sums[span, thread] = [0.0, 0.0, 0]
            self._names[thread] = threading.current_thread().name
        sums[0] += own
        sums[1] += end - start
        sums[2] += 1
        if len(self.events) < self.most:
            self.events.append((span, start, end, thread))

    @property
    def left_out(self) -> int:
        """The spans that are in no event."""
        return sum(int(sums[2]) for sums in self._sums.values()) - len(self.events)

    @property
    def rows(self) -> list[Row]:
        """What took how long, the dearest first."""
        found: dict[tuple[str, str, Location | None], list[float]] = {}
        for (span, _), sums in list(self._sums.items()):
            row = found.setdefault((span.kind, span.name, span.place), [0.0, 0.0, 0])
            for at, number in enumerate(sums):
                row[at] += number
        rows = [
            Row(*what, own, total, int(times))
            for what, (own, total, times) in found.items()
        ]
        return sorted(rows, key=lambda row: -row.own)

    def chrome_trace(self) -> dict[str, Any]:
        """The events in the format of chrome://tracing and Perfetto, as JSON has it."""
        names = self._names
        events = [*map(_named, names, names.values()), *map(_event, self.events)]
        about = {"left out": self.left_out} if self.left_out else {}
        return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": about}

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the Chrome trace. OSError: the file cannot be written."""
        with open(file, "w", encoding="utf-8") as opened:
            json.dump(self.chrome_trace(), opened)

    def __repr__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        rows = self.rows
        seconds = sum(row.own for row in rows)
        calls = sum(row.times for row in rows if row.kind == "call")
        threads = len(self._names)
        counted = [
            f"{calls:,} call" + "s" * (calls != 1),
            f"{threads} thread" + "s" * (threads != 1),
        ]
        yield f"profile: {duration(seconds)}, {', '.join(counted)}"
        if rows:
            yield f"{'own':>10}{'total':>10}{'times':>10}"
        for row in rows[:MOST]:
            place = row.place
            where = f"  line {place.line}: {place.source}" if place else ""
            times = f"{duration(row.own):>10}{duration(row.total):>10}{row.times:>10,}"
            yield f"{times}  {row.kind:<12} {row.name:<12}{where}".rstrip()
        if len(rows) > MOST:
            yield f"  and {len(rows) - MOST} lines more"


def _event(event: tuple[Span, float, float, int]) -> dict[str, Any]:
    span, start, end, thread = event
    place = span.place
    told = {"name": span.name, "cat": span.kind, "ph": "X", "pid": os.getpid()}
    told |= {"tid": thread, "ts": start * 1e6, "dur": (end - start) * 1e6}
    if place is not None:
        source = {"source": place.source, "function": place.function}
        told["args"] = {"file": place.filename, "line": place.line, **source}
    return told


def _named(thread: int, name: str) -> dict[str, Any]:
    return {
        **{"name": "thread_name", "ph": "M", "pid": os.getpid(), "tid": thread},
        "args": {"name": name},
    }


# The steps of a graph: it is run by a twin with readings of the clock.

_twins: weakref.WeakKeyDictionary[ConcreteFunction, ConcreteFunction]
_twins = weakref.WeakKeyDictionary()
_made: weakref.WeakSet[ConcreteFunction] = weakref.WeakSet()


def watched(concrete: ConcreteFunction) -> ConcreteFunction:
    """The trace, or the twin whose steps are spans, where somebody records these."""
    recorded = any(getattr(one, "steps", False) for one in spans.RECORDERS)
    if not recorded or concrete in _made:
        return concrete
    twin = _twins.get(concrete)
    if twin is None:
        clocks = Clocks(
            lambda number, start: spans.end(told[number], start), spans.begin
        )
        run = compile_watched(
            concrete.compiled,
            concrete.graph,
            concrete.donated,
            concrete.ends,
            concrete.late,
            clocks,
        )
        native = clocks.native
        told = [_span(node, at in native) for at, node in enumerate(clocks.nodes)]
        twin = _twins[concrete] = concrete.twin(run)
        _made.add(twin)
    return twin


def _span(node: Node, native: bool) -> Span:
    name, kind = node.op.name, "op"
    if native:
        name, kind = "loop" if name == "while" else "steps", "machine code"
    elif node.graphs:
        kind = "control"
    elif name in CALLS:
        function = node.attributes["function"]
        name, kind = getattr(function, "__name__", str(function)), "host"
    return spans.interned(kind, name, node.location)
