"""Ordering: in which order the vertices of each row stand, so that few edges cross.

Rows are sorted by where their neighbours stand, downwards and upwards in turns (the
barycentre method of Sugiyama, Tagawa and Toda, 1981); then neighbours that cross less
when exchanged are exchanged. The best order met is kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from runtime.view.layers import Layers

ROUNDS = 12
MANY = 3000  # vertices beyond which fewer rounds are made
FEW = 800  # vertices up to which single exchanges are tried

_Order = tuple[int, list[list[int]]]  # crossings, and the rows that have them


def order(layers: Layers) -> None:
    """Sort the rows in place, and tell each vertex its place."""
    count = len(layers.vertices)
    rounds = ROUNDS if count < MANY else max(2, ROUNDS * MANY // count)
    found = [(_crossings(layers), _copied(layers))]
    _improve(layers, rounds, found)
    if count <= FEW and found[0][0]:
        _start_from_the_ends(layers)
        _improve(layers, rounds, found)
    layers.rows[:] = found[0][1]
    for row in layers.rows:
        _number(layers, row)


def _improve(layers: Layers, rounds: int, found: list[_Order]) -> None:
    """Sort downwards and upwards in turns; `found` holds the best order so far."""
    for turn in range(rounds):
        if found[0][0] == 0:
            return
        # What stands equally well is exchanged every other time.
        _sweep(layers, down=turn % 2 == 0, exchange=turn % 4 > 1)
        if len(layers.vertices) <= FEW:
            _exchange(layers)
        crossings = _crossings(layers)
        if crossings < found[0][0]:
            found[:] = [(crossings, _copied(layers))]


def _copied(layers: Layers) -> list[list[int]]:
    return [list(row) for row in layers.rows]


def _start_from_the_ends(layers: Layers) -> None:
    """Order the rows as a walk from the last row upwards meets their vertices."""
    met: dict[int, int] = {}
    waiting = [number for row in layers.rows for number in reversed(row)]
    while waiting:
        number = waiting.pop()
        if number not in met:
            met[number] = len(met)
            waiting += [upper for upper, _ in reversed(layers.vertices[number].up)]
    for row in layers.rows:
        row.sort(key=met.__getitem__)
        _number(layers, row)


def _number(layers: Layers, row: list[int]) -> None:
    for place, number in enumerate(row):
        layers.vertices[number].place = place


def _sweep(layers: Layers, down: bool, exchange: bool) -> None:
    rows = layers.rows[1:] if down else layers.rows[-2::-1]
    for row in rows:
        keys = {number: _wanted(layers, number, down) for number in row}
        if exchange:
            row.reverse()
        row.sort(key=keys.__getitem__)
        _number(layers, row)


def _wanted(layers: Layers, number: int, down: bool) -> float:
    """The mean place of the neighbours in the row above, or below."""
    vertex = layers.vertices[number]
    if down:
        near = [layers.vertices[upper].place + at for upper, at in vertex.up]
    else:
        near = [layers.vertices[lower].place + 1 - at for lower, at in vertex.down]
    return sum(near) / len(near) if near else vertex.place + 0.5


def _crossings(layers: Layers) -> int:
    """How many pairs of edges cross."""
    total = 0
    for row in layers.rows[:-1]:
        ends = [
            (layers.vertices[number].place + at, layers.vertices[lower].place)
            for number in row
            for lower, at in layers.vertices[number].down
        ]
        ends.sort()
        seen: list[int] = []
        for _, place in ends:
            total += len(seen) - bisect_right(seen, place)
            insort(seen, place)
    return total


def _exchange(layers: Layers) -> None:
    """Exchange neighbours while that removes crossings."""
    for row in layers.rows:
        for left in range(len(row) - 1):
            a, b = row[left], row[left + 1]
            if _between(layers, a, b) > _between(layers, b, a):
                row[left], row[left + 1] = b, a
                layers.vertices[a].place = left + 1
                layers.vertices[b].place = left


def _between(layers: Layers, a: int, b: int) -> int:
    """The crossings of their edges when `a` stands left of `b`."""
    total = 0
    for ends in (_above, _below):
        others = sorted(ends(layers, b))
        total += sum(bisect_left(others, end) for end in ends(layers, a))
    return total


def _above(layers: Layers, number: int) -> list[float]:
    vertex = layers.vertices[number]
    return [layers.vertices[upper].place + at for upper, at in vertex.up]


def _below(layers: Layers, number: int) -> list[float]:
    vertex = layers.vertices[number]
    return [float(layers.vertices[lower].place) for lower, _ in vertex.down]
