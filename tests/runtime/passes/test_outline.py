"""A node for each call of a function, and the same graph without them."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.numpy import compile_graph
from runtime.passes import optimize
from runtime.passes.inline import inline
from runtime.passes.outline import outline
from runtime.text import parse
from runtime.verify import verify

X = np.array([1.0, -2.0, 3.0])


def scale(x, k):
    return x * k + 1


def deeper(x):
    return scale(scale(x, 2.0), 3.0) - x


def said(x):
    print("said")
    return x * 2


def picked(x):
    return scale(x, 2) if x.sum() > 0 else -x


def looped(x):
    while x.sum() < 50:
        x = scale(x, 2) + abs(x)
    return x


def rows(x):
    for v in x:
        yield v * 2
        yield v + 1


def risky(x, i):
    try:
        return scale(x, 2)[i]
    except IndexError:
        return scale(x, 3)[0]


@ag.function
def factorial(n):
    return 1.0 if n <= 1 else n * factorial(n - 1)


def calls(x):
    return scale(deeper(x), 5) + scale(x, 6)


def effects(x):
    return said(said(x)) + scale(x, 2)


def branches(x):
    return picked(picked(x)) + 1


def loops(x):
    y = looped(x)
    for k in range(3):
        y = scale(y, k)
    return y


def generated(x):
    return scale(sum(rows(x)), 2) + 1


def tried(x):
    return risky(x, x.sum().astype(int)) + 1


def recursive(x):
    return factorial(x.sum()) + scale(x, 2)


def handed_on(x):
    return np.sum(list(map(lambda v: scale(v, 2), [x, x + 1])))


PROGRAMS = [calls, effects, branches, loops, generated, tried, recursive, handed_on]


def traced(program):
    return ag.function(program).get_concrete_function(X)


@pytest.mark.parametrize("program", PROGRAMS)
def test_outlined_and_inlined_it_is_the_graph_that_it_was(program):
    graph = traced(program).traced_graph
    whole = verify(outline(graph))
    assert "called[" in str(whole)
    assert str(verify(inline(whole))) == str(graph)
    assert whole.effects == graph.effects


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_outlined_graph_runs_as_the_other_does(program, capsys):
    concrete = traced(program)
    given = [X] * len(concrete.graph.inputs)
    found = []
    for graph in (concrete.graph, concrete.outlined, optimize(concrete.outlined)):
        outputs = compile_graph(graph)(*given)
        found.append((repr(outputs), capsys.readouterr().out))
    assert found[0] == found[1] == found[2]


def names(graph):
    """The calls in a graph, with those in them."""
    nodes = [node for node in graph.nodes if node.op.name == "called"]
    return [(node.attributes["function"], names(node.graphs[0])) for node in nodes]


def test_each_call_is_one_node_with_its_own_calls_in_it():
    inner = ("scale", [])
    assert names(traced(calls).outlined) == [("deeper", [inner, inner]), inner, inner]


def test_calls_in_branches_and_loops_are_nodes_there():
    (first, _second) = [
        node for node in traced(branches).outlined.nodes if node.op.name == "called"
    ]
    (choice,) = [node for node in first.graphs[0].nodes if node.op.name == "if"]
    assert names(choice.graphs[0]) == [("scale", [])]
    assert names(choice.graphs[1]) == []


def test_a_call_has_the_effects_of_its_graph_and_the_line_where_it_is_made():
    (first, second, third) = [
        node for node in traced(effects).outlined.nodes if node.op.name == "called"
    ]
    assert first.effects == second.effects
    assert first.effects
    assert not third.effects
    line = effects.__code__.co_firstlineno + 1
    assert [node.location.line for node in (first, second, third)] == [line] * 3


def test_it_has_a_text_that_is_read_back():
    text = str(traced(calls).outlined)
    assert str(parse(text)) == text


def test_a_graph_without_calls_stays_itself():
    graph = traced(lambda x: x * 2 + 1).traced_graph
    assert inline(graph) is graph
    assert str(outline(graph)) == str(graph)
