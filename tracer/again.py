"""again: a run that has failed is made once more as Python, from the same start.

What an exception leaves changed is known to Python only: a graph writes most arguments
and places when it ends. So a function that changes any is called as it is when its
graph has failed, unless the graph has done what cannot be done twice.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.effects import Guard
from runtime.failing import may_fail
from runtime.graph import Graph, Node
from tracer.traced import Traced

# What a run has done besides computing can be done once more without being seen.
_SAID_AGAIN = frozenset(
    """
    print assert raise reraise require_defined require_writable require_array
    enter_errstate leave_errstate
    """.split()
)


def can_be_done_again(graph: Graph) -> bool:
    """Whether nobody sees that a graph is run, or its function called, twice."""
    return all(map(_is_said_again, _done(graph)))


def ends(traced: Traced) -> dict[int, int]:
    """For the inputs that are arrays that it changes, the outputs that they become."""
    places = {leaf: at for at, leaf in enumerate(traced.inputs)}
    return {places[leaf]: output for leaf, output in traced.arguments_changed}


def cannot_be_undone(graph: Graph) -> bool:
    """Whether what a failing run has written stays in the caller's arrays."""
    return fails(graph) and not can_be_done_again(graph)


def fails(graph: Graph) -> bool:
    """Whether a run of a graph may raise."""
    return any(
        may_fail(node, graph.nodes[:at]) or any(map(fails, node.graphs))
        for at, node in enumerate(graph.nodes)
    )


def quietly(call: Callable[[], Any]) -> Any:
    """`call()`, with nothing of what it prints, or warns of, said once more."""
    nowhere = io.StringIO()
    to_nowhere = contextlib.redirect_stdout(nowhere)
    with to_nowhere, contextlib.redirect_stderr(nowhere):
        # Those that are errors for the user are raised all the same.
        with warnings.catch_warnings(record=True):
            return call()


class Kept:
    """What arrays hold before a run that may write into them and fail."""

    def __init__(self, leaves: Sequence[Any], written: Sequence[int]) -> None:
        self._arrays = [(leaves[at], leaves[at].copy()) for at in written]

    def put_back(self) -> None:
        """Make them hold it again."""
        for array, content in self._arrays:
            array[...] = content


def _is_said_again(node: Node) -> bool:
    writes = [e for e in node.effects if e.kind == "write"]
    only_fails = all(isinstance(effect.what, Guard) for effect in writes)
    file = node.attributes.get("kwargs", {}).get("file")
    unseen = node.op.name in _SAID_AGAIN and file in (None, "stdout", "stderr")
    return only_fails or unseen


def _done(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph that hold no others."""
    for node in graph.nodes:
        for inner in node.graphs:
            yield from _done(inner)
        if not node.graphs:
            yield node
