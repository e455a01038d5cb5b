"""Recursive programs mean as graphs what they mean as plain Python."""

import os
import re
import sys

import numpy as np
import pytest

import autograph as ag
from runtime import depth, verify
from runtime.text import parse, print_graph
from tests.conformance import recursions, recursions_on_arrays
from tests.conformance.harness import disagreement, observe

N = np.int64
CASES = recursions_on_arrays.CASES


@pytest.fixture(autouse=True)
def _verified(monkeypatch):
    monkeypatch.setattr(verify, "enabled", True)


@pytest.mark.parametrize(
    ("program", "arguments"),
    CASES,
    ids=[program.__name__ for program, _ in CASES],
)
def test_recursion_means_what_it_means_in_python(program, arguments):
    staged = ag.function(program)
    for _ in range(2):
        python, graph = observe(program, arguments), observe(staged, arguments)
        assert disagreement(python, graph) is None


def test_decorated_function_that_calls_itself_is_one_graph():
    @ag.function
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    assert [factorial(N(n)) for n in (0, 1, 5)] == [1, 1, 120]
    graph = factorial.get_concrete_function(N(1)).graph
    assert [node.op.name for node in graph.nodes] == ["recursion"]


def test_a_number_that_may_be_complex_is_the_same_at_each_level():
    def root(t):
        return t - 3.0 * (9.0 - t) ** 0.5

    def between(a, b, near):
        low, high = root(a), root(b)
        c = (a * high - b * low) / (high - low)
        if min(c - a, b - c) < near:
            return c
        if low < 0 and root(c) > 0:
            return between(a, c, near)
        return between(c, b, near)

    staged = ag.function(between)
    for a in (2.0, 2.5, 3.0, 4.5):
        assert staged(a, 7.0, 0.1) == between(a, 7.0, 0.1)
    with pytest.raises(TypeError, match="'complex' and 'complex'"):
        staged(2.0, 17.0, 0.1)


def test_text_of_a_recursion_is_read_back():
    graph = ag.function(recursions.down_and_up).get_concrete_function(N(1)).graph
    objects = {}
    text = print_graph(graph, objects)
    assert "call[function='down_and_up'" in text
    assert print_graph(parse(text, objects)) == text


def test_depth_is_python_s_own_limit():
    def depth(n):
        return 0 if n <= 0 else depth(n - 1) + 1

    staged = ag.function(depth)
    assert staged(N(500)) == 500
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(5000)
    try:
        assert staged(N(4000)) == 4000
    finally:
        sys.setrecursionlimit(before)


def test_a_recursion_without_an_end_is_python_s_recursion_error():
    def on(n):
        if n > 0:
            return on(n + 1)
        return on(n - 1)

    with pytest.raises(RecursionError) as raised:
        ag.function(on)(N(1))
    limit = rf"recursion limit is {sys.getrecursionlimit()}"
    assert re.fullmatch(
        rf"`on` called itself \d+ deep: Python's {limit}", *raised.value.args
    )
    assert raised.value.__notes__ == [
        "  Raise the limit by sys.setrecursionlimit, or write the recursion as a loop."
    ]


def test_constants_of_a_recursive_graph_are_not_handed_out():
    table = [1.0, 2.0]

    @ag.function
    def first(n):
        if n <= 0:
            return np.array(table)
        return first(n - 1)

    first(N(2))[0] = 9
    assert first(N(2)).tolist() == table


def test_what_a_nested_function_sets_is_seen_by_the_branch_that_calls_it():
    def program(x):
        total = 0

        def bump():
            nonlocal total
            total += 1

        def perhaps():
            if x > 0:
                bump()

        perhaps()
        return total

    staged = ag.function(program)
    assert [staged(np.float64(x)) for x in (1, -1)] == [1, 0]


def test_a_local_of_a_called_function_need_not_join():
    def outer(x):
        found = None

        def find(v):
            nonlocal found
            found = v

        find(x * 2)
        return found

    def program(x):
        if x > 0:
            return outer(x)
        return x

    staged = ag.function(program)
    assert [staged(np.float64(x)) for x in (1, -1)] == [2.0, -1.0]


def test_a_change_by_a_name_that_may_be_another_is_seen_after_a_return_too():
    def change(c, p, q):
        r = p if c else q
        if c:
            r[0] = 1
            return 0
        return 1

    def program(c, p, q):
        p, q = p.copy(), q.copy()
        change(c, p, q)
        return p + 0

    staged = ag.function(program)
    assert staged(np.True_, np.zeros(2), np.zeros(2)).tolist() == [1.0, 0.0]
    assert staged(np.False_, np.zeros(2), np.zeros(2)).tolist() == [0.0, 0.0]


def test_one_branch_sets_an_outer_variable_by_name_and_the_other_by_a_call():
    def program(x):
        seen = 0

        def down(n):
            nonlocal seen
            if n > 2:
                down(n - 1)
            else:
                seen += 1

        down(x)
        return seen

    staged = ag.function(program)
    assert [staged(N(n)) for n in (1, 5)] == [program(1), program(5)]


class Levels:
    """Methods that call themselves, of which no graph is made."""

    def __init__(self):
        self.met = 0

    def below(self, n):
        self.met += 1
        os.path.exists(os.devnull)
        return 0 if self.met == n else 1 + self.below(n)

    def endless(self):
        self.met += 1
        os.path.exists(os.devnull)
        return self.endless()


def test_calls_as_python_go_as_deep_as_in_python(monkeypatch):
    monkeypatch.setattr(Levels, "below", ag.function(Levels.below))
    before = sys.getrecursionlimit()
    for _ in range(2):
        assert Levels().below(700) == 699
        assert sys.getrecursionlimit() == before


def test_calls_as_python_without_end_are_left(monkeypatch):
    monkeypatch.setattr(depth, "_MOST", 100)
    monkeypatch.setattr(Levels, "endless", ag.function(Levels.endless))
    before, levels = sys.getrecursionlimit(), Levels()
    with pytest.raises(RecursionError):
        levels.endless()
    assert levels.met < 300
    assert sys.getrecursionlimit() == before
