"""Liveness: which names may still be read before they are bound again.

This is about reads in the function itself. Names that inner functions keep are live
everywhere, which `analyze` adds.
"""

from __future__ import annotations

from collections import deque

from autograph.analysis.cfg import Graph


def live_before(graph: Graph) -> list[int]:
    """For each step, the bits of the names that are live before it."""
    live = [0] * len(graph.nodes)
    before = _predecessors(graph)
    # Facts flow backward, and nodes are mostly numbered forward.
    waiting = deque(reversed(range(len(graph.nodes))))
    queued = [True] * len(graph.nodes)
    while waiting:
        index = waiting.popleft()
        queued[index] = False
        node = graph.nodes[index]
        after = 0
        for successor in node.successors:
            after |= live[successor]
        found = node.reads | (after & ~(node.binds | node.unbinds))
        if node.on_exception is not None:  # raised before anything is bound
            found |= live[node.on_exception]
        if found == live[index]:
            continue
        live[index] = found
        for predecessor in before[index]:
            if not queued[predecessor]:
                queued[predecessor] = True
                waiting.append(predecessor)
    return live


def _predecessors(graph: Graph) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in graph.nodes]
    for index, node in enumerate(graph.nodes):
        for successor in node.successors:
            before[successor].append(index)
        if node.on_exception is not None:
            before[node.on_exception].append(index)
    return before
