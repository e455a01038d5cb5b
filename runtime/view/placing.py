"""Placing: where each vertex of the ordered rows stands, from left to right.

Each vertex wants to stand below, or above, its neighbours; in a row the wishes are met
in the sense of least squares, with the order and the distances kept. Bends want to
stand below one another most of all, so long edges are straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from runtime.view.layers import Layers, Vertex

GAP = 22.0  # between items
NARROW = 9.0  # beside a bend
ROUNDS = 6
STRAIGHT = 30.0  # how much a bend wants to stand below the others of its value
MANY = 6000


def place(layers: Layers) -> float:
    """Give every vertex its `x`, of its centre; returns the width of all."""
    vertices = layers.vertices
    for row in layers.rows:
        x = 0.0
        for number, step in zip(row, _steps(layers, row), strict=True):
            x += step
            vertices[number].x = x
    rounds = ROUNDS if len(vertices) < MANY else 3
    for _ in range(rounds):
        for row in layers.rows[1:]:
            _settle(layers, row, above=True, below=False)
        for row in layers.rows[-2::-1]:
            _settle(layers, row, above=False, below=True)
    for _ in range(rounds):
        straight = _straight(layers)
        for row in layers.rows:
            _settle(layers, row, above=True, below=True, straight=straight)
    left = min((v.x - v.width / 2 for v in vertices), default=0.0)
    for vertex in vertices:
        vertex.x -= left
    return max((v.x + v.width / 2 for v in vertices), default=0.0)


def _steps(layers: Layers, row: Sequence[int]) -> list[float]:
    """The least distance of each vertex's centre from the one before."""
    found = []
    before: Vertex | None = None
    for number in row:
        vertex = layers.vertices[number]
        if before is None:
            found.append(vertex.width / 2)
        else:
            bend = before.item is None or vertex.item is None
            space = NARROW if bend else GAP
            found.append((before.width + vertex.width) / 2 + space)
        before = vertex
    return found


def _straight(layers: Layers) -> dict[int, tuple[float, float]]:
    """The wishes of bends that a value's way be one straight line."""
    found: dict[int, tuple[float, float]] = {}
    for chain in layers.chains:
        middle = sum(layers.vertices[number].x for number in chain) / len(chain)
        found |= dict.fromkeys(chain, (middle, STRAIGHT))
    return found


def _settle(
    layers: Layers,
    row: Sequence[int],
    above: bool,
    below: bool,
    straight: Mapping[int, tuple[float, float]] = MappingProxyType({}),
) -> None:
    wishes = [straight.get(n) or _wish(layers, n, above, below) for n in row]
    offsets, total = [], 0.0
    for step in _steps(layers, row):
        total += step
        offsets.append(total)
    wanted = [x - offset for (x, _), offset in zip(wishes, offsets, strict=True)]
    for number, x, offset in zip(
        row, ascending(wanted, [weight for _, weight in wishes]), offsets, strict=True
    ):
        layers.vertices[number].x = x + offset


def _wish(layers: Layers, number: int, above: bool, below: bool) -> tuple[float, float]:
    """Where a vertex wants its centre to be, and how much."""
    vertex = layers.vertices[number]
    total = weights = 0.0
    for upper, at in vertex.up if above else ():
        other = layers.vertices[upper]
        weight = _weight(vertex, other)
        total += weight * (other.x + (at - 0.5) * other.width)
        weights += weight
    for lower, at in vertex.down if below else ():
        other = layers.vertices[lower]
        weight = _weight(vertex, other)
        total += weight * (other.x - (at - 0.5) * vertex.width)
        weights += weight
    if not weights:
        return vertex.x, 0.1
    return total / weights, weights


def _weight(vertex: Vertex, other: Vertex) -> float:
    bends = (vertex.item is None) + (other.item is None)
    return (1.0, 2.0, 8.0)[bends]


def ascending(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The ascending numbers nearest to `wanted`: weighted least squares.

    >>> ascending([1.0, 5.0, 3.0, 9.0], [1.0, 1.0, 1.0, 1.0])
    [1.0, 4.0, 4.0, 9.0]
    """
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for value, weight in zip(wanted, weights, strict=True):
        count = 1
        while blocks and blocks[-1][0] > value:
            mean, heavy, many = blocks.pop()
            value = (value * weight + mean * heavy) / (weight + heavy)
            weight += heavy
            count += many
        blocks.append((value, weight, count))
    return [mean for mean, _, count in blocks for _ in range(count)]
