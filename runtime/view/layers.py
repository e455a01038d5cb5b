"""Layers: which rank each item of a level gets, and the ways of values between ranks.

A rank is a row: every edge leads from one row to the next, so a value that skips rows
has a place of its own in each, a bend. All the edges of one value share their bends. A
value that would run past too many rows is written anew beside who uses it: a reference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.structs import field, struct

FAR = 10  # rows that an edge may pass
BEND = 8.0  # the width that a bend takes


@struct(frozen=False)
class Vertex:
    """What has a place in a row: an item, or a bend of a value's way.

    item: its number, None for bends
    up, down: edges to the rows above and below: (vertex, where it leaves the upper one,
              as a part of its width)
    """

    item: int | None
    width: float
    rank: int
    up: list[tuple[int, float]] = field(default_factory=list)
    down: list[tuple[int, float]] = field(default_factory=list)
    place: int = 0
    x: float = 0.0


@struct
class Way:
    """An edge from one item to another, by its bends; all are vertices.

    at:  where it leaves the source, as a part of the width
    """

    edge: int
    source: int
    bends: tuple[int, ...]
    target: int
    at: float


@struct(frozen=False)
class Layers:
    """The rows of a level; chains: the bends of each value that has some."""

    vertices: list[Vertex]
    rows: list[list[int]]
    ways: list[Way]
    chains: list[list[int]]


def find_ranks(
    sizes: Sequence[tuple[float, float]],
    pairs: Sequence[tuple[int, int]],
    fixed: frozenset[int],
    last: int | None,
) -> list[int]:
    """A row for each item, below all that it needs.

    sizes: widths and heights, in program order
    pairs: (before, after), of which the first comes earlier
    fixed: items that stay in the first row; last: the one that is below all others
    A row takes no more than fits a picture that is not much wider than high.
    """
    before: list[list[int]] = [[] for _ in sizes]
    after: list[list[int]] = [[] for _ in sizes]
    for source, target in pairs:
        before[target].append(source)
        after[source].append(target)
    area = sum((width + 24) * (height + 44) for width, height in sizes)
    most = max(1100.0, 1.4 * math.sqrt(area))
    taken: dict[int, float] = {}
    ranks = [0] * len(sizes)
    top = 0
    for item, (width, _) in enumerate(sizes):
        rank = max((ranks[b] + 1 for b in before[item]), default=0)
        while item not in fixed and taken.get(rank, 0.0) + width > most:
            if not taken.get(rank):
                break
            rank += 1
        taken[rank] = taken.get(rank, 0.0) + width
        ranks[item] = rank
        top = max(top, rank)
    # What needs nothing stands beside its first user, not at the top.
    for item in range(len(sizes) - 1, -1, -1):
        if not before[item] and after[item] and item not in fixed:
            ranks[item] = max(0, min(ranks[a] for a in after[item]) - 1)
    if last is not None:
        ranks[last] = max(ranks[last], top)
    return ranks


def make_layers(
    widths: Sequence[float],
    ranks: Sequence[int],
    edges: Sequence[tuple[int, int, float]],
) -> Layers:
    """The rows with the bends of all edges, (source, target, where it leaves)."""
    vertices = [
        Vertex(item, width, rank)
        for item, (width, rank) in enumerate(zip(widths, ranks, strict=True))
    ]
    bends: dict[tuple[int, float], list[int]] = {}
    ways = []
    linked: set[tuple[int, int, float]] = set()

    def link(upper: int, lower: int, at: float) -> None:
        if (upper, lower, at) not in linked:
            linked.add((upper, lower, at))
            vertices[upper].down.append((lower, at))
            vertices[lower].up.append((upper, at))

    for edge, (source, target, at) in enumerate(edges):
        known = bends.setdefault((source, at), [])
        count = ranks[target] - ranks[source] - 1
        while len(known) < count:
            vertices.append(Vertex(None, BEND, ranks[source] + len(known) + 1))
            made = len(vertices) - 1
            link(known[-1] if known else source, made, 0.5 if known else at)
            known.append(made)
        taken = tuple(known[:count])
        link(taken[-1] if taken else source, target, 0.5 if taken else at)
        ways.append(Way(edge, source, taken, target, at))
    rows: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for number, vertex in enumerate(vertices):
        vertex.place = len(rows[vertex.rank])
        rows[vertex.rank].append(number)
    return Layers(vertices, rows, ways, [chain for chain in bends.values() if chain])
