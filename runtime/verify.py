"""Verify: whether a graph is well made. A fault shows where it is made.

Each value is defined once and before it is used, sub-graphs use nothing but their
inputs, they fit the op that holds them, and every declared spec describes what the op's
type rule finds. `enabled` turns the checks between phases on; they cost about half of
building the graph. What is wrong is put in words where it is wrong alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from runtime import kinds
from runtime.effects import Effects
from runtime.errors import place
from runtime.graph import Graph, Node, Value
from runtime.library_spec import LibrarySpec
from runtime.spec import ListSpec, TensorSpec
from runtime.structs import struct

enabled: bool = os.environ.get("AUTOGRAPH_VERIFY", "") not in ("", "0")


class VerificationError(AssertionError):
    """A graph is not well made; names the node and what is wrong with it."""

    def __init__(self, reason: str, node: Node | None, path: str) -> None:
        where = f"node {node.op.name} of {path}" if node else path
        super().__init__(f"{where}: {reason}")
        self.node = node
        self.reason = reason
        if node is not None and (at := place(node.location)):
            self.add_note(at)


@struct
class _Place:
    """Where the check is: the graphs around it, and the node."""

    path: str
    node: Node | None = None

    def fault(self, reason: str) -> VerificationError:
        return VerificationError(reason, self.node, self.path)


def verify(graph: Graph, known: set[Node] | None = None) -> Graph:
    """`graph` itself when it is well made.

    VerificationError: it is not.

    known: nodes of which each by itself was found well made; those of this one come in
    """
    seen = _Seen(set(), set() if known is None else known)
    _verify_graph(graph, f"graph {graph.name}", seen)
    return graph


def verify_if_enabled(graph: Graph, known: set[Node] | None = None) -> Graph:
    """`verify(graph)` while the checks between phases are on, else just `graph`."""
    return verify(graph, known) if enabled else graph


@struct
class _Seen:
    """values: those of every graph so far; none may be defined a second time."""

    values: set[Value]
    nodes: set[Node]


def _verify_graph(graph: Graph, path: str, seen: _Seen) -> None:
    whole = _Place(path)
    inside: set[Value] = set()
    _define(graph.inputs, whole, inside, seen)
    for node in graph.nodes:
        at = _Place(path, node)
        for number, value in enumerate(node.inputs):
            if value not in inside:
                is_there = value in seen.values
                reason = "of another graph" if is_there else "not defined before it"
                raise at.fault(f"input {number}, {value!r}, is {reason}")
        _verify_graphs(node, at, path, seen)
        if node not in seen.nodes:
            _verify_contract(node, at)
            _verify_effects(node, at)
            _verify_specs(node, at)
            seen.nodes.add(node)
        _define(node.outputs, at, inside, seen)
    for number, value in enumerate(graph.outputs):
        if value not in inside:
            raise whole.fault(f"output {number}, {value!r}, is not defined")


def _define(
    values: tuple[Value, ...], at: _Place, inside: set[Value], seen: _Seen
) -> None:
    for value in values:
        if value in seen.values:
            raise at.fault(f"{value!r} is defined a second time")
        seen.values.add(value)
        inside.add(value)


def _verify_graphs(node: Node, at: _Place, path: str, seen: _Seen) -> None:
    roles = node.op.graphs
    found, wanted = len(node.graphs), len(roles)
    if found != wanted:
        raise at.fault(f"it has {found} sub-graphs, {wanted} are wanted")
    for role, graph in zip(roles, node.graphs, strict=True):
        _verify_graph(graph, f"{role} in {path}", seen)


# --- of a node by itself --------------------------------------------------------------
def _verify_contract(node: Node, at: _Place) -> None:
    check = _CONTRACTS.get(node.op.name)
    if check is not None:
        check(node, at)
    elif node.op.graphs:
        raise at.fault("its contract is not known")


def _verify_effects(node: Node, at: _Place) -> None:
    effects: Effects = node.find_effects()
    if effects != node.effects:
        raise at.fault(f"its effects are not {effects}")


def _verify_specs(node: Node, at: _Place) -> None:
    found = kinds.infer(node.op, node.inputs, node.attributes, node.graphs)
    if len(found) != len(node.outputs):
        raise at.fault(
            f"it has {len(node.outputs)} outputs, its type rule finds {len(found)}"
        )
    for number, (spec, value) in enumerate(zip(found, node.outputs, strict=True)):
        if not _may_be(value.spec, spec):
            raise at.fault(
                f"output {number} is declared {value.spec!r}, "
                f"its type rule finds {spec!r}"
            )


def _may_be(declared: TensorSpec, found: TensorSpec) -> bool:
    """True when a value can be of both specs.

    Either may know more: a pass may have learnt of the inputs what the declaration
    leaves open, and the tracer may know sizes that the type rule cannot see.
    """
    if declared.describes(found) or found.describes(declared):
        return True
    if isinstance(declared, ListSpec) or isinstance(found, ListSpec):
        both = isinstance(declared, ListSpec) and isinstance(found, ListSpec)
        return both and _may_be(declared.item, found.item)  # type: ignore[attr-defined] # both are lists
    if isinstance(declared, LibrarySpec) or isinstance(found, LibrarySpec):
        return False
    if found.dtype is not None and not any(
        map(declared.describes_kinds, found.options)
    ):
        return False
    if declared.shape is None or found.shape is None:
        return True
    if len(declared.shape) != len(found.shape):
        return False
    pairs = zip(declared.shape, found.shape, strict=True)
    return all(
        a == b or not isinstance(a, int) or not isinstance(b, int) for a, b in pairs
    )


# What the ops that hold sub-graphs ask of them.


def _verify_if(node: Node, at: _Place) -> None:
    if not node.inputs:
        raise at.fault("it has no predicate")
    predicate = node.inputs[0].spec
    if not _may_be_true(predicate):
        raise at.fault(f"its predicate is {predicate!r}, not a bool")
    for role, graph in zip(node.op.graphs, node.graphs, strict=True):
        _verify_inputs(node.inputs[1:], graph, role, at)
        _verify_results(node.outputs, graph, role, at)


def _verify_while(node: Node, at: _Place) -> None:
    carried = node.attributes.get("carried")
    whole = isinstance(carried, int) and 0 <= carried <= len(node.inputs)
    if not whole:
        raise at.fault(f"carried={carried!r} does not fit its inputs")
    assert isinstance(carried, int)
    test, body = node.graphs
    for role, graph in zip(node.op.graphs, node.graphs, strict=True):
        _verify_inputs(node.inputs, graph, role, at)
    if len(test.outputs) != 1:
        raise at.fault(f"its test has {len(test.outputs)} outputs")
    verdict = test.outputs[0].spec
    if not _may_be_true(verdict):
        raise at.fault(f"its test gives {verdict!r}, not a bool")
    _verify_results(body.inputs[:carried], body, "body", at)


def _may_be_true(spec: TensorSpec) -> bool:
    return spec.dtype is None or spec.dtype.kind == "b"


def _verify_recursion(node: Node, at: _Place) -> None:
    (body,) = node.graphs
    _verify_inputs(node.inputs, body, "body", at)
    _verify_results(node.outputs, body, "body", at)
    for inner in body.walk():
        mine = inner.op.name == "call"
        if mine and inner.attributes["function"] == node.attributes["function"]:
            call = _Place(at.path, inner)
            _verify_inputs(inner.inputs, body, "the graph that is called", call)
            _verify_results(inner.outputs, body, "the graph that is called", call)


def _verify_called(node: Node, at: _Place) -> None:
    (body,) = node.graphs
    _verify_inputs(node.inputs, body, "body", at)
    _verify_results(node.outputs, body, "body", at)


def _verify_inputs(
    values: tuple[Value, ...], graph: Graph, role: str, at: _Place
) -> None:
    found, wanted = len(graph.inputs), len(values)
    if found != wanted:
        raise at.fault(f"{role} has {found} inputs, {wanted} are wanted")
    for number, (inner, outer) in enumerate(zip(graph.inputs, values, strict=True)):
        if not _may_be(inner.spec, outer.spec):
            raise at.fault(
                f"input {number} of {role} is {inner.spec!r}, it gets {outer.spec!r}"
            )


def _verify_results(
    values: tuple[Value, ...], graph: Graph, role: str, at: _Place
) -> None:
    found, wanted = len(graph.outputs), len(values)
    if found != wanted:
        raise at.fault(f"{role} has {found} outputs, {wanted} are wanted")
    for number, (inner, outer) in enumerate(zip(graph.outputs, values, strict=True)):
        if not outer.spec.describes(inner.spec):
            raise at.fault(
                f"output {number} of {role} is {inner.spec!r}, wanted is {outer.spec!r}"
            )


def _verify_try(node: Node, at: _Place) -> None:
    (body,) = node.graphs
    _verify_inputs(node.inputs, body, "body", at)
    guard, cells = node.attributes["guard"], node.attributes["cells"]
    kept = node.outputs[2 : 2 + len(cells)]
    for inner in body.walk():
        if inner.op.name == "checkpoint" and inner.attributes["guard"] is guard:
            written = [kept[cell] for cell in inner.attributes["cells"]]
            found, wanted = len(inner.inputs), len(written)
            if found != wanted:
                raise at.fault(f"a checkpoint has {found} values, not {wanted}")
            for value, cell in zip(inner.inputs, written, strict=True):
                if not _may_be(cell.spec, value.spec):
                    raise at.fault(f"a cell of {cell.spec!r} gets {value.spec!r}")


_CONTRACTS: dict[str, Callable[[Node, _Place], None]] = {
    "try": _verify_try,
    "called": _verify_called,
    "if": _verify_if,
    "while": _verify_while,
    "recursion": _verify_recursion,
}
