"""ag.summary: what it writes is read by TensorBoard itself, where that is there."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.view.pictured import clip, search

pytest.importorskip("tensorboard", reason="TensorBoard is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # of TensorBoard's own


def graph_of(logdir):
    """The GraphDef in a folder, by TensorBoard's reader."""
    from tensorboard.backend.event_processing.event_accumulator import (
        EventAccumulator,
    )

    read = EventAccumulator(str(logdir))
    read.Reload()
    assert read.Tags()["graph"]
    return read.Graph()


@pytest.fixture
def graph(tmp_path):
    with ag.summary.trace(tmp_path):
        search(np.ones(3), np.float64(2))
    return graph_of(tmp_path)


def test_nodes_have_inputs_shapes_and_places(graph):
    nodes = {node.name: node for node in graph.node}
    assert list(nodes) == [
        "x",
        "limit",
        "slice",
        "constant",
        "while/test",
        "while/body",
        "while/while",
        "print",
        "return",
    ]
    assert nodes["x"].op == "Placeholder"
    assert list(nodes["slice"].input) == ["x"]
    assert list(nodes["while/while"].input) == [
        "slice",
        "constant",
        "x",
        "limit",
        "while/test",
        "while/body",
    ]
    assert list(nodes["return"].input) == [
        "while/while:1",
        "while/while",
        "while/while:2",
    ]
    (shape,) = nodes["x"].attr["_output_shapes"].list.shape
    assert [dim.size for dim in shape.dim] == [3]
    source = nodes["slice"].attr["source"].s.decode()
    assert source.endswith("best = x[0]")


def test_bodies_are_functions_of_the_library(graph):
    functions = {f.signature.name: f for f in graph.library.function}
    names = {node.op for node in graph.node} & functions.keys()
    assert names == {"search_while_test", "search_while_body"}
    body = functions["search_while_body"]
    ops = {node.name: node.op for node in body.node_def}
    assert ops["clip/multiply"] == "multiply"
    assert ops["clip/if/then"] in functions
    known = {a.name for a in body.signature.input_arg} | ops.keys()
    for node in body.node_def:
        for read in node.input:
            assert read.removeprefix("^").split(":")[0] in known
    assert [a.name for a in body.signature.output_arg] == sorted(body.ret)
    # best, steps, x: float64 or int64
    assert [a.type for a in body.signature.output_arg] == [2, 9, 2]


def test_tensorboards_graph_plugin_serves_it(tmp_path):
    from tensorboard.backend.event_processing import plugin_event_multiplexer
    from tensorboard.plugins.base_plugin import TBContext
    from tensorboard.plugins.graph.graphs_plugin import GraphsPlugin

    with ag.summary.trace(tmp_path / "run"):
        search(np.ones(3), np.float64(2))
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(tmp_path))
    multiplexer.Reload()
    from tensorboard.backend.event_processing.data_provider import (
        MultiplexerDataProvider,
    )

    provider = MultiplexerDataProvider(multiplexer, str(tmp_path))
    plugin = GraphsPlugin(TBContext(data_provider=provider, multiplexer=multiplexer))
    assert "run" in plugin.info_impl(_context(), experiment="")
    text, kind = plugin.graph_impl(
        _context(),
        "run",
        None,
        False,
        experiment="",
        limit_attr_size=1024,
        large_attrs_key="_too_large_attrs",
    )
    assert kind == "text/x-protobuf"
    assert "search_while_body" in str(text)


def _context():
    from tensorboard import context

    return context.RequestContext()


def test_several_functions_are_groups_of_their_names(tmp_path):
    @ag.function
    def other(v):
        return clip(v, 3.0)

    with ag.summary.trace(tmp_path):
        search(np.ones(3), np.float64(2))
        other(np.float64(1))
        other(np.ones(()))
    groups = {node.name.split("/")[0] for node in graph_of(tmp_path).node}
    assert groups == {"search", "other", "other_1"}


def test_effects_are_control_inputs(tmp_path):
    @ag.function
    def said(x):
        print("one", x)
        print("two", x)

    with ag.summary.trace(tmp_path):
        said(np.float64(1))
    nodes = {node.name: node for node in graph_of(tmp_path).node}
    assert list(nodes["print_1"].input) == ["x", "^print"]


def test_concrete_functions_that_are_called_are_written(tmp_path):
    concrete = search.get_concrete_function(np.ones(3), np.float64(2))
    with ag.summary.trace(tmp_path):
        concrete(np.ones(3), np.float64(2))
    assert graph_of(tmp_path).node[0].name == "x"
