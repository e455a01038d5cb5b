"""Simplify: what is exact and costs a glance. Rules are rows, one for an op.

A result that is the same capture in both branches is that value; a loop variable that
the body passes on unchanged becomes a capture; checks that are known to hold are gone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.ops.template import Input
from runtime.passes.fold import Known, constants_of, inside
from runtime.passes.rewrite import (
    Names,
    choose,
    with_graphs,
    with_inputs,
    with_nodes,
)
from runtime.spec import TensorSpec
from runtime.structs import replace

# What stands for the node's outputs; the node goes. None: no simpler.
Rule = Callable[[Node, Known], tuple[Value, ...] | None]
_INT = np.dtype(np.int64)
# The `if` of the same graph that has given a value.
Branched = dict[Value, Node]


def simplify(graph: Graph) -> Graph:
    """`graph` with simpler nodes where a rule fits, at every depth."""
    return _simplify(graph, {})


def _simplify(graph: Graph, known: Known) -> Graph:
    known = constants_of(graph, known)
    names: Names = {}
    branched: Branched = {}
    nodes: list[Node] = []
    sizes = _Sizes()
    for old in graph.nodes:
        node = with_inputs(old, names)
        rule = _RULES.get(node.op.name)
        outputs = rule(node, known) if rule else sizes.known(node)
        if outputs is not None:
            names.update(zip(node.outputs, outputs, strict=True))
            continue
        if node.graphs:
            held = [_simplify(g, inside(node, g, known)) for g in node.graphs]
            node = with_graphs(node, held)
            node = _REWRITES.get(node.op.name, _as_it_is)(node, names, branched)
        if node.op.name == "if":
            branched.update((value, node) for value in node.outputs)
        nodes.append(node)
    return with_nodes(graph, nodes, names)


class _Sizes:
    """What is known of the sizes of arrays that are reshaped to those of others."""

    def __init__(self) -> None:
        self._sizes: set[Value] = set()
        self._known: dict[tuple[Value, int], Value] = {}

    def known(self, node: Node) -> tuple[Value, ...] | None:
        """What stands for a size that is asked for; None: nothing does."""
        if node.op.name == "dim":
            self._sizes.update(node.outputs)
            found = self._known.get((node.inputs[0], node.attributes["axis"]))
            return None if found is None else (found,)
        if node.op.name == "reshape" and not node.attributes.get("turned"):
            shape = node.attributes["shape"]
            # One that the run knows as a whole says nothing of its sizes.
            for axis, part in enumerate(shape if isinstance(shape, tuple) else ()):
                size = node.inputs[1 + part.k] if isinstance(part, Input) else None
                # Other numbers may be -1.
                if size in self._sizes and size is not None:
                    self._known[node.outputs[0], axis] = size
        return None


def _first_input(node: Node, known: Known) -> tuple[Value, ...] | None:
    return (node.inputs[0],)


def _if_true(node: Node, known: Known) -> tuple[Value, ...] | None:
    return () if known.get(node.inputs[0]) is True else None


def _if_python_number(node: Node, known: Known) -> tuple[Value, ...] | None:
    # An array's cast is a copy of its own, even to the dtype that it has.
    (value,) = node.inputs
    return (value,) if value.spec.weak and value.spec == node.outputs[0].spec else None


def _more_than_false(node: Node, known: Known) -> tuple[Value, ...] | None:
    is_it = node.inputs[0].spec == node.outputs[0].spec
    return node.inputs[:1] if is_it and known.get(node.inputs[1]) is False else None


def _unchanged_by(number: int) -> Rule:
    """The other of two of Python's ints, where one is this: nothing else is it."""

    def rule(node: Node, known: Known) -> tuple[Value, ...] | None:
        a, b = node.inputs
        for value, other in ((a, b), (b, a)):
            given = known.get(other)
            if type(given) is int and given == number and _is_int(value):
                return (value,)
        return None

    return rule


def _is_int(value: Value) -> bool:
    """Whether it is one of Python's ints, which is no bool."""
    spec = value.spec
    is_number = type(spec) is TensorSpec and spec.weak and not spec.kinds
    return is_number and spec.dtype == _INT


_RULES: dict[str, Rule] = {
    "add": _unchanged_by(0),
    "multiply": _unchanged_by(1),
    "identity": _first_input,
    "greater": _more_than_false,
    "require_defined": _if_true,
    "assert": _if_true,
    "truth": _if_python_number,
    "cast": _if_python_number,
}


def _share_results(node: Node, names: Names, branched: Branched) -> Node:
    """An `if` without the results that are one capture in both branches.

    Nor those that another `if` by the same predicate has given already.
    """
    then, orelse = node.graphs
    outer = {
        inner: node.inputs[1 + position]
        for graph in node.graphs
        for position, inner in enumerate(graph.inputs)
    }
    kept = []
    for position, (a, b) in enumerate(zip(then.outputs, orelse.outputs, strict=True)):
        source = _one_of_both(outer.get(a), outer.get(b), node, branched)
        if source is not None and _alike(source, node, position):
            names[node.outputs[position]] = source
        else:
            kept.append(position)
    if len(kept) == len(node.outputs):
        return node
    graphs = (
        replace(graph, outputs=choose(graph.outputs, kept)) for graph in node.graphs
    )
    return replace(node, outputs=choose(node.outputs, kept), graphs=tuple(graphs))


def _one_of_both(
    then: Value | None, orelse: Value | None, node: Node, branched: Branched
) -> Value | None:
    """What is `then` if the predicate of an `if` is true, and else `orelse`."""
    if then is None or orelse is None or then is orelse:
        return then if then is orelse else None
    earlier = branched.get(then)
    if earlier is None or branched.get(orelse) is not earlier:
        return None
    if earlier.inputs[0] is not node.inputs[0]:
        return None
    ends = [graph.outputs for graph in earlier.graphs]
    sides = zip(ends, (then, orelse), strict=True)
    wanted = [end[earlier.outputs.index(value)] for end, value in sides]
    for value, *both in zip(earlier.outputs, *ends, strict=True):
        if all(map(operator.is_, both, wanted)):
            return value
    return None


def _alike(value: Value, node: Node, position: int) -> bool:
    """True when `value` has the type that the node's output is declared to have."""
    return node.outputs[position].spec.describes_kinds(value.spec)


def _keep_out(node: Node, names: Names, branched: Branched) -> Node:
    """A `while` whose unchanged loop variables are captures."""
    carried = node.attributes["carried"]
    body = node.graphs[1]
    same = [
        k
        for k in range(carried)
        if body.outputs[k] is body.inputs[k] and _alike(node.inputs[k], node, k)
    ]
    if not same:
        return node
    changed = [k for k in range(carried) if k not in same]
    order = [*changed, *range(carried, len(node.inputs)), *same]
    for position in same:
        names[node.outputs[position]] = node.inputs[position]
    test, body = (
        replace(graph, inputs=choose(graph.inputs, order)) for graph in node.graphs
    )
    return replace(
        node,
        inputs=choose(node.inputs, order),
        attributes={**node.attributes, "carried": len(changed)},
        outputs=choose(node.outputs, changed),
        graphs=(test, replace(body, outputs=choose(body.outputs, changed))),
    )


def _as_it_is(node: Node, names: Names, branched: Branched) -> Node:
    return node


_REWRITES: dict[str, Callable[[Node, Names, Branched], Node]] = {
    "if": _share_results,
    "while": _keep_out,
    "try": _as_it_is,
}
