"""Fold: compute at once what depends on constants only.

A node whose kernel raises or warns is left for run time, where it does so if it is
used. An `if` with a constant predicate becomes its branch; a `while` whose test fails
at once becomes its first values. The user's own arrays (`constant[shared=True]`) are no
constants: their content may differ at each call. An array that a result is a view of is
made at each call, so that results share it and lie in it as they do in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime import shapes
from runtime.effects import writes
from runtime.graph import Graph, Node, Value
from runtime.hushed import warnings_as
from runtime.memory import makes_its_own
from runtime.ops.basic import constant, copy
from runtime.passes.rewrite import (
    Names,
    may_be_array,
    renamed,
    with_graphs,
    with_inputs,
    with_nodes,
)
from runtime.spec import TensorSpec, spec_of
from runtime.structs import replace

BUDGET = 1_000_000  # bytes of one result
CREATED = 4_096  # bytes of an array that is only made in case another node needs it
# Their function is not known to be cheap, or to give the same again.
NEVER = {"host_call", "placeholder"}

# The content of the values that are known.
Known = dict[Value, Any]


def fold(graph: Graph) -> Graph:
    """`graph` with its constant parts computed."""
    with warnings_as("error"), np.errstate(all="raise"):
        return _fold(graph, {}, _viewed(graph))


def _viewed(graph: Graph) -> set[Value]:
    """The views that are results of the graph, and what they are views of."""
    found: set[Value] = set()
    _find_viewed(graph, found)
    return found


def _find_viewed(graph: Graph, found: set[Value]) -> None:
    escaping = {value for value in graph.outputs if may_be_array(value.spec)}
    for node in reversed(graph.nodes):
        if makes_its_own(node) or escaping.isdisjoint(node.outputs):
            continue
        if node.op.name == "if":
            for branch in node.graphs:
                _find_viewed(branch, found)
        inputs = [value for value in node.inputs if may_be_array(value.spec)]
        escaping.update(inputs)
        if node.op.view:
            found.update(node.outputs, inputs)


def starts(node: Node, known: Known) -> bool | None:
    """Whether a `while` node's test holds at first; None when that is not known."""
    test = node.graphs[0]
    if writes(test.effects):
        return None
    with warnings_as("error"), np.errstate(all="raise"):
        brought = zip(test.inputs, node.inputs, strict=True)
        found = {value: known[first] for value, first in brought if first in known}
        for inner in test.nodes:
            _learn(inner, found)
    verdict = found.get(test.outputs[0])
    return None if verdict is None else bool(verdict)


def constants_of(graph: Graph, known: Mapping[Value, Any]) -> Known:
    """The values of `graph` that constants give, with those `known` before."""
    found = dict(known)
    for node in graph.nodes:
        if node.op is constant:
            _learn(node, found)
    return found


def inside(node: Node, graph: Graph, known: Known) -> Known:
    """What is known in a sub-graph of `node`: the captures that bring in constants."""
    carried = node.attributes.get("carried", 0)
    first = len(node.inputs) - len(graph.inputs)
    return {
        value: known[node.inputs[first + position]]
        for position, value in enumerate(graph.inputs)
        if position >= carried and node.inputs[first + position] in known
    }


def _fold(graph: Graph, known: Known, viewed: set[Value]) -> Graph:
    names: Names = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        _place(with_inputs(node, names), nodes, known, names, viewed)
    return with_nodes(graph, nodes, names)


def _place(
    node: Node, nodes: list[Node], known: Known, names: Names, viewed: set[Value]
) -> None:
    """Append what `node` becomes to `nodes`."""
    decide = _DECISIONS.get(node.op.name)
    if decide is not None and decide(node, nodes, known, names, viewed):
        return
    if node.graphs:
        nodes.append(_fold_graphs(node, known, viewed))
        return
    if not node.inputs:
        # An array made at each call is as good as a copy of a constant one.
        _learn(node, known, BUDGET if node.op is constant else CREATED)
        nodes.append(node)
        if node.op is constant and not viewed.isdisjoint(node.outputs):
            _copy(node, nodes, known, names)
        return
    if not _learn(node, known) or not viewed.isdisjoint(node.outputs):
        nodes.append(node)
        return
    (output,) = node.outputs
    value = known[output]
    if output.spec.kinds:
        # Now it is known which.
        exact = Value(spec_of(value))
        names[output], known[exact] = exact, value
        output = exact
    made = {"value": value}
    nodes.append(
        replace(node, op=constant, inputs=(), attributes=made, outputs=(output,))
    )


def _copy(node: Node, nodes: list[Node], known: Known, names: Names) -> None:
    """Append a copy of a constant, for all that come to it by its name."""
    (output,) = node.outputs
    if node.attributes.get("shared") is True:
        return
    made = names[output] = Value(output.spec)
    if output in known:
        known[made] = known[output]
    order = {"order": "K"}
    nodes.append(
        replace(node, op=copy, inputs=(output,), attributes=order, outputs=(made,))
    )


def _take_branch(
    node: Node, nodes: list[Node], known: Known, names: Names, viewed: set[Value]
) -> bool:
    """An `if` whose predicate is known becomes the nodes of its branch."""
    if node.inputs[0] not in known:
        return False
    branch = node.graphs[0 if known[node.inputs[0]] else 1]
    names.update(zip(branch.inputs, node.inputs[1:], strict=True))
    for held in branch.nodes:
        _place(with_inputs(held, names), nodes, known, names, viewed)
    names.update(zip(node.outputs, renamed(branch.outputs, names), strict=True))
    return True


def _skip_loop(
    node: Node, nodes: list[Node], known: Known, names: Names, viewed: set[Value]
) -> bool:
    """A `while` whose test is known to fail at first becomes its first values."""
    if starts(node, known) is not False:
        return False
    names.update(zip(node.outputs, node.inputs, strict=False))
    return True


# What is decided by constants: True when the node is gone.
_DECISIONS: dict[str, Callable[[Node, list[Node], Known, Names, set[Value]], bool]] = {
    "if": _take_branch,
    "while": _skip_loop,
}


def _fold_graphs(node: Node, known: Known, viewed: set[Value]) -> Node:
    graphs = [_fold(g, inside(node, g, known), viewed) for g in node.graphs]
    return with_graphs(node, graphs)


def _learn(node: Node, known: Known, budget: int = BUDGET) -> bool:
    """Compute the node's only output, when that can be done quietly."""
    if (
        node.effects
        or node.op.kernel is None
        or node.op.name in NEVER
        or node.attributes.get("shared") is True
        or len(node.outputs) != 1
        or not all(value in known for value in node.inputs)
        or not _is_small(node.outputs[0].spec, budget)
    ):
        return False
    arguments = [known[value] for value in node.inputs]
    try:
        result = node.op.kernel(*arguments, **node.attributes)
    except Exception:
        # Whatever it is, it is raised at run time if the node is used.
        return False
    (output,) = node.outputs
    if isinstance(result, np.ndarray) and output.spec.shape == ():
        result = result[()]
    if not _fits(result, output.spec):
        return False
    known[output] = result
    return True


def _is_small(spec: TensorSpec, budget: int) -> bool:
    size = shapes.size_of(spec.shape)
    if size is None or spec.dtype is None:
        return False
    return size * spec.dtype.itemsize <= budget


def _fits(result: Any, spec: TensorSpec) -> bool:
    if spec.kinds:
        return any(_fits(result, option) for option in spec.options)
    if spec.weak:
        return type(result) is spec.python_type
    if not isinstance(result, (np.ndarray, np.generic)) or result.dtype.hasobject:
        return False
    return spec.describes(spec_of(result))
