"""Cost: what a call computes and moves, counted by the graph while it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from runtime.backends.numpy.counted import Counted, Spent
from runtime.graph import Graph, Node
from runtime.location import Location
from runtime.structs import struct

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

MOST = 40  # lines that the text has
WIDTH = 50  # of the source shown of a line


@struct
class LineCost:
    """What the nodes of one line of the user's have cost, all their runs together.

    place: the line; None for what no line has made
    runs:  of the operation that ran most often; an unrolled loop's turns are runs
    """

    place: Location | None
    runs: int
    flops: float
    functions: float
    read: int
    written: int

    @property
    def is_free(self) -> bool:
        """Whether nothing was counted."""
        return not (self.flops or self.functions or self.read or self.written)


class Cost:
    """What one call has cost, by the graph; shown as a table by the user's lines.

    flops:     additions, multiplications, divisions, roots, comparisons of floats
    functions: values of exp, log, sin, powers and the like
    read, written: bytes of arrays, each operation by itself
    memory:    bytes, at their peak, of the arrays that the call has made
    result:    what the function returned
    nodes:     node -> its runs, flops, functions, read and written
    uncounted: host calls, by name, and how often: what they compute is not known
    """

    def __init__(self, graph: Graph, result: Any, counted: Counted) -> None:
        self.graph = graph
        self.result = result
        self.nodes: Mapping[Node, Spent] = counted.spent()
        self.flops = _whole(sum(one.flops for one in self.nodes.values()))
        self.functions = _whole(sum(one.functions for one in self.nodes.values()))
        self.read = sum(one.read for one in self.nodes.values())
        self.written = sum(one.written for one in self.nodes.values())
        self.memory = counted.memory
        at = counted.memory_at
        self.memory_at = at.location if at is not None else None
        self.uncounted: Counter[str] = Counter()
        for node, spent in self.nodes.items():
            if not spent.known:
                function = node.attributes["function"]
                self.uncounted[getattr(function, "__name__", str(function))] += (
                    spent.runs
                )

    @property
    def lines(self) -> list[LineCost]:
        """What each line has cost, in the order of the source."""
        found: dict[tuple[str, int], list[tuple[Node, Spent]]] = {}
        for node, spent in self.nodes.items():
            place = node.location
            key = (place.filename, place.line) if place else ("", 0)
            found.setdefault(key, []).append((node, spent))
        return [_line(found[key]) for key in sorted(found)]

    def __repr__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        moved = f"{in_bytes(self.read)} read, {in_bytes(self.written)} written"
        peak = f"{in_bytes(self.memory)} of arrays at the peak"
        where = f", line {self.memory_at.line}" if self.memory_at else ""
        counts = f"{in_short(self.flops)} flops, {in_short(self.functions)} functions"
        yield f"{self.graph.name}: {counts}; {moved}; {peak}{where}"
        lines = [line for line in self.lines if not line.is_free]
        if lines:
            heads = ("flops", "functions", "read", "written", "runs")
            yield "".join(f"{head:>10}" for head in heads)
        for line in lines[:MOST]:
            cells = (
                in_short(line.flops),
                in_short(line.functions),
                in_bytes(line.read),
                in_bytes(line.written),
                f"{line.runs:,}",
            )
            place = line.place
            words = f"  line {place.line}: {_cut(place.source)}" if place else ""
            yield "".join(f"{cell:>10}" for cell in cells) + words
        if len(lines) > MOST:
            yield f"  and {len(lines) - MOST} lines more"
        if self.uncounted:
            names = ", ".join(f"{name} {n}x" for name, n in self.uncounted.items())
            yield f"  not counted: what is computed in {names}"


def cost(
    concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Cost:
    """Call the trace, counting; it does all that a call does."""
    counted = Counted(
        concrete.graph, concrete.donated, concrete.ends, late=concrete.late
    )
    result = concrete.twin(counted)(*args, **kwargs)
    return Cost(concrete.graph, result, counted)


def _line(nodes: list[tuple[Node, Spent]]) -> LineCost:
    spent = [one for _, one in nodes]
    runs: Counter[tuple[str, int]] = Counter()
    for node, one in nodes:
        at = node.location.instruction if node.location else -1
        runs[node.op.name, at] += one.runs
    return LineCost(
        nodes[0][0].location,
        max(runs.values()),
        _whole(sum(one.flops for one in spent)),
        _whole(sum(one.functions for one in spent)),
        sum(one.read for one in spent),
        sum(one.written for one in spent),
    )


def _cut(source: str) -> str:
    return source if len(source) <= WIDTH else f"{source[: WIDTH - 3]}..."


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


def in_short(number: float) -> str:
    """A count as a person says it.

    >>> in_short(0), in_short(1500), in_short(2_345_678), in_short(3e11)
    ('0', '1,500', '2.35 M', '300 G')
    """
    for unit, one in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if number >= one:
            return f"{number / one:.3g} {unit}"
    return f"{number:,.0f}"


def in_bytes(number: int) -> str:
    """Bytes as a person says them.

    >>> in_bytes(0), in_bytes(800), in_bytes(8_000_000)
    ('0 B', '800 B', '8 MB')
    """
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= one:
            return f"{number / one:.3g} {unit}"
    return f"{number} B"
