"""New objects: those that come and go are Python's, those that are used get a trace."""

import itertools

import numpy as np
import pytest

import autograph as ag
from tracer import lookup, new_objects, put_off

X = np.ones(2)


class Node:
    def __init__(self, content):
        self.content = content


def content(node, x):
    return node.content * x


def first(nodes, x):
    return nodes[0].content * x


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    """A clock by which a trace takes as long as a call of Python, and not long."""
    turn_forward(monkeypatch, new_objects.LONG / 8)


def turn_forward(monkeypatch, step):
    """Let a clock go on by so many seconds at each look at it."""
    seconds = itertools.count(0.0, step)
    for module in put_off, new_objects:
        monkeypatch.setattr(module, "perf_counter", lambda: next(seconds))


@pytest.fixture
def is_traced(caplog):
    """Whether a call is run by a graph, and not as Python."""

    def tell(staged, given):
        caplog.clear()
        with ag.config(log="exec"), caplog.at_level("INFO"):
            result = staged(given, X)
        node = given if isinstance(given, Node) else given[0]
        assert result.tolist() == [node.content] * 2
        return "run as Python" not in caplog.text

    return tell


@pytest.mark.parametrize("program", [content, first])
def test_new_objects_are_pythons_after_some_are_gone(is_traced, program):
    staged = ag.function(program)
    nodes = (Node(float(k)) for k in range(8))
    given = ([node] if program is first else node for node in nodes)
    assert [is_traced(staged, one) for one in given] == [True] * 4 + [False] * 4


def test_objects_that_no_trace_comes_of_are_told_at_once(monkeypatch):
    def refused(node, x):
        return (1 for _ in x), node.content

    staged, made = ag.function(refused), []
    specialize = lookup.Lookup.specialize

    def counted(*given, **named):
        made.append(given)
        return specialize(*given, **named)

    monkeypatch.setattr(lookup.Lookup, "specialize", counted)
    for k in range(12):
        assert staged(Node(float(k)), X)[1] == k
    assert len(made) == 4


def test_after_a_trace_that_took_long_the_next_object_waits(is_traced, monkeypatch):
    turn_forward(monkeypatch, new_objects.LONG)
    staged = ag.function(content)
    nodes = [Node(float(k)) for k in range(4)]
    assert [is_traced(staged, node) for node in nodes] == [True, False, False, False]
    assert [is_traced(staged, nodes[1]) for _ in range(2)] == [False, True]


def test_objects_of_many_traces_are_pythons_at_first(is_traced):
    staged = ag.function(content)
    nodes = [Node(float(k)) for k in range(24)]
    with pytest.warns(RuntimeWarning, match="has been traced 20 times"):
        assert [is_traced(staged, node) for node in nodes] == [True] * 20 + [False] * 4
    assert is_traced(staged, nodes[22])


def test_an_object_that_comes_again_gets_a_trace(is_traced):
    staged = ag.function(content)
    for k in range(6):
        is_traced(staged, Node(float(k)))
    node = Node(7.0)
    assert [is_traced(staged, node) for _ in range(3)] == [False, True, True]
    assert len(staged.concrete_functions) == 1


def test_an_object_at_the_place_of_one_that_is_gone_is_new(is_traced):
    staged = ag.function(content)
    found = [is_traced(staged, Node(float(k))) for k in range(40)]
    assert not any(found[4:])


def test_the_times_of_objects_that_are_gone_are_not_kept():
    objects = new_objects.NewObjects()
    living = [Node(k) for k in range(10)]
    for node in living:
        objects.note_call([node], -1.0)
    for _ in range(8):
        for node in [Node(k) for k in range(300)]:
            objects.note_call([node], -1.0)
    assert len(objects._calls) <= new_objects.MOST_KNOWN
    assert all(objects._seconds(node) > 0 for node in living)
