"""Trees from templates: placeholders, positions and contexts."""

import gast
import pytest

from autograph.syntax import expression, literal, span_of, statements
from autograph.syntax.unparse import unparse

HERE = gast.parse("if a: b").body[0]


def text_of(body: list) -> str:
    return unparse(gast.Module(body, []))


def name(text: str) -> gast.expr:
    return gast.parse(text).body[0].value


@pytest.mark.parametrize(
    ("template", "parts", "expected"),
    [
        ("x = y", {"x": "a", "y": name("b + c")}, "a = b + c"),
        ("def f(A):\n    BODY", {"f": "g", "A": ("x", "y"), "BODY": []},
         "def g(x, y):\n    pass"),
        ("nonlocal NAMES", {"NAMES": ("x", "y")}, "nonlocal x, y"),
        ("nonlocal NAMES\nx", {"NAMES": ()}, "x"),
        ("NAMES, = f(NAMES)", {"NAMES": ["x", "y"]}, "x, y = f(x, y)"),
        ("return (NAMES,)", {"NAMES": ()}, "return ()"),
        ("return (NAMES,)", {"NAMES": ("x",)}, "return x,"),
        ("x.a = f(a=1)", {"a": "b"}, "x.b = f(b=1)"),
        ("if T:\n    B\nelse:\n    C", {"T": name("t"), "B": [HERE], "C": ()},
         "if t:\n    if a:\n        b"),
        ("try:\n    B\nexcept E as e:\n    pass", {"B": [HERE], "E": "V", "e": "f"},
         "try:\n    if a:\n        b\nexcept V as f:\n    pass"),
        ("lambda A: E", {"A": ("x",), "E": name("x + 1")}, "lambda x: x + 1"),
        ("f(E)", {"E": (name("x.y"), "z")}, "f(x.y, z)"),
        ("E", {"E": name("x()")}, "x()"),
    ],
)  # fmt: skip
def test_placeholders_are_replaced(template, parts, expected) -> None:
    assert text_of(statements(template, HERE, **parts)) == expected


def test_a_sequence_cannot_stand_for_one_expression() -> None:
    with pytest.raises(TypeError, match="E stands for one expression"):
        statements("f(*E)", HERE, E=("x", "y"))


def test_a_misspelt_part_is_refused() -> None:
    with pytest.raises(ValueError, match="no placeholder Y in 'x = 1'"):
        statements("x = 1", HERE, Y="z")


def test_a_template_of_several_expressions_is_no_expression() -> None:
    with pytest.raises(ValueError, match="the template is not one expression: x = 1"):
        expression("x = 1", HERE)


def test_a_part_keeps_its_identity_where_it_is_used_first() -> None:
    part = name("a[i]")
    first, second = expression("(E, E)", HERE, E=part).elts
    assert first is part
    assert second is not part
    assert unparse(second) == "a[i]"


def test_a_part_gets_the_context_of_its_place() -> None:
    (assign,) = statements("E = E", HERE, E=name("(a, *b.c, [d[0]])"))
    compile(gast.gast_to_ast(gast.Module([assign], [])), "", "exec")
    assert unparse(assign) == "a, *b.c, [d[0]] = a, *b.c, [d[0]]"


def test_uses_of_one_template_share_nothing() -> None:
    (first,), (second,) = statements("x = 1", HERE), statements("x = 1", HERE)
    first.targets[0].id = "changed"
    assert unparse(second) == "x = 1"


def test_generated_nodes_stand_on_one_line_of_the_source() -> None:
    at = gast.parse("\n\n  \nfoo(a,\n    b)").body[0].value
    part = name("\n\n\n\n\n\n\nzzz")
    made = expression("g(E, 1)", at, E=part)
    spans = [
        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        for node in (made, made.func, made.args[1])
    ]
    assert spans == [(4, 0, 4, 3)] * 3
    assert made.args[0].lineno == 8


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("x = 1", (1, 0, 5)),
        ("if a < b:\n  pass", (1, 3, 8)),
        ("while (a\n  and b):\n  pass", (1, 7, 8)),
        ("for i in range(3):\n  pass", (1, 9, 17)),
        ("with a as b, c:\n  pass", (1, 5, 6)),
        ("match a:\n  case 1: pass", (1, 6, 7)),
        ("x = f(\n  1)", (1, 4, 5)),
        ("def f():\n  pass", (1, -1, -1)),
        ("[\n1]", (1, -1, -1)),
    ],
)
def test_a_node_of_several_lines_is_shown_at_its_header(text, span) -> None:
    assert span_of(gast.parse(text).body[0]) == span


@pytest.mark.parametrize("value", [1, "x", None, ("a", ("b", 2)), ()])
def test_a_literal_evaluates_to_its_value(value) -> None:
    assert eval(unparse(literal(value, HERE))) == value


def test_a_span_without_columns_can_be_compiled() -> None:
    at = gast.parse("[\n1]").body[0]
    tree = gast.Module(statements("x = f(y)", at), [])
    compile(gast.gast_to_ast(tree), "", "exec")
