"""outliving: values of Variables that may be met outside after the node has run.

A Variable gives a graph its own array, which costs nothing. Where that array, or a view
of it, is a result, or goes to something that may keep it or change it, it has to be a
copy: what the user does to it is not done to the Variable, and the other way round.
"""

from __future__ import annotations

from runtime.backends.numpy.lowerings import VARIABLES
from runtime.backends.numpy.program import Body
from runtime.graph import Graph, Value
from runtime.memory import keeps_inputs, makes_its_own


def mark_outliving(program: Body, graph: Graph) -> None:
    """Let the reads whose value gets out of the graph make copies."""
    found: set[Value] = set()
    _collect(graph, found)
    if found:
        _mark(program, found)


def _collect(graph: Graph, found: set[Value]) -> None:
    out = set(graph.outputs)
    for node in reversed(graph.nodes):
        for inner in node.graphs:
            _collect(inner, found)
        is_view = not makes_its_own(node) and not out.isdisjoint(node.outputs)
        # What goes into a loop or branch may be carried along, and be changed there.
        if node.graphs or is_view or keeps_inputs(node):
            out.update(node.inputs)
        if node.op.name in VARIABLES and not out.isdisjoint(node.outputs):
            found.update(node.outputs)


def _mark(body: Body, found: set[Value]) -> None:
    for step in body.steps:
        step.outlives = not found.isdisjoint(step.node.outputs)
        for inner in step.bodies:
            _mark(inner, found)
