"""Passes: from Graph to Graph, one per file; `optimize` runs those of PIPELINE.

Each pass keeps what the program means: its outputs, its effects in their order, and the
errors of what is used.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.graph import Graph, Node
from runtime.ops.settings import has_settings
from runtime.passes import characters
from runtime.passes.behind import behind
from runtime.passes.cse import cse
from runtime.passes.early import early
from runtime.passes.fold import fold
from runtime.passes.hoist import hoist
from runtime.passes.inline import inline
from runtime.passes.prune import prune
from runtime.passes.simplify import simplify
from runtime.passes.unpart import unpart
from runtime.passes.unshape import unshape
from runtime.passes.untry import untry
from runtime.passes.unview import unview
from runtime.spec import object_type
from runtime.verify import verify_if_enabled


def as_numbers(graph: Graph) -> Graph:
    """Characters as numbers, where there are texts: that is loaded then."""
    values = [*graph.inputs, *(v for node in graph.walk() for v in node.outputs)]
    if not any(object_type(value.spec) in (str, bytes) for value in values):
        return graph
    return characters.characters(graph)


PIPELINE: tuple[Callable[[Graph], Graph], ...] = (
    prune,  # first, so that nothing unused is folded, and no unused failure is met
    untry,  # before what asks how it has ended is folded away
    fold,  # constant predicates and flags are found before the rules that ask for them
    simplify,  # unchanged loop variables become captures, which cse and hoist need
    unshape,  # before equal reshapes are one, which has more uses
    cse,
    behind,  # after equal views have become one
    unpart,  # after equal parts have become one, and are handed on no more
    unview,  # after equal views have become one, and parts that views are taken of
    as_numbers,  # texts from before a loop are captures of it by now
    hoist,
    behind,  # what is a view no more is handed on twice, and what places are taken of
    prune,  # what the others left unused
    early,  # after cse, which leaves the first of equal ones
)


# For a graph of which a part has settings of its own: these move nothing, and compute
# nothing beforehand.
IN_PLACE = (prune, simplify, prune)


def optimize(graph: Graph) -> Graph:
    """`graph` after every pass of PIPELINE, verified between them when that is on."""
    known: set[Node] = set()
    graph = verify_if_enabled(graph, known)
    graph = inline(graph)
    for rewrite in IN_PLACE if has_settings(graph) else PIPELINE:
        graph = verify_if_enabled(rewrite(graph), known)
    return graph
