"""memory: calls whose arrays lie in memory as no trace was made for.

A trace takes its arguments for arrays of their own, writable where it writes, and in C
order where it makes views that other orders would not give. Where that does not hold,
the function is called as it is: exact, and as slow as Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.graph import Graph
from tracer import containers, tree

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction


def lies_unlike(
    concrete: ConcreteFunction, leaves: Sequence[Any], found: list[Any]
) -> bool:
    """Whether a call is run as Python, of a trace that changes nothing outside.

    found: the arguments' containers
    """
    if concrete.outer is not None or not (concrete.writes or concrete.asks_layout):
        return False
    signature = concrete.signature
    apart: list[Any] = [*leaves]
    for i, alias in enumerate(signature.aliases if signature.wholes else ()):
        if alias in signature.parts:
            apart[i] = None  # what it is a part of follows
    return is_unlike(concrete, leaves, apart) or containers.repeated(found)


def is_unlike(
    concrete: ConcreteFunction, leaves: Sequence[Any], parts: Sequence[Any]
) -> bool:
    """Whether a call with these leaves is run as Python.

    parts: the leaves, with what lists among them hold in their place
    """
    if concrete.asks_layout and not all(map(_lies_in_order, parts)):
        return True
    if not concrete.writes_arrays:
        return False
    written = concrete.written_arrays(leaves)
    if any(_is_locked(array) or lies_in_itself(array) for array in written):
        return True
    if concrete.outer is None and _is_met_twice(leaves, concrete.signature.aliases):
        return True
    return containers.share_memory(parts, concrete.outer_arrays)


def lies_anyhow(given: Any) -> bool:
    """Whether some array among arguments is one that no trace may be made for."""
    leaves = tree.flatten(given)[0]
    odd = any(_is_locked(leaf) or not _lies_in_order(leaf) for leaf in leaves)
    return odd or containers.share_memory(leaves, ())


def outer_arrays(graph: Graph) -> list[Any]:
    """The user's arrays that a graph reads by name."""
    shared = (node for node in graph.nodes if node.attributes.get("shared"))
    return [node.attributes["value"] for node in shared]


def _lies_in_order(leaf: Any) -> bool:
    return not isinstance(leaf, np.ndarray) or bool(leaf.flags.c_contiguous)


def _is_met_twice(leaves: Sequence[Any], aliases: Sequence[int]) -> bool:
    """Whether one array is passed for what the trace takes for two."""
    first: dict[int, int] = {}
    pairs = zip(leaves, aliases, strict=False)  # wholes follow
    return any(
        isinstance(leaf, np.ndarray) and first.setdefault(id(leaf), i) != alias
        for i, (leaf, alias) in enumerate(pairs)
    )


def lies_in_itself(array: Any) -> bool:
    """Whether elements of an array may be one in memory, as windows of it are."""
    if not isinstance(array, np.ndarray) or array.flags.forc or array.size < 2:
        return False
    pairs = zip(array.strides, array.shape, strict=True)
    steps = sorted((abs(step), size) for step, size in pairs if size > 1)
    reach = array.itemsize
    for step, size in steps:
        if step < reach:
            return True
        reach += step * (size - 1)
    return False


def _is_locked(array: Any) -> bool:
    return isinstance(array, np.ndarray) and not array.flags.writeable
