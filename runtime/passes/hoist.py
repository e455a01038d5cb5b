"""Hoist: take out of a loop what gives the same in every turn.

A hoisted node runs even if the loop does not turn once, so what it must not do then is
fail or warn. SILENT ops never do on most inputs. QUIET_ENOUGH ops may warn,
as floats that overflow do; they are hoisted where they would run anyway: out of the
test, and out of the body when the test is known to hold at first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.may_warn import SILENT, is_silent
from runtime.ops.basic import constant
from runtime.passes.fold import Known, constants_of, inside, starts
from runtime.passes.rewrite import Names, renamed, with_graphs, with_inputs
from runtime.shapes import Dim
from runtime.spec import TensorSpec
from runtime.structs import replace


def hoist(graph: Graph) -> Graph:
    """`graph` with each loop's invariant nodes before the loop, at every depth."""
    return _hoist(graph, {})


def _hoist(graph: Graph, known: Known) -> Graph:
    known = constants_of(graph, known)
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.graphs:
            held = [_hoist(graph, inside(node, graph, known)) for graph in node.graphs]
            node = with_graphs(node, held)
            if node.op.name == "while":
                node = _Loop(node, known, nodes).emptied()
        nodes.append(node)
    return replace(graph, nodes=tuple(nodes))


class _Loop:
    """One `while` node: what moves out of it goes to `before`."""

    def __init__(self, node: Node, known: Known, before: list[Node]) -> None:
        self.node = node
        self.known = known
        self.before = before
        # Each hoisted value, to be brought in again by a capture.
        self.brought: list[Value] = []

    def emptied(self) -> Node:
        """The node without what is hoisted."""
        test, body = self.node.graphs
        turns = starts(self.node, self.known) is True
        outside = [self._take_out(test, True), self._take_out(body, turns)]
        if not self.brought:
            return self.node
        graphs = [
            self._bring_in(graph, gone)
            for graph, gone in zip(self.node.graphs, outside, strict=True)
        ]
        return replace(
            self.node,
            inputs=(*self.node.inputs, *self.brought),
            graphs=tuple(graphs),
        )

    def _take_out(self, graph: Graph, runs: bool) -> set[Node]:
        """Append the invariant nodes of `graph` to `before`; returns those."""
        carried = self.node.attributes["carried"]
        pairs = zip(graph.inputs, self.node.inputs, strict=True)
        outer: Names = dict(list(pairs)[carried:])
        literals = {v: n for n in graph.nodes if n.op is constant for v in n.outputs}
        known = constants_of(graph, inside(self.node, graph, self.known))
        gone: set[Node] = set()
        for node in graph.nodes:
            if not node.inputs or not all(
                v in outer or v in literals for v in node.inputs
            ):
                continue
            if not may_move(node, known, runs):
                continue
            for value in node.inputs:
                if value in literals and value not in outer:
                    outer[value] = self._copy(literals[value])
            # The values move with the node; inside, captures will stand for them.
            self.before.append(with_inputs(node, outer))
            self.brought += node.outputs
            outer.update((value, value) for value in node.outputs)
            gone.add(node)
        return gone

    def _copy(self, literal: Node) -> Value:
        made = Value(literal.outputs[0].spec)
        self.before.append(replace(literal, outputs=(made,)))
        return made

    def _bring_in(self, graph: Graph, gone: set[Node]) -> Graph:
        captures = {value: Value(value.spec) for value in self.brought}
        return replace(
            graph,
            inputs=(*graph.inputs, *captures.values()),
            nodes=tuple(with_inputs(n, captures) for n in graph.nodes if n not in gone),
            outputs=renamed(graph.outputs, captures),
        )


# Which nodes may move.

# Given operands of numbers that broadcast they do not fail, but may warn.
QUIET_ENOUGH = {
    *("divide", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10"),
    *("log1p", "logaddexp", "logaddexp2", "sin", "cos", "tan", "arcsin", "arccos"),
    *("arctan", "arctan2", "hypot", "sinh", "cosh", "tanh", "arcsinh", "arccosh"),
    *("arctanh", "degrees", "radians", "deg2rad", "rad2deg", "sign", "fabs"),
}
# Silent on Python numbers and on arrays of ints; on floats and scalars they may warn.
ARITHMETIC = {"add", "subtract", "multiply", "negative", "positive", "absolute"}
# What the type rule has checked can no longer fail.
STRUCTURAL = {"dim", "size", "transpose", "expand_dims", "swapaxes", "moveaxis"}
# The same, where the sizes are known.
RESHAPING = {"reshape", "ravel"}
# Where an array, and a view of it, lies: no element is read, and none can be written.
LYING = {"own_place", "stand_in", "place_of"}
# What only holds its operands, of whatever kind.
HOLDING = {"list_of"}


def may_move(node: Node, known: Known, runs: bool) -> bool:
    """True when `node` may run before its loop.

    runs: the loop would run it at least once, so it may warn
    """
    if node.effects or node.graphs or not node.inputs:
        return False
    if node.op.name in HOLDING:
        return True
    if any(value.spec.kinds for value in node.inputs):
        # What is done depends on the kind that it is, and may fail.
        return False
    rule = _RULES.get(node.op.name)
    return rule is not None and rule(node, known, runs)


def _elementwise(node: Node, known: Known, runs: bool) -> bool:
    specs = [value.spec for value in node.inputs]
    return (
        all(spec.dtype is not None and spec.dtype.kind in "biufc" for spec in specs)
        and _surely_broadcast(specs)
        and _numbers_fit(node, known)
    )


def _silent(node: Node, known: Known, runs: bool) -> bool:
    return is_silent(node) and _elementwise(node, known, runs)


def _quiet_enough(node: Node, known: Known, runs: bool) -> bool:
    # Python's own functions raise where NumPy's warn, as in 1 / 0.
    weak = all(value.spec.weak for value in node.inputs)
    return runs and not weak and _elementwise(node, known, runs)


def _arithmetic(node: Node, known: Known, runs: bool) -> bool:
    if not _elementwise(node, known, runs):
        return False
    result = node.outputs[0].spec
    if result.weak or runs:
        return True
    assert result.dtype is not None
    # An int array wraps silently, an int scalar warns.
    return result.dtype.kind in "biu" and bool(result.shape)


def _structural(node: Node, known: Known, runs: bool) -> bool:
    return node.inputs[0].spec.shape is not None


def _reshaping(node: Node, known: Known, runs: bool) -> bool:
    return all(v.spec.is_static for v in (*node.inputs[:1], *node.outputs))


def _widening(node: Node, known: Known, runs: bool) -> bool:
    found, wanted = node.inputs[0].spec, node.outputs[0].spec
    if found.weak or wanted.weak or found.dtype is None or wanted.dtype is None:
        return False
    return np.can_cast(found.dtype, wanted.dtype, "safe")


def _surely_broadcast(specs: list[TensorSpec]) -> bool:
    """True when the shapes are known to fit: equal sizes, equal names, or 1."""
    found = [spec.shape for spec in specs]
    known = [shape for shape in found if shape is not None]
    if len(known) < len(found):
        return False
    for axis in range(1, max(map(len, known)) + 1):
        dims: set[Dim] = {shape[-axis] for shape in known if len(shape) >= axis}
        alone = len(specs) == 1
        if len(dims - {1}) > 1 or (None in dims and not alone):
            return False
    return True


def _numbers_fit(node: Node, known: Known) -> bool:
    """True when no Python int can be too large for the array that it meets."""
    weak = [value for value in node.inputs if value.spec.weak]
    if not weak or len(weak) == len(node.inputs):
        return True
    ints = [v for v in weak if v.spec.dtype is not None and v.spec.dtype.kind == "i"]
    return all(v in known and 0 <= known[v] <= 127 for v in ints)


_RULES: dict[str, Callable[[Node, Known, bool], bool]] = {
    **dict.fromkeys(SILENT, _silent),
    **dict.fromkeys(QUIET_ENOUGH, _quiet_enough),
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    **dict.fromkeys(STRUCTURAL, _structural),
    **dict.fromkeys(LYING, _structural),
    **dict.fromkeys(RESHAPING, _reshaping),
    "cast": _widening,
}
