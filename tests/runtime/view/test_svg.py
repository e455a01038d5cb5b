"""SVG: a file that any program reads, with what the graph says in it."""

import re
from xml.etree import ElementTree

import numpy as np
from IPython.core.formatters import DisplayFormatter

import autograph as ag
from runtime.text import parse
from runtime.view import svg
from runtime.view.svg import DARK, LIGHT
from tests.runtime.view.pictured import clip, long_graph, search, searching

SPACE = "{http://www.w3.org/2000/svg}"


def texts(element) -> list[str]:
    return [text.text for text in element.iter(SPACE + "text")]


def boxes(picture: str, kind: str):
    root = ElementTree.fromstring(picture)
    return [g for g in root.iter(SPACE + "g") if g.get("class") == kind]


def test_branches_loops_and_called_functions_are_boxes_in_boxes():
    (loop, *inner) = boxes(searching().to_svg(), "group")
    assert [texts(box)[0] for box in inner] == [
        "clip",
        "if(f)",
        "if(i)",
    ]
    for box in inner:
        assert box in loop.iter()
    assert inner[1] in inner[0].iter()
    assert [texts(sheet)[0] for sheet in loop if sheet.get("class") == "sheet"] == [
        "test",
        "body",
    ]


def test_values_have_the_users_names_and_nodes_the_users_lines():
    picture = searching().to_svg()
    (first, second) = boxes(picture, "input")[:2]
    assert texts(first) == ["x: float64[3]"]
    assert texts(second) == ["limit: float64[]"]
    (shown,) = boxes(picture, "effect")
    line = search.python_function.__code__.co_firstlineno + 12
    assert texts(shown) == ["print('steps', steps.3)", str(line)]
    assert shown.find(SPACE + "title").text == (
        "print('steps', steps.3)\n[args=('steps', Input(0)), kwargs={}]\n"
        f'{__file__.replace("test_svg", "pictured")}:{line}  print("steps", steps)'
    )


def test_text_of_the_user_is_text_in_the_picture():
    @ag.function
    def tagged(x):
        print("<b> & ]]>", x)
        return x

    picture = tagged.get_concrete_function(np.float64(1)).graph.to_svg()
    assert texts(boxes(picture, "effect")[0])[0] == "print('<b> & ]]>', x)"


def test_stores_and_items_read_as_the_user_writes_them():
    @ag.function
    def moved(x, i):
        x[i, 1:] = x[0, ::2]
        return x[..., None]

    concrete = moved.get_concrete_function(np.ones((3, 2)), np.int64(1))
    titles = [texts(box)[0] for box in boxes(concrete.graph.to_svg(), "op")]
    assert titles == ["x[0, ::2]", "x[i, 1:] = a", "x.2[..., None]"]


def test_colours_of_both_themes_are_readable():
    for theme in (LIGHT, DARK):
        for kind in ("op", "input", "constant", "effect", "group", "return", "sheet"):
            assert contrast(theme["text"], theme[kind]) > 7
            assert contrast(theme["quiet"], theme[kind]) > 4.5
        assert contrast(theme["line"], theme["ground"]) > 3
    assert LIGHT.keys() == DARK.keys()
    assert "prefers-color-scheme:dark" in svg.style(".ag-graph")


def contrast(a: str, b: str) -> float:
    """The contrast ratio of the Web Content Accessibility Guidelines."""
    dark, light = sorted(map(luminance, (a, b)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part, 16) / 255 for part in re.findall("[0-9a-f]{2}", colour)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_notebooks_show_the_picture_of_graphs_and_traces():
    concrete = search.get_concrete_function(np.ones(3), np.float64(2))
    for shown in (concrete, concrete.graph):
        bundle, _ = DisplayFormatter().format(shown)
        assert bundle["image/svg+xml"] == concrete.graph.to_svg()
    assert bundle["text/plain"] == str(concrete.graph)


def test_notebooks_show_the_text_of_a_graph_that_would_stop_them():
    bundle = long_graph(svg.MANY + 1)._repr_mimebundle_()
    assert bundle.keys() == {"text/plain"}


def test_graph_without_anything_has_a_picture():
    picture = parse("graph nothing() { return }").to_svg()
    assert texts(ElementTree.fromstring(picture)) == ["nothing", "return"]


def test_function_that_is_called_twice_is_two_boxes():
    @ag.function
    def twice(v):
        return clip(clip(v, v), 1.0)

    picture = twice.get_concrete_function(np.float64(1)).graph.to_svg()
    titles = [texts(box)[0] for box in boxes(picture, "group")]
    assert [title for title in titles if "(" not in title] == ["clip", "clip"]


def test_recursion_that_depends_on_data_is_a_box_with_its_call_inside():
    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    concrete = ag.function(ackermann).get_concrete_function(np.int64(2), np.int64(1))
    picture = concrete.graph.to_svg()
    titles = [texts(box)[0] for box in boxes(picture, "group")]
    assert any(title.startswith("recursion(") for title in titles)
    assert "call(" in picture


def test_numbers_are_written_where_they_are_used_and_long_ones_in_short():
    @ag.function
    def scaled(x):
        return x * 0.12345678901234 + np.float32(2.5)

    picture = scaled.get_concrete_function(np.ones(30)).graph.to_svg()
    titles = [texts(box)[0] for box in boxes(picture, "op")]
    assert titles == ["multiply(x, 0.12346…)", "add(a, 2.5)"]
