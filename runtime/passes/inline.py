"""Inline: the nodes of a called function's graph, in the place of its `called` node.

All other passes, and what runs graphs, are for graphs without such nodes: what a call
shares with what is around it (common subexpressions, memory, loops over arrays) is
found in one graph.
"""

from __future__ import annotations

from runtime.graph import Graph, Node
from runtime.passes.rewrite import Names, renamed, with_graphs, with_inputs
from runtime.structs import replace

CALLED = "called"


def inline(graph: Graph) -> Graph:
    """`graph` without a node that holds the graph of a called function."""
    if not any(node.op.name == CALLED for node in graph.walk()):
        return graph
    nodes: list[Node] = []
    names: Names = {}
    for node in graph.nodes:
        here = with_inputs(node, names)
        here = with_graphs(here, [inline(held) for held in here.graphs])
        if here.op.name != CALLED:
            nodes.append(here)
            continue
        (body,) = here.graphs
        inside = dict(zip(body.inputs, here.inputs, strict=True))
        nodes += [with_inputs(inner, inside) for inner in body.nodes]
        results = renamed(body.outputs, inside)
        names.update(zip(here.outputs, results, strict=True))
    return replace(graph, nodes=tuple(nodes), outputs=renamed(graph.outputs, names))
