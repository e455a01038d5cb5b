"""Early: where an array lies is asked before its memory has another content.

`v = x[1:]` after `x += 1` asks for the place of x as it was: x would be kept, and its
change made in a copy. The place is the same, so it is asked where x begins. So are the
sizes of an array, by which what is reshaped is put back.
"""

from __future__ import annotations

from runtime.graph import Graph, Node, Value
from runtime.passes.rewrite import with_graphs, with_nodes


def early(graph: Graph) -> Graph:
    """`graph` with these questions right after what they ask of, at every depth."""
    nodes = [with_graphs(node, list(map(early, node.graphs))) for node in graph.nodes]
    asked = [node for node in nodes if _asks(node)]
    if not asked:
        return with_nodes(graph, nodes, {})
    made = {value for node in nodes for value in node.outputs}
    moved = [node for node in asked if node.inputs[0] not in made]
    after: dict[Value, list[Node]] = {}
    for node in asked:
        after.setdefault(node.inputs[0], []).append(node)
    for node in nodes:
        if not _asks(node):
            moved.append(node)
            moved += [one for value in node.outputs for one in after.get(value, ())]
    return with_nodes(graph, moved, {})


def _asks(node: Node) -> bool:
    if node.op.name == "own_place":
        return True
    # Which axes there are may be for the run to say.
    is_known = node.op.name == "dim" and node.inputs[0].spec.shape is not None
    return is_known and not node.effects
