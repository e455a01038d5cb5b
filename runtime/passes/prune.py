"""Prune: drop what nobody can observe. A pure node may fail; unused, it never runs.

First every value that is needed is marked, from the outputs and the writes backwards,
through all depths at once: a result of an `if` needs that result of both branches, a
loop's result needs its first value, its next value and the test. Then the graph is
built again from what is marked. A loop variable that only itself needs is never marked,
and neither is what only it needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from runtime.effects import writes
from runtime.graph import Graph, Node, Value
from runtime.passes.rewrite import choose
from runtime.structs import replace, struct


def prune(graph: Graph) -> Graph:
    """`graph` without what is not needed: nodes, results, loop variables, captures.

    The inputs and outputs of the graph itself stay as they are.
    """
    marks = _Marks(graph)
    for value in graph.outputs:
        marks.need(value)
    marks.spread()
    return _sweep(graph, marks)


class _Marks:
    """What is needed so far; `spread` follows it to the end."""

    def __init__(self, graph: Graph) -> None:
        self.values: set[Value] = set()
        self.nodes: set[Node] = set()
        self._waiting: list[Value] = []
        # Where a value comes from: (node, output position) or, for the input of a
        # sub-graph, (node that holds it, input position).
        self._made: dict[Value, tuple[Node, int]] = {}
        self._brought: dict[Value, tuple[Node, int]] = {}
        # Each recursion by its name, and its calls.
        self.recursions: dict[str, Node] = {}
        self.calls: defaultdict[str, list[Node]] = defaultdict(list)
        # Each try statement by its guard, and its checkpoints.
        self.tries: dict[object, Node] = {}
        self.checkpoints: defaultdict[object, list[Node]] = defaultdict(list)
        self._index(graph)
        self.need_writes(graph)

    def _index(self, graph: Graph) -> None:
        for node in graph.nodes:
            if node.op.name == "checkpoint":
                self.checkpoints[node.attributes["guard"]].append(node)
            elif node.op.name == "try":
                self.tries[node.attributes["guard"]] = node
            elif node.op.name == "recursion":
                self.recursions[node.attributes["function"]] = node
            elif node.op.name == "call":
                self.calls[node.attributes["function"]].append(node)
            for position, value in enumerate(node.outputs):
                self._made[value] = node, position
            for held in node.graphs:
                # A branch takes all inputs but the predicate: count from the end.
                first = len(node.inputs) - len(held.inputs)
                for position, value in enumerate(held.inputs):
                    self._brought[value] = node, first + position
                self._index(held)

    def need_writes(self, graph: Graph) -> None:
        """What `graph` does besides giving its outputs is needed, if it is run."""
        for node in graph.nodes:
            if writes(node.effects):
                self.need_node(node)
            # What fails in a try statement counts only if that is needed itself.
            for held in () if node.op.name == "try" else node.graphs:
                self.need_writes(held)

    def need(self, value: Value) -> None:
        if value not in self.values:
            self.values.add(value)
            self._waiting.append(value)

    def need_node(self, node: Node) -> None:
        """The node runs: that needs all inputs, or what its rule says."""
        if node not in self.nodes:
            self.nodes.add(node)
            rule = _RULES.get(node.op.name)
            if rule is None:
                for value in node.inputs:
                    self.need(value)
            else:
                rule.need_node(self, node)

    def spread(self) -> None:
        while self._waiting:
            value = self._waiting.pop()
            if value in self._made:
                node, position = self._made[value]
                self.need_node(node)
                if node.graphs:
                    _RULES[node.op.name].need_output(self, node, position)
            elif value in self._brought:
                node, position = self._brought[value]
                _RULES[node.op.name].need_input(self, node, position)


def _sweep(graph: Graph, marks: _Marks) -> Graph:
    """`graph` with its marked nodes only; its inputs and outputs are its owner's."""
    nodes = []
    for node in graph.nodes:
        if node in marks.nodes:
            rule = _RULES.get(node.op.name)
            nodes.append(rule.sweep(node, marks) if rule else node)
    return replace(graph, nodes=tuple(nodes))


# The ops that hold sub-graphs.


@struct
class _Rule:
    """What a node of one op needs, and how it is built again from what is marked."""

    need_node: Callable[[_Marks, Node], None]
    need_output: Callable[[_Marks, Node, int], None]
    need_input: Callable[[_Marks, Node, int], None]
    sweep: Callable[[Node, _Marks], Node]


def _need_predicate(marks: _Marks, node: Node) -> None:
    marks.need(node.inputs[0])


def _need_result(marks: _Marks, node: Node, position: int) -> None:
    for branch in node.graphs:
        marks.need(branch.outputs[position])


def _need_outer(marks: _Marks, node: Node, position: int) -> None:
    marks.need(node.inputs[position])


def _sweep_if(node: Node, marks: _Marks) -> Node:
    results = [k for k, value in enumerate(node.outputs) if value in marks.values]
    captures = _marked_inputs(node, 1, marks)
    graphs = tuple(
        replace(
            _sweep(graph, marks),
            inputs=choose(graph.inputs, [k - 1 for k in captures]),
            outputs=choose(graph.outputs, results),
        )
        for graph in node.graphs
    )
    return replace(
        node,
        inputs=(node.inputs[0], *choose(node.inputs, captures)),
        outputs=choose(node.outputs, results),
        graphs=graphs,
    )


def _need_test(marks: _Marks, node: Node) -> None:
    marks.need(node.graphs[0].outputs[0])


def _need_carried(marks: _Marks, node: Node, position: int) -> None:
    marks.need(node.inputs[position])
    if position < node.attributes["carried"]:
        # Its first value, its next one, and the variable itself in both graphs.
        marks.need(node.graphs[1].outputs[position])
        marks.need(node.outputs[position])
        for graph in node.graphs:
            marks.need(graph.inputs[position])


def _sweep_while(node: Node, marks: _Marks) -> Node:
    """The one place that takes a loop variable out: of all four lists at once."""
    carried = node.attributes["carried"]
    kept = [k for k in range(carried) if node.outputs[k] in marks.values]
    positions = kept + _marked_inputs(node, carried, marks)
    test, body = (
        replace(_sweep(graph, marks), inputs=choose(graph.inputs, positions))
        for graph in node.graphs
    )
    return replace(
        node,
        inputs=choose(node.inputs, positions),
        attributes={**node.attributes, "carried": len(kept)},
        outputs=choose(node.outputs, kept),
        graphs=(test, replace(body, outputs=choose(body.outputs, kept))),
    )


def _need_results(marks: _Marks, node: Node) -> None:
    """A recursion's outputs are those of its calls, so they all stay."""
    for value in node.graphs[0].outputs:
        marks.need(value)


def _need_argument(marks: _Marks, node: Node, position: int) -> None:
    """What the function reads is given by each call."""
    marks.need(node.inputs[position])
    for call in marks.calls[node.attributes["function"]]:
        if call in marks.nodes:
            marks.need(call.inputs[position])


def _need_arguments(marks: _Marks, node: Node) -> None:
    """A call is met in the function: those that this is known to read."""
    for value, inner in zip(node.inputs, _called(marks, node).inputs, strict=True):
        if inner in marks.values:
            marks.need(value)


def _called(marks: _Marks, node: Node) -> Graph:
    (graph,) = marks.recursions[node.attributes["function"]].graphs
    return graph


def _need_nothing_more(marks: _Marks, node: Node, position: int) -> None:
    """The node needs all its outputs as it is."""


def _sweep_recursion(node: Node, marks: _Marks) -> Node:
    kept, (body,) = _marked_inputs(node, 0, marks), node.graphs
    carried = sum(position < node.attributes["carried"] for position in kept)
    return replace(
        node,
        inputs=choose(node.inputs, kept),
        attributes={**node.attributes, "carried": carried},
        graphs=(replace(_sweep(body, marks), inputs=choose(body.inputs, kept)),),
    )


def _sweep_call(node: Node, marks: _Marks) -> Node:
    inner = _called(marks, node).inputs
    kept = [at for at, value in enumerate(inner) if value in marks.values]
    return replace(node, inputs=choose(node.inputs, kept))


def _marked_inputs(node: Node, start: int, marks: _Marks) -> list[int]:
    """The positions from `start` on of the inputs that a sub-graph needs."""
    found = []
    for position in range(start, len(node.inputs)):
        inner = (graph.inputs[position - len(node.inputs)] for graph in node.graphs)
        if any(value in marks.values for value in inner):
            found.append(position)
    return found


# A try statement is needed as a whole, except for what it keeps and gives.


def _need_body(marks: _Marks, node: Node) -> None:
    marks.need_writes(node.graphs[0])


def _need_cell_or_end(marks: _Marks, node: Node, position: int) -> None:
    cell = position - 2  # the clause and the exception come first
    end = cell - len(node.attributes["cells"])
    if end >= 0:
        marks.need(node.graphs[0].outputs[end])
    elif cell >= 0:
        for checkpoint in marks.checkpoints[node.attributes["guard"]]:
            for written, value in zip(
                checkpoint.attributes["cells"], checkpoint.inputs, strict=True
            ):
                if written == cell:
                    marks.need(value)


def _sweep_try(node: Node, marks: _Marks) -> Node:
    cells, ends = _kept_cells(node, marks), _kept_ends(node, marks)
    captures = _marked_inputs(node, 0, marks)
    (body,) = node.graphs
    swept = replace(
        _sweep(body, marks),
        inputs=choose(body.inputs, captures),
        outputs=choose(body.outputs, ends),
    )
    first = 2 + len(node.attributes["cells"])
    specs = tuple(node.attributes["cells"][k] for k in cells)
    kept = [0, 1, *(2 + k for k in cells), *(first + k for k in ends)]
    return replace(
        node,
        inputs=choose(node.inputs, captures),
        attributes={**node.attributes, "cells": specs},
        outputs=choose(node.outputs, kept),
        graphs=(swept,),
    )


def _kept_cells(node: Node, marks: _Marks) -> list[int]:
    count = len(node.attributes["cells"])
    return [k for k in range(count) if node.outputs[2 + k] in marks.values]


def _kept_ends(node: Node, marks: _Marks) -> list[int]:
    first = 2 + len(node.attributes["cells"])
    return [k for k, v in enumerate(node.outputs[first:]) if v in marks.values]


def _need_nothing(marks: _Marks, node: Node) -> None:
    """What a checkpoint keeps is needed when a handler reads the cell."""


def _need_no_output(marks: _Marks, node: Node, position: int) -> None:
    raise AssertionError("a checkpoint or call has no graphs")


def _sweep_checkpoint(node: Node, marks: _Marks) -> Node:
    kept = _kept_cells(marks.tries[node.attributes["guard"]], marks)
    cells = node.attributes["cells"]
    positions = [at for at, cell in enumerate(cells) if cell in kept]
    renumbered = tuple(kept.index(cells[at]) for at in positions)
    return replace(
        node,
        inputs=choose(node.inputs, positions),
        attributes={**node.attributes, "cells": renumbered},
    )


_RULES = {
    "try": _Rule(_need_body, _need_cell_or_end, _need_outer, _sweep_try),
    "checkpoint": _Rule(
        _need_nothing, _need_no_output, _need_no_output, _sweep_checkpoint
    ),
    "if": _Rule(_need_predicate, _need_result, _need_outer, _sweep_if),
    "while": _Rule(_need_test, _need_carried, _need_carried, _sweep_while),
    "recursion": _Rule(
        _need_results, _need_nothing_more, _need_argument, _sweep_recursion
    ),
    "call": _Rule(_need_arguments, _need_no_output, _need_no_output, _sweep_call),
}
