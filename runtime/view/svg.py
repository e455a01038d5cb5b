"""SVG: a drawing as a picture that needs nothing else, in light and dark.

Colours are variables that follow the reader's theme; the picture has a ground of its
own, so it is readable on any page.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from runtime.graph import Graph
from runtime.view import metrics
from runtime.view.drawing import CELL, HEAD, LINE, Box, Sheet, draw, path
from runtime.view.scene import Item, scene

LIGHT = {
    "ground": "#ffffff",
    "text": "#1f2328",
    "quiet": "#59636e",
    "line": "#818b98",
    "op": "#f6f8fa",
    "rim": "#afb8c1",
    "input": "#ddf4ff",
    "input-rim": "#54aeff",
    "constant": "#fff8c5",
    "constant-rim": "#d4a72c",
    "effect": "#ffebe9",
    "effect-rim": "#ff8182",
    "group": "#fbfaff",
    "group-rim": "#8250df",
    "sheet": "#ffffff",
    "return": "#dafbe1",
    "return-rim": "#4ac26b",
}
DARK = {
    "ground": "#0d1117",
    "text": "#e6edf3",
    "quiet": "#9198a1",
    "line": "#7d8590",
    "op": "#1c2128",
    "rim": "#444c56",
    "input": "#0b2657",
    "input-rim": "#388bfd",
    "constant": "#341a00",
    "constant-rim": "#9e6a03",
    "effect": "#490202",
    "effect-rim": "#da3633",
    "group": "#161021",
    "group-rim": "#8957e5",
    "sheet": "#0d1117",
    "return": "#03300f",
    "return-rim": "#238636",
}
KINDS = ("input", "constant", "effect", "group", "return")

MARKER = (
    '<marker id="ag-tip" viewBox="0 0 6 6" refX="5.5" refY="3" markerWidth="6" '
    'markerHeight="6" orient="auto"><path class="tip" d="M0 0L6 3L0 6z"/></marker>'
)


def style(scope: str) -> str:
    """The rules for a picture under `scope`, a selector."""
    light = ";".join(f"--{name}:{colour}" for name, colour in LIGHT.items())
    dark = ";".join(f"--{name}:{colour}" for name, colour in DARK.items())
    kinds = "".join(
        f"{scope} .{kind}>rect{{fill:var(--{kind});stroke:var(--{kind}-rim)}}"
        for kind in KINDS
    )
    return (
        f"{scope}{{{light};font-family:{metrics.FONT}}}"
        f"@media(prefers-color-scheme:dark){{{scope}{{{dark}}}}}"
        f"{scope} text{{fill:var(--text);font-size:{metrics.TITLE_SIZE}px;"
        "white-space:pre}"
        f"{scope} text.c{{font-size:{metrics.CELL_SIZE}px;fill:var(--quiet);"
        "text-anchor:middle}"
        f"{scope} text.l{{font-size:{metrics.CELL_SIZE}px;fill:var(--quiet);"
        "text-anchor:end}"
        f"{scope} rect{{fill:var(--op);stroke:var(--rim)}}"
        f"{scope} .reference>rect{{fill:none;stroke:var(--input-rim);"
        "stroke-dasharray:3 2}"
        f"{kinds}"
        f"{scope} .ground{{fill:var(--ground);stroke:none}}"
        f"{scope} .sheet>rect{{fill:var(--sheet);stroke:var(--rim)}}"
        f"{scope} .group>text{{font-weight:600}}"
        f"{scope} path{{fill:none;stroke:var(--line);stroke-width:1.2}}"
        f"{scope} path.d{{stroke-dasharray:2 4}}"
        f"{scope} .tip{{fill:var(--line);stroke:none}}"
    )


MANY = 3000  # nodes beyond which notebooks get no picture, which would stop them


def to_svg(graph: Graph) -> str:
    """A picture of a graph, a whole SVG file."""
    return svg(draw(scene(graph)))


def mimebundle(graph: Graph, text: str) -> dict[str, str]:
    """What a notebook shows of a graph: its picture, or its text."""
    shown = {"text/plain": text}
    if sum(1 for _ in graph.walk()) <= MANY:
        shown["image/svg+xml"] = to_svg(graph)
    return shown


def svg(sheet: Sheet) -> str:
    """A picture of a drawing."""
    width, height = sheet.width, sheet.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ag-graph" role="img" '
        f'aria-label="graph {escape(sheet.title)}" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}">'
        f"<style>{style('.ag-graph')}</style><defs>{MARKER}</defs>"
        f'<rect class="ground" width="100%" height="100%"/>'
        f"{''.join(_sheet(sheet))}</svg>\n"
    )


def _sheet(sheet: Sheet) -> Iterator[str]:
    if sheet.title:
        yield (
            f'<text class="c" x="{sheet.width / 2:.1f}" y="{CELL - 4:.1f}">'
            f"{escape(sheet.title)}</text>"
        )
    for line in sheet.lines:
        kind = ' class="d"' if line.dashed else ""
        said = f"<title>{escape(line.label)}</title>" if line.label else ""
        d = path(sheet, line)
        yield f'<path{kind} marker-end="url(#ag-tip)" d="{d}">{said}</path>'
    for box in sheet.boxes:
        yield from _box(box)


def _box(box: Box) -> Iterator[str]:
    item = box.item
    rounded = 10 if item.kind in ("input", "reference") else 4
    yield f'<g class="{item.kind}" transform="translate({box.x:.1f} {box.y:.1f})">'
    yield f"<title>{escape(said_of(item))}</title>"
    yield f'<rect width="{box.width:.1f}" height="{box.height:.1f}" rx="{rounded}"/>'
    if item.title:
        baseline = (HEAD if box.sheets else LINE) / 2 + 4.5
        yield f'<text x="9" y="{baseline:.1f}">{escape(item.title)}</text>'
        if item.margin:
            yield (
                f'<text class="l" x="{box.width - 7:.1f}" y="{baseline:.1f}">'
                f"{escape(item.margin)}</text>"
            )
    for inner in box.sheets:
        yield f'<g class="sheet" transform="translate({inner.x:.1f} {inner.y:.1f})">'
        yield f'<rect width="{inner.width:.1f}" height="{inner.height:.1f}" rx="4"/>'
        yield from _sheet(inner)
        yield "</g>"
    for text, (x, width) in zip(item.cells, box.cells, strict=True):
        yield (
            f'<text class="c" x="{x + width / 2:.1f}" y="{box.height - 6:.1f}">'
            f"{escape(text)}</text>"
        )
    yield "</g>"


def said_of(item: Item) -> str:
    """What is said of a box when one points at it."""
    lines = [item.full or item.title, *item.cells]
    if item.location is not None:
        place = item.location
        lines.append(f"{place}  {place.source}".rstrip())
    return "\n".join(line for line in lines if line)
