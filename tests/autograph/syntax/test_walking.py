"""Walking over trees: the nodes that ast's own walk finds, but for `ctx`."""

import ast
import inspect

import gast
import pytest

from autograph.syntax import children, parse, walk, walking

SOURCES = [inspect.getsource(module) for module in (parse, walking, inspect)]


@pytest.mark.parametrize("of", [ast, gast])
@pytest.mark.parametrize("source", SOURCES)
def test_all_nodes_but_contexts_are_found_in_the_same_order(source, of):
    tree = of.parse(source)
    contexts = (of.Load, of.Store, of.Del)
    expected = [part for part in of.walk(tree) if not isinstance(part, contexts)]
    if of is gast:
        expected = [part for part in expected if not isinstance(part, gast.Param)]
    assert walk(tree) == expected


def test_nodes_in_lists_are_children_and_none_is_not():
    call = ast.parse("f(a, *b, k=c)").body[0].value
    names = [type(part).__name__ for part in children(call)]
    assert names == ["Name", "Name", "Starred", "keyword"]
    display = ast.parse("{**a, 1: b}").body[0].value
    assert [type(part).__name__ for part in children(display)] == [
        "Constant",
        "Name",
        "Name",
    ]
