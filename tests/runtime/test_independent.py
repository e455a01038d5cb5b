"""Independent parts: run in another order, they give what the whole gives."""

import random

import numpy as np
from hypothesis import HealthCheck, given, settings

import autograph as ag
from runtime.backends.numpy import compile_graph
from runtime.graph import Graph
from runtime.independent import independent_parts
from runtime.text import parse
from runtime.verify import verify
from tests.runtime.programs import ARGUMENTS, assert_same, graphs, observe
from tests.runtime.view.pictured import long_graph


def told(text: str) -> list[tuple[list[str], tuple[int, ...]]]:
    """For each part the ops that it runs, and the parts that it comes after."""
    found = independent_parts(parse(text))
    return [([n.op.name for n in part.graph.nodes], part.after) for part in found]


def test_what_nothing_waits_for_is_told_apart():
    assert told(
        """graph f(x: float64[], y: float64[]) {
             a: float64[] = sin(x)
             b: float64[] = cos(y)
             c: float64[] = exp(a)
             return b, c }"""
    ) == [(["sin", "exp"], ()), (["cos"], ())]


def test_value_that_two_parts_read_is_a_part_before_both():
    assert told(
        """graph f(x: float64[]) {
             a: float64[] = sin(x)
             b: float64[] = exp(a)
             c: float64[] = cos(a)
             d: float64[] = add(b, c)
             return d }"""
    ) == [(["sin"], ()), (["exp"], (1,)), (["cos"], (1,)), (["add"], (2, 3))]


def test_value_that_is_read_again_later_in_a_run_ends_no_run():
    assert told(
        """graph f(x: float64[]) {
             a: float64[] = sin(x)
             b: float64[] = exp(a)
             c: float64[] = add(b, a)
             return c }"""
    ) == [(["sin", "exp", "add"], ())]


def test_constants_are_in_each_part_that_reads_them():
    assert told(
        """graph f(x: float64[], y: float64[]) {
             one: ~int64[] = constant[value=1]()
             a: float64[] = add(x, one)
             b: float64[] = add(y, one)
             two: ~int64[] = constant[value=2]()
             return a, b, two, one }"""
    ) == [(["constant", "add"], ()), (["constant", "add"], ()), (["constant"], ())]


def test_effects_wait_for_those_before_them():
    assert told(
        """graph f(x: float64[], y: float64[]) {
             a: float64[] = sin(x)
             print[args=(Input(0),), kwargs={}](a)
             b: float64[] = cos(y)
             print[args=(Input(0),), kwargs={}](b)
             return }"""
    ) == [(["sin", "print"], ()), (["cos"], ()), (["print"], (1, 2))]


def test_readers_of_a_variable_are_independent_and_a_writer_waits_for_both():
    v = ag.Variable(1.0)

    @ag.function
    def f(x, y):
        a = np.sin(x + v)
        v.assign(a)
        return np.cos(y) + v

    parts = f.get_concrete_function(1.0, np.float64(1.0)).graph.independent_parts()
    names = [[node.op.name for node in part.graph.nodes] for part in parts]
    (writes,) = (p for p, ops in zip(parts, names) if "assign_variable" in ops)
    (cosine,) = (p for p, ops in zip(parts, names) if "cos" in ops)
    assert writes.number not in cosine.after
    assert cosine.number not in writes.after


def run_in_parts(graph: Graph, seed: int):
    """Run a graph by its parts, in an order chosen at random among those allowed."""
    parts = [
        (part, compile_graph(verify(part.graph))) for part in graph.independent_parts()
    ]
    choose = random.Random(seed)

    def run(*inputs):
        known = dict(zip(graph.inputs, inputs, strict=True))
        waiting, done = list(parts), set()
        while waiting:
            ready = [one for one in waiting if done.issuperset(one[0].after)]
            part, compiled = one = choose.choice(ready)
            waiting.remove(one)
            outputs = compiled(*(known[value] for value in part.graph.inputs))
            known |= dict(zip(part.graph.outputs, outputs, strict=True))
            done.add(part.number)
        return tuple(known[value] for value in graph.outputs)

    return run


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(graph=graphs())
def test_parts_in_any_order_give_what_the_whole_gives(graph):
    whole = compile_graph(graph)
    for seed, arguments in enumerate(ARGUMENTS):
        wanted = observe(whole, arguments)
        assert_same(observe(run_in_parts(graph, seed), arguments), wanted)


def test_long_programs_are_told_apart_too():
    graph = long_graph(3000)
    parts = graph.independent_parts()
    assert sum(len(part.graph.nodes) for part in parts) == 3000
    assert 300 < len(parts) < 3000
