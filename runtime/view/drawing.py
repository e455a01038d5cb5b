"""The drawing: every box of a scene with its place and size, every edge with its bends.

A box with levels inside is drawn first and then placed like any other, so boxes lie in
boxes to any depth. Rows are as high as their highest box; between rows is room for the
edges, which pass rows only where a bend has its place: no edge runs through a box.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.structs import field, struct
from runtime.view import layers as layering
from runtime.view import metrics
from runtime.view.layers import FAR, Layers
from runtime.view.ordering import order
from runtime.view.placing import ascending, place
from runtime.view.scene import Edge, Item, Level

LINE, CELL, HEAD = 22.0, 18.0, 24.0  # heights: a title, a row of cells, a group's title
SIDE, PAD, BETWEEN = 9.0, 10.0, 10.0  # inside a box, inside a level, between levels
ROOM, CROWD, MOST_ROOM = 24.0, 1.6, 64.0  # between rows: at least, per edge, at most
SIGN = "▾ "  # before a group's title on the page: it can be closed


@struct(frozen=False)
class Box:
    """An item with its size and, in its sheet, its place.

    row:   the row that it stands in, at whose top it lies
    cells: left side and width of each cell, from the box's left side
    sheets: its levels, side by side
    """

    item: Item
    width: float
    height: float
    cells: list[tuple[float, float]]
    sheets: list[Sheet]
    row: int = 0
    x: float = 0.0
    y: float = 0.0


@struct(frozen=False)
class Line:
    """An edge: xs are where it leaves the source, its bends and where it arrives."""

    source: int
    target: int
    xs: list[float]
    label: str
    dashed: bool = False


@struct(frozen=False)
class Sheet:
    """A level with its boxes placed.

    rooms: the height below each row that edges have for themselves
    x, y:  where it lies in the box that it is part of
    """

    title: str
    boxes: list[Box]
    lines: list[Line]
    rooms: list[float]
    width: float
    tops: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0


def draw(level: Level) -> Sheet:
    """The level with all that is in it, placed."""
    boxes = [_box(item) for item in level.items]
    edges, dashed, ranks = _ranked(level, boxes)
    pairs = [(e.source, e.target, _leaves(boxes[e.source], e.port)) for e in edges] + [
        (a, b, 0.5) for a, b in dashed
    ]
    made = layering.make_layers([box.width for box in boxes], ranks, pairs)
    order(made)
    width = place(made)
    for vertex, box in zip(made.vertices, boxes, strict=False):
        box.x, box.row = vertex.x - box.width / 2, vertex.rank
    labels = [edge.label for edge in edges] + [""] * len(dashed)
    lines = _lines(made, boxes, labels)
    for line in lines[len(edges) :]:
        line.dashed = True
    title = metrics.width(level.title, metrics.CELL_SIZE) + 2 * SIDE
    shift = PAD + max(0.0, (title - width - 2 * PAD) / 2)
    for box in boxes:
        box.x += shift
    for line in lines:
        line.xs = [x + shift for x in line.xs]
    sheet = Sheet(level.title, boxes, lines, _rooms(made), width + 2 * shift)
    stack(sheet)
    return sheet


def stack(sheet: Sheet) -> None:
    """Give rows and boxes their heights; `page.js` does the same when a box closes."""
    y = (CELL if sheet.title else 0.0) + PAD
    heights = [0.0] * (len(sheet.rooms))
    for box in sheet.boxes:
        heights[box.row] = max(heights[box.row], box.height)
    sheet.tops = []
    for height, room in zip(heights, sheet.rooms, strict=True):
        sheet.tops.append(y)
        y += height + room
    for box in sheet.boxes:
        box.y = sheet.tops[box.row]
    sheet.heights = heights
    sheet.height = y + PAD


# Sizes.


def _box(item: Item) -> Box:
    sheets = [draw(level) for level in item.levels]
    inner = sum(sheet.width for sheet in sheets) + BETWEEN * (len(sheets) + 1)
    sign = SIGN if sheets else ""
    title = metrics.width(sign + item.title, metrics.TITLE_SIZE) + 2 * SIDE
    if item.margin:
        title += metrics.width(" " + item.margin, metrics.CELL_SIZE) + SIDE
    wanted = [metrics.width(c, metrics.CELL_SIZE) + 2 * SIDE for c in item.cells]
    width = max(title if item.title else 0.0, sum(wanted), inner if sheets else 0.0)
    spare = (width - sum(wanted)) / max(1, len(wanted))
    cells, x = [], 0.0
    for cell in wanted:
        cells.append((x, cell + spare))
        x += cell + spare
    height = (LINE if item.title else 2.0) + (CELL if item.cells else 0.0)
    if sheets:
        left = BETWEEN + (width - inner) / 2
        for sheet in sheets:
            sheet.x, sheet.y = left, HEAD
            left += sheet.width + BETWEEN
        tallest = max(sheet.height for sheet in sheets)
        height = HEAD + tallest + BETWEEN + (CELL if item.cells else 0.0)
    return Box(item, width, height, cells, sheets)


def _leaves(box: Box, port: int) -> float:
    """Where a cell's value leaves the box, as a part of its width."""
    if not box.cells:
        return 0.5
    x, width = box.cells[port]
    return (x + width / 2) / box.width


def _rooms(layers: Layers) -> list[float]:
    found = []
    for row in layers.rows:
        count = sum(len(layers.vertices[number].down) for number in row)
        found.append(min(ROOM + CROWD * count, MOST_ROOM))
    if found:
        found[-1] = 0.0
    return found


# Rows, and what is written anew.


def _ranked(
    level: Level, boxes: list[Box]
) -> tuple[list[Edge], list[tuple[int, int]], list[int]]:
    """The edges to draw, the order to draw, and the rows; adds the references."""
    items = level.items
    inputs = frozenset(i for i, item in enumerate(items) if item.kind == "input")
    last = next((i for i, item in enumerate(items) if item.kind == "return"), None)
    sizes = [(box.width, box.height) for box in boxes]
    pairs = [(edge.source, edge.target) for edge in level.edges]
    ranks = layering.find_ranks(sizes, [*pairs, *level.orders], inputs, last)
    known: dict[tuple[int, int, int], int] = {}
    edges = []
    for edge in level.edges:
        if ranks[edge.target] - ranks[edge.source] > FAR:
            row = ranks[edge.target] - 1
            key = (edge.source, edge.port, row)
            if key not in known:
                known[key] = len(boxes)
                boxes.append(_box(_reference(edge)))
                ranks.append(row)
            edge = Edge(known[key], 0, edge.target, edge.label)
        edges.append(edge)
    linked = set(pairs)
    dashed = [
        (a, b)
        for a, b in level.orders
        if (a, b) not in linked and ranks[b] - ranks[a] <= FAR
    ]
    return edges, dashed, ranks


def _reference(edge: Edge) -> Item:
    name = edge.label.partition(":")[0]
    return Item("reference", "", (name,), full=edge.label)


# Edges.


def _lines(layers: Layers, boxes: list[Box], labels: list[str]) -> list[Line]:
    lines = []
    arriving: dict[int, list[Line]] = {}
    for way in layers.ways:
        source = layers.vertices[way.source]
        leaves = source.x + (way.at - 0.5) * source.width
        xs = [leaves, *(layers.vertices[bend].x for bend in way.bends)]
        line = Line(way.source, way.target, xs, labels[way.edge])
        arriving.setdefault(way.target, []).append(line)
        lines.append(line)
    for target, group in arriving.items():
        group.sort(key=lambda line: line.xs[-1])
        box = boxes[target]
        for line, x in zip(group, _entries(box, group), strict=True):
            line.xs.append(x)
    return lines


def _entries(box: Box, arriving: list[Line]) -> list[float]:
    """Where edges enter at the top: as straight as may be, apart from one another."""
    count = len(arriving)
    step = min(14.0, box.width / (count + 1))
    first, last = box.x + step, box.x + box.width - step
    wanted = [line.xs[-1] - at * step for at, line in enumerate(arriving)]
    free = ascending(wanted, [1.0] * count)
    return [
        min(max(x + at * step, first + at * step), last - (count - 1 - at) * step)
        for at, x in enumerate(free)
    ]


def path(sheet: Sheet, line: Line) -> str:
    """The SVG path of an edge."""
    source, target = sheet.boxes[line.source], sheet.boxes[line.target]
    x, row = line.xs[0], source.row
    text = f"M{x:.1f} {source.y + source.height:.1f}"
    for at, following in enumerate(line.xs[1:]):
        bottom = sheet.tops[row + at] + sheet.heights[row + at]
        top = sheet.tops[row + at + 1]
        middle = (bottom + top) / 2
        text += (
            f"V{bottom:.1f}C{x:.1f} {middle:.1f} {following:.1f} {middle:.1f} "
            f"{following:.1f} {top:.1f}"
        )
        x = following
    if row + len(line.xs) - 1 != target.row:
        raise AssertionError("an edge ends in another row than its target's")
    return text


def boxes_of(
    sheet: Sheet, x: float = 0.0, y: float = 0.0
) -> Iterator[tuple[Box, float, float]]:
    """Every box at every depth, with its place in the whole picture."""
    for box in sheet.boxes:
        yield box, x + box.x, y + box.y
        for inner in box.sheets:
            yield from boxes_of(inner, x + box.x + inner.x, y + box.y + inner.y)
