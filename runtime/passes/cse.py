"""Common subexpressions: a pure node that repeats an earlier one becomes that one.

Equal means the same op, the same inputs and attributes equal in type and value: 1, 1.0
and True differ, and so do 0.0 and -0.0, and NaNs of unlike signs. Two reads of one
Variable are the same unless it is written between them. What NumPy may warn of is the
same on one line alone, where Python shows its warning once: of two lines it warns at
each. Two arrays that both reach the caller are never merged: the caller may write to
one of them. Nor are two whose product is computed: that of an array by itself has other
bits, since BLAS has a routine of its own for it (syrk).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from struct import pack
from typing import Any

import numpy as np

from runtime.effects import Effects, writes
from runtime.graph import Graph, Node, Value
from runtime.may_warn import may_warn
from runtime.memory import keeps_inputs, makes_its_own
from runtime.ops.template import Input
from runtime.passes.rewrite import (
    Names,
    may_be_array,
    renamed,
    with_graphs,
    with_inputs,
    with_nodes,
)
from runtime.structs import replace

SMALL = 1024  # bytes; larger arrays are compared by identity

# Products, and what gives an operand of theirs in the memory of its own.
PRODUCTS = {"matmul", "dot", "inner", "tensordot"}
TURNS = {"transpose", "swapaxes", "moveaxis", "reshape"}

Key = tuple[Any, ...]


def cse(graph: Graph) -> Graph:
    """`graph` with each pure computation done once in each of its graphs."""
    names: Names = {}
    nodes: list[Node] = []
    earlier: dict[Key, Node] = {}
    written: dict[int, int] = {}
    escaping, multiplied = _escaping(graph), _multiplied(graph)
    for old in graph.nodes:
        node = with_inputs(old, names)
        if node.graphs:
            node = with_graphs(node, [cse(g) for g in _without_twins(node)])
        if not _may_merge(node):
            nodes.append(node)
            _count_writes(node.effects, written)
            continue
        key = _key(node, written)
        first = earlier.setdefault(key, node)
        apart = multiplied and any(
            names.get(by, by) in first.outputs
            for value in node.outputs
            for by in multiplied.get(value, ())
        )
        if first is node or apart or _both_escape(first, node, escaping):
            nodes.append(node)
            continue
        names.update(zip(node.outputs, first.outputs, strict=True))
        for gone, kept in zip(node.outputs, first.outputs, strict=True):
            if gone in escaping:
                escaping.add(kept)
    return with_nodes(graph, nodes, names)


def _may_merge(node: Node) -> bool:
    return not node.graphs and not writes(node.effects) and bool(node.outputs)


def _count_writes(effects: Effects, written: dict[int, int]) -> None:
    for effect in effects:
        if effect.kind == "write":
            written[id(effect.what)] = written.get(id(effect.what), 0) + 1


def _key(node: Node, written: dict[int, int]) -> Key:
    reads = sorted((id(e.what), written.get(id(e.what), 0)) for e in node.effects)
    # The user's own arrays are told by identity: equal ones may differ tomorrow.
    shared = node.attributes.get("shared") is True
    attributes = id(node.attributes["value"]) if shared else frozen(node.attributes)
    return (
        node.op,
        node.inputs,
        attributes,
        tuple(value.spec for value in node.outputs),
        tuple(reads),
        node.location if may_warn(node) else None,
    )


def _without_twins(node: Node) -> list[Graph]:
    """The sub-graphs, with captures of one outer value read through the first."""
    carried = node.attributes.get("carried", 0)
    graphs = []
    for graph in node.graphs:
        first = len(node.inputs) - len(graph.inputs)
        seen: dict[Value, Value] = {}
        names: Names = {}
        for position, inner in enumerate(graph.inputs):
            if position >= carried:
                kept = seen.setdefault(node.inputs[first + position], inner)
                if kept is not inner:
                    names[inner] = kept
        graphs.append(_renamed_inside(graph, names) if names else graph)
    return graphs


def _renamed_inside(graph: Graph, names: Names) -> Graph:
    return replace(
        graph,
        nodes=tuple(with_inputs(node, names) for node in graph.nodes),
        outputs=renamed(graph.outputs, names),
    )


# What may reach the caller.


def _escaping(graph: Graph) -> set[Value]:
    """The arrays whose memory may be a result of the graph, or be kept by others."""
    found = {value for value in graph.outputs if may_be_array(value.spec)}
    for node in reversed(graph.nodes):
        returned = any(value in found for value in node.outputs)
        if keeps_inputs(node) or (returned and not makes_its_own(node)):
            found.update(v for v in node.inputs if may_be_array(v.spec))
    return found


def _both_escape(first: Node, node: Node, escaping: set[Value]) -> bool:
    pairs = zip(first.outputs, node.outputs, strict=True)
    return any(a in escaping and b in escaping for a, b in pairs)


def _multiplied(graph: Graph) -> dict[Value, list[Value]]:
    """The other arrays by which an array is multiplied."""
    whole: dict[Value, Value] = {}
    found: dict[Value, list[Value]] = {}
    for node in graph.nodes:
        if node.op.name in TURNS:
            whole[node.outputs[0]] = whole.get(node.inputs[0], node.inputs[0])
        elif node.op.name in PRODUCTS:
            left, right = (whole.get(value, value) for value in node.inputs[:2])
            if left is not right:
                found.setdefault(left, []).append(right)
                found.setdefault(right, []).append(left)
    return found


# Attributes as keys.

# What is equal if these are.
_PARTS: dict[type, Callable[[Any], Any]] = {
    slice: attrgetter("start", "stop", "step"),
    Input: attrgetter("k"),
}


def frozen(value: Any) -> Any:
    """A hashable that is equal for attributes equal in type and value.

    >>> frozen(1) == frozen(1.0), frozen(0.0) == frozen(-0.0)
    (False, False)
    >>> frozen((1, [float("nan")])) == frozen((1, [float("nan")]))
    True
    >>> frozen(float("nan")) == frozen(-float("nan"))
    False
    """
    kind = type(value)
    if kind in (bool, int, str, bytes, type(None), type(...), range):
        return kind, value
    if kind in (float, complex):
        # Of NaNs, too, it can be asked which sign they have.
        return kind, pack("dd", value.real, value.imag)
    if kind in (tuple, list):
        return kind, tuple(frozen(item) for item in value)
    if kind in _PARTS:
        return kind, frozen(_PARTS[kind](value))
    if isinstance(value, Mapping):
        return kind, tuple((frozen(k), frozen(v)) for k, v in value.items())
    if isinstance(value, np.generic) and not value.dtype.hasobject:
        return kind, str(value.dtype), value.tobytes()
    if kind is np.ndarray and value.nbytes <= SMALL and not value.dtype.hasobject:
        # How it lies in memory can be told from a copy of it.
        return kind, str(value.dtype), value.shape, value.strides, value.tobytes()
    if isinstance(value, np.dtype):
        return np.dtype, str(value)
    # Of a struct it is not asked what `dataclasses` knows: that takes 1 ms to be made.
    known = getattr(kind, "__dataclass_params__", None)
    if known is not None and known.frozen and is_dataclass(value):
        return kind, tuple(frozen(getattr(value, f.name)) for f in fields(value))
    return kind, id(value)
