"""Independent parts: what of a graph could run at the same time.

A part is a run of nodes that can only come one after the other. It waits for the parts
whose values it reads, and for those whose effects stand before its own; parts that do
not wait for one another are independent.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.effects import Effects
from runtime.graph import Graph, Node, Value
from runtime.structs import struct


@struct(eq=False)
class Part:
    """A part of a graph, a graph itself.

    number: its place in an order in which the parts can run, from 1
    graph:  its inputs are inputs of the whole or outputs of earlier parts, the same
            values; its outputs are what later parts and the whole's outputs need
    after:  the numbers of the parts that have to run before it
    """

    number: int
    graph: Graph
    after: tuple[int, ...]


def independent_parts(graph: Graph) -> tuple[Part, ...]:
    """The parts of a graph, its sub-graphs left whole; constants stand where used.

    >>> from runtime.text import parse
    >>> found = independent_parts(
    ...     parse('''graph f(x: float64[], y: float64[]) {
    ...   a: float64[] = sin(x)  b: float64[] = exp(a)  c: float64[] = cos(y)
    ...   d: float64[] = add(b, c)  return d }''')
    ... )
    >>> [(part.number, len(part.graph.nodes), part.after) for part in found]
    [(1, 2, ()), (2, 1, ()), (3, 1, (1, 2))]
    """
    constants = {v: n for n in graph.nodes if _is_constant(n) for v in n.outputs}
    nodes = [node for node in graph.nodes if not _is_constant(node)]
    before = _reduced(_needs(nodes))
    runs, homes = _runs(before)
    # A constant that is an output and that nothing reads is a part, too.
    read = {value for node in nodes for value in node.inputs}
    lone = [v for v in dict.fromkeys(graph.outputs) if v in constants and v not in read]
    groups = [_with_constants([nodes[i] for i in run], constants) for run in runs]
    groups += [[constants[value]] for value in lone]
    after: list[set[int]] = [{homes[b] for b in before[run[0]]} for run in runs]
    after += [set() for _ in lone]
    graphs = _closed(graph, groups)
    return tuple(
        Part(number, one, tuple(home + 1 for home in sorted(after[number - 1])))
        for number, one in enumerate(graphs, 1)
    )


def _is_constant(node: Node) -> bool:
    return node.op.name == "constant"


def _needs(nodes: list[Node]) -> list[set[int]]:
    """For each node the earlier ones whose values or effects it comes after."""
    made: dict[Value, int] = {}
    order = Order()
    found = []
    for at, node in enumerate(nodes):
        needs = {made[value] for value in node.inputs if value in made}
        needs.update(order.after(at, node.effects))
        found.append(needs)
        made |= dict.fromkeys(node.outputs, at)
    return found


def _reduced(needs: list[set[int]]) -> list[set[int]]:
    """The same without what another one needs already."""
    # As bits of an int: sets of thousands of thousands would not fit.
    behind: list[int] = []
    found = []
    for direct in needs:
        indirect = 0
        for at in direct:
            indirect |= behind[at]
        found.append({at for at in direct if not indirect >> at & 1})
        behind.append(indirect | sum(1 << at for at in direct))
    return found


def _runs(before: list[set[int]]) -> tuple[list[list[int]], list[int]]:
    """Nodes that can only follow one another, together; and the run of each node."""
    followers = [0] * len(before)
    for needs in before:
        for at in needs:
            followers[at] += 1
    runs: list[list[int]] = []
    homes: list[int] = []
    for node, needs in enumerate(before):
        (only,) = needs if len(needs) == 1 else (None,)
        if only is not None and followers[only] == 1:
            homes.append(homes[only])
        else:
            homes.append(len(runs))
            runs.append([])
        runs[homes[node]].append(node)
    return runs, homes


def _with_constants(run: list[Node], constants: dict[Value, Node]) -> list[Node]:
    """A run's nodes, before them the constants that they read."""
    read = dict.fromkeys(value for node in run for value in node.inputs)
    return [*(constants[value] for value in read if value in constants), *run]


def _closed(graph: Graph, groups: list[list[Node]]) -> list[Graph]:
    """A graph for each group of nodes, of what it reads and what others need."""
    users: dict[Value, set[int]] = {value: {-1} for value in graph.outputs}
    for number, group in enumerate(groups):
        for node in group:
            for value in node.inputs:
                users.setdefault(value, set()).add(number)
    found = []
    for number, group in enumerate(groups):
        made = dict.fromkeys(value for node in group for value in node.outputs)
        read = dict.fromkeys(value for node in group for value in node.inputs)
        given = (v for v in made if users.get(v, set()) - {number})
        own = {value for node in group if _is_constant(node) for value in node.outputs}
        found.append(
            Graph(
                f"{graph.name}_{number + 1}",
                tuple(value for value in read if value not in made),
                tuple(group),
                # A constant that several parts read is in each of them.
                tuple(v for v in given if v not in own or v in graph.outputs),
            )
        )
    return found


class Order:
    """What read and wrote last what later nodes may read or write, by their places."""

    def __init__(self) -> None:
        self._wrote: dict[int, int] = {}
        self._read: dict[int, list[int]] = {}

    def after(self, at: int, effects: Effects) -> Iterable[int]:
        """The places that the one at `at`, with these effects, has to wait for."""
        found: dict[int, None] = {}
        for what, kind in sorted(((id(e.what), e.kind) for e in effects), reverse=True):
            before = [self._wrote[what]] if what in self._wrote else []
            if kind == "write":
                before = self._read.pop(what, []) or before
                self._wrote[what] = at
            else:
                self._read.setdefault(what, []).append(at)
            found.update(dict.fromkeys(place for place in before if place != at))
        return list(found)
