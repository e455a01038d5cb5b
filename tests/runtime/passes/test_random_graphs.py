"""No pass changes what a random graph gives or prints."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from runtime.backends.numpy import compile_graph
from runtime.graph import Graph
from runtime.passes import PIPELINE, optimize
from runtime.verify import verify
from tests.runtime.programs import ARGUMENTS, assert_same, graphs, observe

Pass = Callable[[Graph], Graph]
EACH = sorted({*PIPELINE, optimize}, key=lambda rewrite: rewrite.__name__)


@pytest.mark.parametrize("rewrite", EACH, ids=lambda rewrite: rewrite.__name__)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(graph=graphs())
def test_pass_keeps_the_meaning(rewrite: Pass, graph: Graph) -> None:
    before = compile_graph(verify(graph))
    after = compile_graph(verify(rewrite(graph)))
    for arguments in ARGUMENTS:
        assert_same(observe(after, arguments), observe(before, arguments))
