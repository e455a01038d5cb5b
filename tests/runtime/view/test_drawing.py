"""Boxes lie apart and hold what is in them; edges lead down and past all boxes."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings

from runtime.text import parse
from runtime.view import metrics
from runtime.view.drawing import Sheet, boxes_of, draw, path
from runtime.view.scene import scene
from tests.runtime.programs import graphs
from tests.runtime.view.pictured import long_graph, searching

GRAPHS = {
    "loop with a branch": searching,
    "300 nodes": lambda: long_graph(300),
    "independent": lambda: long_graph(120, near=0.0),
}


@pytest.fixture(params=GRAPHS, scope="module")
def sheet(request):
    return draw(scene(GRAPHS[request.param]()))


def sheets_of(sheet: Sheet):
    yield sheet
    for box in sheet.boxes:
        for inner in box.sheets:
            yield from sheets_of(inner)


def boxes_lie_apart_and_inside(sheet: Sheet) -> None:
    for one in sheets_of(sheet):
        for box in one.boxes:
            assert box.x >= 0
            assert box.x + box.width <= one.width + 0.01
            assert box.y + box.height <= one.height
            assert all(s.y + s.height <= box.height for s in box.sheets)
            assert all(0 <= s.x <= box.width - s.width + 0.01 for s in box.sheets)
        for row in {box.row for box in one.boxes}:
            beside = sorted((b for b in one.boxes if b.row == row), key=lambda b: b.x)
            assert all(a.x + a.width + 5 < b.x for a, b in pairwise(beside))
        assert all(a < b for a, b in pairwise(one.tops))


def texts_fit(sheet: Sheet) -> None:
    for box, _, _ in boxes_of(sheet):
        item = box.item
        title = metrics.width(item.title, metrics.TITLE_SIZE)
        title += metrics.width(item.margin, metrics.CELL_SIZE)
        assert title + 16 <= box.width + 0.01 or not item.title
        for text, (x, width) in zip(item.cells, box.cells, strict=True):
            assert metrics.width(text, metrics.CELL_SIZE) + 8 <= width
            assert x + width <= box.width + 0.01


NUMBER = re.compile(r"[MVC ]*(-?[\d.]+)")


def points(d: str):
    """Points on a path, close to one another."""
    x = y = 0.0
    for command, text in re.findall(r"([MVC])([^MVC]*)", d):
        numbers = [float(n) for n in text.split()]
        if command == "M":
            x, y = numbers
        elif command == "V":
            yield from ((x, y + (numbers[0] - y) * t / 8) for t in range(9))
            y = numbers[0]
        else:
            x1, y1, x2, y2, x3, y3 = numbers
            for t in (k / 8 for k in range(9)):
                u = 1 - t
                a, b, c, d_ = u**3, 3 * u * u * t, 3 * u * t * t, t**3
                yield (
                    a * x + b * x1 + c * x2 + d_ * x3,
                    a * y + b * y1 + c * y2 + d_ * y3,
                )
            x, y = x3, y3


def edges_lead_down_and_past_boxes(sheet: Sheet) -> None:
    for one in sheets_of(sheet):
        for line in one.lines:
            way = list(points(path(one, line)))
            assert all(a[1] <= b[1] + 0.01 for a, b in pairwise(way))
            for box in one.boxes:
                for x, y in way:
                    inside = box.x + 0.2 < x < box.x + box.width - 0.2
                    assert not (inside and box.y + 0.2 < y < box.y + box.height - 0.2)


CHECKS = (boxes_lie_apart_and_inside, texts_fit, edges_lead_down_and_past_boxes)


@pytest.mark.parametrize("check", CHECKS)
def test_drawings_are_in_order(check, sheet):
    check(sheet)


@settings(max_examples=40)
@given(graphs())
def test_drawings_of_random_graphs_are_in_order(graph):
    sheet = draw(scene(graph))
    for check in CHECKS:
        check(sheet)


def crossings(sheet: Sheet) -> int:
    """Pairs of edges between two rows that end the other way around."""
    steps = [
        (sheet.boxes[line.source].row + at, a, b)
        for line in sheet.lines
        for at, (a, b) in enumerate(pairwise(line.xs))
    ]
    return sum(
        (a[1] - b[1]) * (a[2] - b[2]) < -1e-6
        for at, a in enumerate(steps)
        for b in steps[:at]
        if a[0] == b[0]
    )


def test_no_edges_cross_where_an_order_without_crossings_exists():
    graph = parse(
        """graph tree(a: float64[], b: float64[], c: float64[], d: float64[]) {
             e: float64[] = sin(d)
             f: float64[] = sin(c)
             g: float64[] = sin(b)
             h: float64[] = sin(a)
             i: float64[] = add(h, e)
             j: float64[] = add(g, f)
             k: float64[] = add(e, d)
             return k, j, i }"""
    )
    assert crossings(draw(scene(graph))) == 0


def test_long_program_has_few_crossings():
    # In program order, without sorting the rows, there are 359.
    assert crossings(draw(scene(long_graph(200)))) < 120


def test_value_that_is_used_far_below_is_written_anew_there():
    lines = [f"v{n + 1}: float64[] = sin(v{n})" for n in range(30)]
    graph = parse(
        "graph far(v0: float64[]) { "
        + "\n".join(lines)
        + "\nv31: float64[] = add(v30, v0) return v31 }"
    )
    sheet = draw(scene(graph))
    (box,) = (box for box in sheet.boxes if box.item.kind == "reference")
    (line,) = (line for line in sheet.lines if sheet.boxes[line.source] is box)
    assert box.item.cells == ("a",)
    assert sheet.boxes[line.target].item.title == "add(ae, a)"
