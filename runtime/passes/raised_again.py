"""raised_again: where a handler raises again what it has caught, the operation does.

Of an operation that has been asked whether it fails there is no exception. Made once
more, with what it was given, it raises the one that was caught.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph import Graph, Node, Value
from runtime.passes.failures import Unknown
from runtime.structs import replace


def raised_again(
    nodes: Sequence[Node],
    results: Sequence[Value],
    caught: Value,
    failing: Node | None,
) -> list[Node]:
    """The nodes of a handler, with what has failed in the place of a `raise`.

    results: what it gives
    caught:  stands for the exception
    Unknown: the exception is wanted for something else
    """
    made: list[Node] = []
    if caught in results:
        raise Unknown
    for node in nodes:
        if caught not in node.inputs:
            made.append(node)
        elif failing is None:
            raise Unknown
        elif node.op.name == "reraise" and node.attributes["content"] is None:
            outputs = tuple(Value(value.spec) for value in failing.outputs)
            made.append(replace(failing, outputs=outputs))
        elif node.op.name == "if" and caught is not node.inputs[0]:
            made.append(_branches(node, caught, failing))
        else:
            raise Unknown
    return made


def _branches(node: Node, caught: Value, failing: Node) -> Node:
    """An `if` whose branches are given what the operation takes, and no exception."""
    graphs = tuple(_branch(graph, node, caught, failing) for graph in node.graphs)
    given = (value for value in node.inputs if value is not caught)
    return replace(node, inputs=(*given, *failing.inputs), graphs=graphs)


def _branch(graph: Graph, node: Node, caught: Value, failing: Node) -> Graph:
    own = tuple(Value(value.spec) for value in failing.inputs)
    pairs = [*zip(graph.inputs, node.inputs[1:], strict=True)]
    nodes: Sequence[Node] = graph.nodes
    here = replace(failing, inputs=own)
    for inside, outside in pairs:
        if outside is caught:
            nodes = raised_again(nodes, graph.outputs, inside, here)
    kept = (inside for inside, outside in pairs if outside is not caught)
    return replace(graph, inputs=(*kept, *own), nodes=tuple(nodes))
