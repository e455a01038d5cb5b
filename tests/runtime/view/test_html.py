"""The page of a graph in a real browser: headless Chromium, where there is one."""

import json
import re

import pytest

from runtime.view import metrics
from runtime.view.drawing import boxes_of, draw
from runtime.view.html import to_html
from runtime.view.scene import scene
from tests.runtime.view.browser import CHROMIUM, browser
from tests.runtime.view.pictured import long_graph, search, searching

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
LOOP = "g.group text.open"


@pytest.fixture(scope="module")
def page():
    with browser() as page:
        yield page


@pytest.fixture
def opened(page, tmp_path):
    path = tmp_path / "graph.html"
    path.write_text(to_html(searching()), encoding="utf-8")
    page.open(path)
    return page


def titles(page):
    return page.settled(
        "[...document.querySelectorAll('#world g[data-box] > text:not(.c):not(.l)')]"
        ".map((t) => t.textContent)"
    )


@needs_browser
def test_page_of_10_000_nodes_is_shown_within_2_seconds(page, tmp_path):
    path = tmp_path / "long.html"
    path.write_text(to_html(long_graph(10_000)), encoding="utf-8")
    page.open(path)
    assert page.run("performance.getEntriesByName('shown')[0].startTime") < 2000
    assert "10,000 nodes" in page.run("document.querySelector('header').textContent")
    # Far away, all boxes are there still, as outlines.
    page.click("#fit")
    outlines = page.settled(
        "[...document.querySelectorAll('path.far')]"
        ".map((p) => p.getAttribute('d').split('z').length - 1)"
        ".reduce((a, b) => a + b)"
    )
    assert outlines > 10_000
    # Near, only what is in view is.
    page.run("show(all[5000])")
    assert 0 < page.settled("document.querySelectorAll('[data-box]').length") < 500


@needs_browser
def test_page_is_laid_out_as_the_picture_is(opened):
    found = opened.run(
        "all.map((b) => [...placeOf(b), b.width, b.height].map((n) => Math.round(n)))"
    )
    drawn = [
        [x, y, box.width, box.height]
        for box, x, y in boxes_of(draw(scene(searching())))
    ]
    assert len(found) == len(drawn)
    for one, other in zip(sorted(found), sorted(drawn), strict=True):
        assert one == pytest.approx(other, abs=1.0)


@needs_browser
def test_texts_fit_by_the_browsers_own_measure(opened):
    opened.run("turnAll(false)")
    overflowing = opened.settled(
        "[...document.querySelectorAll('#world g[data-box]')].filter((g) => {"
        "  const width = all[g.dataset.box].width;"
        "  return [...g.querySelectorAll('text')].some((t) => {"
        "    const b = t.getBBox(); return b.x < 0 || b.x + b.width > width; }); })"
        ".map((g) => g.textContent)"
    )
    assert overflowing == []
    widest = opened.run(
        "Math.max(...[...document.querySelectorAll('text.c')]"
        ".map((t) => t.getComputedTextLength() / t.textContent.length))"
    )
    assert widest <= metrics.EM * metrics.CELL_SIZE


@needs_browser
def test_page_asks_no_network_and_has_no_fault(opened):
    assert [url for url in opened.requests if not url.startswith("file:")] == []


@needs_browser
def test_click_closes_a_loop_and_opens_it_again(opened):
    before = titles(opened)
    assert "▾ while(best.2=best, steps=0, x.2=x)" in before
    height = opened.run("root.height")
    opened.click(LOOP)
    after = titles(opened)
    assert "▸ while(best.2=best, steps=0, x.2=x)" in after
    assert len(after) < len(before)
    assert opened.run("root.height") < height - 500
    opened.click(LOOP)
    assert titles(opened) == before


@needs_browser
def test_closed_box_is_as_wide_as_its_texts_and_lines_end_at_it(opened):
    box = "all.find((b) => b.title.startsWith('while'))"
    wide = opened.run(f"{box}.width")
    opened.click("#close")
    assert opened.run(f"{box}.width") < wide / 2
    overflowing = opened.settled(
        "[...document.querySelectorAll('#world g[data-box]')].filter((g) => {"
        "  const width = all[g.dataset.box].width;"
        "  return [...g.querySelectorAll('text')].some((t) => {"
        "    const b = t.getBBox(); return b.x < 0 || b.x + b.width > width; }); })"
        ".map((g) => g.textContent)"
    )
    assert overflowing == []
    outside = opened.run(
        "root.lines.filter((line) => { const xs = ends(line);"
        "  return [[line.from, xs[0]], [line.to, xs[xs.length - 1]]].some(([b, x]) =>"
        "    x < b.x || x > b.x + b.width); }).length"
    )
    assert outside == 0
    opened.click("#open")
    assert opened.run(f"{box}.width") == wide


@needs_browser
def test_collapse_all_and_expand_all(opened):
    opened.click("#close")
    assert titles(opened) == [
        "x[0]",
        "▸ while(best.2=best, steps=0, x.2=x)",
        "print('steps', steps.3)",
        "return steps.3, best.5, x.4",
    ]
    opened.click("#open")
    assert "▾ clip" in titles(opened)


@needs_browser
def test_search_finds_opens_and_shows(opened):
    opened.click("#close")
    opened.click("#search")
    opened.type("SUBTRACT")
    assert opened.settled("document.getElementById('found').textContent") == "2 found"
    opened.press("Enter")
    assert opened.settled("document.getElementById('found').textContent") == "1 of 2"
    now = opened.run("document.querySelector('.now > text').textContent")
    assert now == "subtract(best.2, w)"
    opened.press("Escape")
    assert opened.settled("document.querySelectorAll('.hit').length") == 0


@needs_browser
def test_pointing_at_a_node_marks_its_line_and_shows_the_specs_of_its_edges(opened):
    box = opened.run("all.find((b) => b.title === 'sum(x.2)').id")
    opened.move(*opened.place(f"[data-box='{box}'] rect"))
    assert opened.settled("document.querySelector('li.hot').textContent").endswith(
        "    while np.sum(x) > limit:"
    )
    specs = opened.run(
        "[...document.querySelectorAll('text.spec')].map((t) => t.textContent)"
    )
    assert sorted(specs) == ["a: float64[]", "x.2: float64[3]"]


@needs_browser
def test_pointing_at_a_line_marks_its_nodes(opened):
    line = search.python_function.__code__.co_firstlineno + 5
    at = opened.run(
        f"[...document.querySelectorAll('li')].findIndex((li) => "
        f"li.textContent.startsWith('{line} ') || li.textContent.startsWith('{line}'))"
    )
    opened.run(
        f"document.querySelectorAll('li')[{at}].dispatchEvent(new Event('mouseenter'))"
    )
    marked = opened.settled(
        "[...document.querySelectorAll('g.hot > text:first-of-type')]"
        ".map((t) => t.textContent)"
    )
    assert marked == ["multiply(x.2, 0.5)"]


@needs_browser
def test_zoom_keeps_what_is_under_the_pointer(opened):
    x, y = opened.place(LOOP)
    opened.ask(
        "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-200
    )
    assert opened.settled("view.k") > 1.2
    assert opened.place(LOOP)[1] == pytest.approx(y, abs=8)


def data_of(html: str):
    found = re.search(
        r'<script type="application/json" id="graph">(.*?)</script>', html, re.DOTALL
    )
    return json.loads(found[1])


def test_timings_are_said_as_times_and_as_parts_of_the_longest():
    graph = searching()
    node, other = [node for node in graph.walk() if node.op.name == "greater"][:2]
    html = to_html(graph, {node: (0.002, 1000), other: (0.0005, 1)})
    assert f'["2 ms, 1,000x  {node.location.line}",1.0]' in html
    assert f'["500 \\u00b5s  {other.location.line}",0.25]' in html


def test_source_of_the_functions_is_in_the_page():
    sources = data_of(to_html(searching()))["sources"]
    lines = [line for _, _, text in sources for line in text]
    assert "def clip(v, top):" in lines
    assert "def search(x, limit):" in lines
    assert "def long_graph(count: int, seed: int = 3, near: float = 0.93)" not in lines
