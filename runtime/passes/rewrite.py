"""Small steps that passes share: giving nodes other inputs, and graphs other nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.graph import Graph, Node, Value
from runtime.spec import TensorSpec
from runtime.structs import replace

# What stands for a value from now on; values without an entry stand for themselves.
Names = dict[Value, Value]


def renamed(values: Sequence[Value], names: Mapping[Value, Value]) -> tuple[Value, ...]:
    """`values` with what stands for each."""
    if not names:
        return tuple(values)
    return tuple(names.get(value, value) for value in values)


def with_inputs(node: Node, names: Mapping[Value, Value]) -> Node:
    """`node` reading what stands for its inputs; itself when nothing does."""
    if not names:
        return node
    inputs = renamed(node.inputs, names)
    return node if inputs == node.inputs else replace(node, inputs=inputs)


def with_graphs(node: Node, graphs: Sequence[Graph]) -> Node:
    """`node` holding other sub-graphs; itself when they are the same."""
    if not (graphs or node.graphs):
        return node
    same = all(a is b for a, b in zip(graphs, node.graphs, strict=True))
    return node if same else replace(node, graphs=tuple(graphs))


def with_nodes(
    graph: Graph, nodes: Sequence[Node], names: Mapping[Value, Value]
) -> Graph:
    """`graph` with other nodes, and what stands for its outputs."""
    outputs = renamed(graph.outputs, names)
    kept = len(nodes) == len(graph.nodes) and outputs == graph.outputs
    if kept and all(a is b for a, b in zip(nodes, graph.nodes, strict=True)):
        return graph
    return replace(graph, nodes=tuple(nodes), outputs=outputs)


def choose(values: Sequence[Value], positions: Sequence[int]) -> tuple[Value, ...]:
    """The values at `positions`."""
    return tuple(values[position] for position in positions)


def may_be_array(spec: TensorSpec) -> bool:
    """True when a value may have memory that others can share."""
    return not spec.weak and spec.shape != ()
