"""HTML: one file with a graph to walk about in, which asks no network.

The page has the drawing as data and draws what is in view (page.js); beside it stand
the functions that the graph was made of. Timings, where there are any, are shown on the
boxes.
"""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from runtime.graph import Graph, Node
from runtime.location import Location
from runtime.view.drawing import Box, Sheet, boxes_of, draw
from runtime.view.scene import scene
from runtime.view.svg import MARKER, said_of, style

KINDS = ("input", "op", "constant", "effect", "group", "return", "reference")
MOST_LINES = 3000  # of a file without a function to narrow it down to
_HERE = Path(__file__).parent

Timings = Mapping[Node, tuple[float, int]]  # seconds in all, and how many runs


def to_html(graph: Graph, timings: Timings | None = None) -> str:
    """The page of a graph.

    timings: for nodes, at any depth, the seconds that they took and how often they ran
    """
    timings = timings or {}
    level = scene(graph, {node: _said(*timings[node]) for node in timings})
    sheet = draw(level)
    places = [box.item.location for box, _, _ in boxes_of(sheet)]
    known = [place for place in places if place is not None]
    files = list(dict.fromkeys(place.filename for place in known))
    data = {
        "sheet": _Writer(files, timings).sheet(sheet),
        "files": files,
        "sources": list(_sources(known)),
    }
    count = sum(1 for _ in graph.walk())
    return _filled(
        (_HERE / "page.html").read_text(encoding="utf-8"),
        name=escape(level.title),
        style=style(".ag-graph") + (_HERE / "page.css").read_text(encoding="utf-8"),
        about="1 node" if count == 1 else f"{count:,} nodes",
        marker=MARKER,
        # `</script>` in a text of the user's would end the data.
        graph=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
        script=(_HERE / "page.js").read_text(encoding="utf-8"),
    )


def _filled(page: str, **parts: str) -> str:
    """The page with each part in its place; what is in a part is left as it is."""
    pieces = page.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


class _Writer:
    """The drawing as nested lists, in the order in which page.js reads them."""

    def __init__(self, files: list[str], timings: Timings) -> None:
        self.files = {file: number for number, file in enumerate(files)}
        self.timings = timings
        self.longest = max((seconds for seconds, _ in timings.values()), default=0.0)

    def sheet(self, sheet: Sheet) -> list[Any]:
        return [
            sheet.title,
            round(sheet.width, 1),
            [round(room, 1) for room in sheet.rooms],
            [self.box(box) for box in sheet.boxes],
            [
                [
                    line.source,
                    line.target,
                    [round(x, 1) for x in line.xs],
                    line.label,
                    int(line.dashed),
                ]
                for line in sheet.lines
            ],
            round(sheet.x, 1),
        ]

    def box(self, box: Box) -> list[Any]:
        item = box.item
        place = item.location
        return [
            KINDS.index(item.kind),
            item.title,
            [
                [text, round(x, 1), round(width, 1)]
                for text, (x, width) in zip(item.cells, box.cells, strict=True)
            ],
            round(box.x, 1),
            round(box.width, 1),
            round(box.height, 1),
            box.row,
            [self.files[place.filename], place.line] if place else None,
            said_of(item),
            [item.margin, self.heat(item.node)],
            [self.sheet(inner) for inner in box.sheets],
        ]

    def heat(self, node: Node | None) -> float:
        """How long, as a part of the longest."""
        if node is None or node not in self.timings:
            return 0.0
        return round(self.timings[node][0] / (self.longest or 1.0), 3)


def _said(seconds: float, runs: int) -> str:
    return duration(seconds) + (f", {runs:,}x" if runs > 1 else "")


def duration(seconds: float) -> str:
    """Seconds as a person says them.

    >>> duration(0.0000042), duration(0.25), duration(3.0)
    ('4.2 µs', '250 ms', '3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


# The source.


def _sources(places: list[Location]) -> Iterator[tuple[str, int, list[str]]]:
    """The functions that the places are in: file, first line and lines of each."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for place in places:
        spans.setdefault(place.filename, []).append(_span(place))
    for file, found in spans.items():
        for start, end in _joined(found):
            lines = [
                linecache.getline(file, at).rstrip("\n") for at in range(start, end)
            ]
            if any(lines):
                yield file, start, lines


def _span(place: Location) -> tuple[int, int]:
    """The lines of the function that a place is in, the last one not counted."""
    if place.code is None:
        return place.line, place.line + 1
    known = _spans.get(id(place.code))
    if known is None or known[0] is not place.code:
        lines = [line for _, _, line in place.code.co_lines() if line]
        start, end = min([place.code.co_firstlineno, *lines]), max(lines)
        if len(_spans) > 1000:
            _spans.clear()
        known = _spans[id(place.code)] = (place.code, start, end + 1)
    return known[1], min(known[2], known[1] + MOST_LINES)


# By id, with the code itself: hashing one costs as much as reading it.
_spans: dict[int, tuple[Any, int, int]] = {}


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of lines in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
