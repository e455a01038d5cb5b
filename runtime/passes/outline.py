"""Outline: a node for each call of a function of the user's, which holds its graph.

A trace makes a called function's nodes part of its own graph, and each node tells the
calls that it was met in. Here the nodes of one call, which stand one after the other,
become one `called` node again, at every depth: to be read, shown and told apart. What
runs is the graph without them (`inline`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.graph import Graph, Node, Value
from runtime.location import Call
from runtime.ops.control import called
from runtime.passes.rewrite import Names, renamed, with_graphs, with_inputs
from runtime.structs import replace


def outline(graph: Graph) -> Graph:
    """`graph` with a node for each call; `inline` takes them back.

    A call that is left and entered again, as a generator's, is several nodes.
    """
    return _outline(graph, 0)


def _outline(graph: Graph, depth: int) -> Graph:
    """depth: how many of the open calls are around the graph."""
    nodes: list[Node] = []
    runs = list(_runs(graph.nodes, depth))
    names: Names = {}
    for number, (call, run) in enumerate(runs):
        inner = [with_inputs(node, names) for node in run]
        if call is None:
            nodes += [_deeper(node, depth) for node in inner]
            continue
        later = [node for _, others in runs[number + 1 :] for node in others]
        wanted = {value for node in later for value in node.inputs}
        wanted.update(graph.outputs)
        made, inside = _node(call, inner, wanted, depth)
        nodes.append(made)
        names.update(inside)
    return replace(graph, nodes=tuple(nodes), outputs=renamed(graph.outputs, names))


def _deeper(node: Node, depth: int) -> Node:
    """The node, with what it holds outlined."""
    open_calls = len(node.location.calls) if node.location else depth
    return with_graphs(node, [_outline(held, open_calls) for held in node.graphs])


def _runs(
    nodes: Sequence[Node], depth: int
) -> Iterator[tuple[Call | None, list[Node]]]:
    """The nodes in their order, those of one call together; None: of no call."""
    call: Call | None = None
    run: list[Node] = []
    # What may be of this call or of the next one: nobody says where it is made.
    pending: list[Node] = []
    for node in nodes:
        if node.op.name == "constant" or node.location is None:
            pending.append(node)
            continue
        open_calls = node.location.calls
        found = open_calls[depth] if len(open_calls) > depth else None
        if found is call:
            run += [*pending, node]
        else:
            yield call, run
            if pending:
                yield None, pending
            call, run = found, [node]
        pending = []
    yield call, run
    yield None, pending


def _node(
    call: Call, run: Sequence[Node], wanted: set[Value], depth: int
) -> tuple[Node, Names]:
    """The node of a call, and what stands for the values that others want of it."""
    made = dict.fromkeys(value for node in run for value in node.outputs)
    read = dict.fromkeys(value for node in run for value in node.inputs)
    captures = [value for value in read if value not in made]
    results = [value for value in made if value in wanted]
    inputs = {value: _like(value) for value in captures}
    body = Graph(
        call.function,
        tuple(inputs.values()),
        tuple(with_inputs(node, inputs) for node in run),
        tuple(results),
    )
    outputs = {value: _like(value) for value in results}
    attributes = {"function": call.function}
    node = Node(
        called,
        tuple(captures),
        attributes,
        tuple(outputs.values()),
        (_outline(body, depth + 1),),
        call.location,
    )
    return node, outputs


def _like(value: Value) -> Value:
    made = Value(value.spec)
    made.name = value.name
    return made
