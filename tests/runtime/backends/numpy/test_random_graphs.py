"""The executor agrees with running the kernels one by one, on random graphs."""

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings

from runtime.backends.numpy import compile_graph
from runtime.graph import Graph
from tests.runtime.programs import ARGUMENTS, assert_same, evaluate, graphs, observe


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
def test_executor_agrees_with_the_kernels(graph: Graph) -> None:
    run = compile_graph(graph)
    for arguments in ARGUMENTS:
        wanted = observe(lambda *xs: evaluate(graph, *xs), arguments)
        assert_same(observe(run, arguments), wanted)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
def test_writing_to_results_changes_no_later_call(graph: Graph) -> None:
    run = compile_graph(graph)
    (arguments, *_) = ARGUMENTS
    wanted = observe(run, arguments)
    own = [np.array(x) if isinstance(x, np.ndarray) else x for x in arguments]
    for result in _arrays(observe_raw(run, own)):
        if result.flags.writeable:
            result.fill(99.0)
    assert_same(observe(run, arguments), wanted)


def observe_raw(run: Any, arguments: list[Any]) -> tuple[Any, ...]:
    found: list[Any] = []
    observe(lambda *_: found.extend(run(*arguments)) or (), [])
    return tuple(found)


def _arrays(results: tuple[Any, ...]) -> list[Any]:
    return [result for result in results if isinstance(result, np.ndarray)]
