"""Unshape: what is done to a reshaped row, and put back into one, is done to the row.

`y = x.reshape(2, -1)`, then `y += 1`, is a sum of the reshaped array, and its reshape
back: two views and an array of their own. As a sum of x it can be made in x's memory.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.passes.rewrite import with_graphs
from runtime.structs import replace

RESHAPES = frozenset({"reshape", "ravel", "reshape_like"})


def unshape(graph: Graph) -> Graph:
    """`graph` with such operations in their rows' own shape, at every depth."""
    held = [with_graphs(node, list(map(unshape, node.graphs))) for node in graph.nodes]
    nodes: list[Node | None] = [*held]
    used = Counter(value for node in held for value in node.inputs)
    used.update(graph.outputs)
    made = {value: at for at, node in enumerate(held) for value in node.outputs}
    for at, node in enumerate(held):
        place = made.get(node.inputs[0]) if node.op.name in RESHAPES else None
        if place is None or used[node.inputs[0]] > 1 or nodes[place] is None:
            continue
        done = _in_a_row(held[place], node, nodes, made)
        if done is not None:
            # With what it gives under the name of what was put back.
            nodes[place], nodes[at] = done, None
    kept = [node for node in nodes if node is not None]
    same = len(kept) == len(graph.nodes) and all(map(_is, kept, graph.nodes))
    return graph if same else replace(graph, nodes=tuple(kept))


def _in_a_row(
    node: Node, back: Node, nodes: list[Node | None], made: dict[Value, int]
) -> Node | None:
    """The elementwise node, of rows, that gives what `back` does; None: it is none.

    nodes: those that are there yet; what was put back for another one is not
    """
    (row,) = back.outputs
    # Of more dims the result might lie in another order than C's.
    if not _is_elementwise(node) or row.spec.rank != 1 or not row.spec.is_static:
        return None
    (result,) = node.outputs
    if not result.spec.is_static:
        return None  # the run may say that a reshape fails, or that two do not fit
    if result.spec.shape == ():
        return None  # of numbers alone
    inputs = []
    for value in node.inputs:
        if value.spec.shape == ():
            inputs.append(value)
            continue
        maker = nodes[made[value]] if value in made else None
        if maker is None or maker.op.name not in RESHAPES:
            return None
        source = maker.inputs[0]
        same = source.spec.shape == row.spec.shape
        if not same or value.spec.shape != result.spec.shape:
            return None
        inputs.append(source)
    return replace(node, inputs=tuple(inputs), outputs=(row,))


def _is_elementwise(node: Node) -> bool:
    ufunc = node.op.numpy
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None:
        return False
    return ufunc.nout == 1 and not node.attributes and len(node.outputs) == 1


def _is(a: Node, b: Node) -> bool:
    return a is b
