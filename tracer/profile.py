"""Profile: one call of a trace with the time that each node took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime.backends.numpy.timed import Timed
from runtime.graph import Graph, Node
from runtime.view.html import duration, to_html

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

MOST = 20  # lines that the text has


class Profile:
    """What a call gave, and for each node of the graph how long it took and how often.

    result:  what the function returned
    timings: node -> seconds in all, and runs; loops and branches with what is in them
    Shown as a text, the dearest lines first; `to_html()` is the graph with its times.
    """

    def __init__(
        self, graph: Graph, result: Any, timings: Mapping[Node, tuple[float, int]]
    ) -> None:
        self.graph = graph
        self.result = result
        self.timings = timings

    def to_html(self) -> str:
        """The page of the graph, with the times on its boxes."""
        return to_html(self.graph, self.timings)

    def __repr__(self) -> str:
        rows = sorted(self.timings.items(), key=lambda row: -row[1][0])[:MOST]
        count = len(self.timings)
        nodes = "1 node" if count == 1 else f"{count} nodes"
        lines = [f"{self.graph.name}: {nodes} timed"]
        for node, (seconds, runs) in rows:
            place = node.location
            where = f"line {place.line}: {place.source}" if place else ""
            time = f"{duration(seconds):>8} {runs:>7}x"
            lines.append(f"  {time}  {node.op.name:<12} {where}".rstrip())
        return "\n".join(lines)


def profile(
    concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Profile:
    """Call the trace, measuring; it does all that a call does."""
    ends, late = concrete.ends, concrete.late
    timed = Timed(concrete.graph, concrete.donated, ends, late=late)
    result = concrete.twin(timed)(*args, **kwargs)
    return Profile(concrete.graph, result, timed.timings())
