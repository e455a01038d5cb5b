"""Early: where an array lies is asked before its memory has another content.

`v = x[1:]` after `x += 1` asks for the place of x as it was: x would be kept, and its
change made in a copy. The place is the same, so it is asked where x begins.
"""

from __future__ import annotations

from runtime.graph import Graph, Node
from runtime.passes.rewrite import with_graphs, with_nodes


def early(graph: Graph) -> Graph:
    """`graph` with these questions right after what they ask of, at every depth."""
    nodes = [with_graphs(node, list(map(early, node.graphs))) for node in graph.nodes]
    if not any(_asks(node) for node in nodes):
        return with_nodes(graph, nodes, {})
    made = {value for node in nodes for value in node.outputs}
    asked = [node for node in nodes if _asks(node)]
    moved = [node for node in asked if node.inputs[0] not in made]
    for node in nodes:
        if not _asks(node):
            moved.append(node)
            moved += [one for one in asked if one.inputs[0] in node.outputs]
    return with_nodes(graph, moved, {})


def _asks(node: Node) -> bool:
    return node.op.name == "own_place"
