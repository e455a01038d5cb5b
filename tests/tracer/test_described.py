"""What traces, graphs and nodes say of themselves when they are printed."""

import numpy as np
import pytest

import autograph as ag


@ag.function
def mixed(x, n=2, *rest, k, **named):
    total = x.sum()
    if total > 0:
        total = 0
    return x * n, {"total": total, "named": named, "rest": rest}


def test_nested_arguments_and_results_get_a_number_for_each_array():
    concrete = mixed.get_concrete_function(
        np.ones(3),
        3,
        np.int32(4),
        [1, 2.5],
        k={"a": np.ones((2, 1)), "b": "text"},
        z=np.float32(3),
    )
    assert str(concrete) == (
        "mixed(x, n=3, rest, k, named)\n"
        "  Args:\n"
        "    x: float64 Tensor, shape=(3,)\n"
        "    rest: (<1>, [1, 2.5])\n"
        "      <1>: int32 Tensor, shape=()\n"
        "    k: {'a': <1>, 'b': 'text'}\n"
        "      <1>: float64 Tensor, shape=(2, 1)\n"
        "    named: {'z': <1>}\n"
        "      <1>: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    (<1>, {'total': <4>, 'named': {'z': <2>}, 'rest': (<3>, <the list "
        "passed>)})\n"
        "      <1>: float64 Tensor, shape=(3,)\n"
        "      <2>: float32 Tensor, shape=()\n"
        "      <3>: int32 Tensor, shape=()\n"
        "      <4>: int or float64 Tensor, shape=()"
    )


@ag.function
def shaped(x):
    return x


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (ag.TensorSpec((None, "n"), np.int8), "int8 Tensor, shape=(None, n)"),
        (ag.TensorSpec(None, np.complex64), "complex64 Tensor, shape=<unknown>"),
        (ag.TensorSpec((2,), "<U5"), "<U5 Tensor, shape=(2,)"),
    ],
)
def test_shapes_that_are_not_known_are_said_so(spec, words):
    concrete = shaped.get_concrete_function(spec)
    assert str(concrete) == (
        f"shaped(x)\n  Args:\n    x: {words}\n  Returns:\n    {words}"
    )


def test_function_that_takes_and_returns_no_array_says_so():
    @ag.function
    def nothing():
        pass

    @ag.function
    def fails(n):
        raise ValueError(n)

    assert str(nothing.get_concrete_function()) == "nothing()\n  Returns:\n    None"
    assert str(fails.get_concrete_function(np.int64(1))) == (
        "fails(n)\n"
        "  Args:\n"
        "    n: int64 Tensor, shape=()\n"
        "  Returns:\n"
        "    nothing: it always raises"
    )


weights = ag.Variable(np.zeros(2), name="weights")
table = np.arange(4.0)


@ag.function
def step(x):
    if x > 0:
        weights.assign_add(table[:2])
    return x * table[3]


def test_graph_and_nodes_have_a_short_repr_and_a_source_line():
    graph = step.get_concrete_function(np.float64(1.0)).graph
    assert repr(graph) == "<Graph step: float64[] -> float64[], 11 nodes>"
    branch = next(node for node in graph.nodes if node.op.name == "if")
    line = step.python_function.__code__.co_firstlineno + 2
    assert branch.location.line == line
    assert branch.location.source == "if x > 0:"
    assert repr(branch) == f"<Node if: ~bool[], float64[4] -> () at {__file__}:{line}>"


def test_captures_are_what_is_read_and_is_not_passed():
    graph = step.get_concrete_function(np.float64(1.0)).graph
    captures = graph.captures
    assert captures[0] is table
    assert captures[1] is weights
    assert len(captures) == 2
    branch = next(node for node in graph.nodes if node.op.name == "if")
    assert branch.captures == branch.inputs[1:]
    assert "assign_variable[variable=@weights]" in str(graph)
