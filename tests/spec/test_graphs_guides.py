"""The two guides to graphs: tracing, polymorphism, what a graph is."""

import numpy as np
import pytest

import autograph as ag


def test_functions_that_are_called_become_part_of_the_graph():
    def inner_function(x, y, b):
        x = np.matmul(x, y)
        x = x + b
        return x

    @ag.function
    def outer_function(x):
        y = np.array([[2.0], [3.0]])
        b = np.array(4.0)
        return inner_function(x, y, b)

    x = np.array([[1.0, 2.0]])
    assert outer_function(x).tolist() == [[12.0]]
    graph = outer_function.get_concrete_function(x).graph
    names = [node.op.name for node in graph.nodes]
    assert "matmul" in names
    assert "add" in names


def test_decorated_function_called_by_another_becomes_part_of_its_graph():
    @ag.function
    def inner(x):
        if x > 0:
            return x * 2
        return x

    @ag.function
    def outer(x):
        return inner(x) + inner(-x)

    assert outer(np.float64(3.0)) == 3.0
    names = [n.op.name for n in outer.concrete_functions[0].graph.walk()]
    assert names.count("if") == 2


def simple_relu(x):
    if np.greater(x, 0):
        return x
    else:
        return 0.0


def test_relu_of_the_guide_returns_the_argument_or_zero():
    tf_simple_relu = ag.function(simple_relu)
    assert tf_simple_relu(np.float64(1.0)) == 1.0
    assert tf_simple_relu(np.float64(-1.0)) == 0.0
    assert len(tf_simple_relu.concrete_functions) == 1


@pytest.fixture
def my_relu():
    @ag.function
    def my_relu(x):
        return np.maximum(0.0, x)

    return my_relu


def test_new_signatures_make_new_graphs_and_known_ones_do_not(my_relu):
    first = np.float64(5.5), np.array([3.0, -3.0]), np.array([1.0, 2.0, 3.0])
    for x in first:
        my_relu(x)
    assert len(my_relu.concrete_functions) == 3
    assert my_relu(np.float64(-2.5)) == 0.0
    assert my_relu(np.array([-1.0, 1.0])).tolist() == [0.0, 1.0]
    assert len(my_relu.concrete_functions) == 3


def test_signatures_tell_the_results_shapes(my_relu):
    my_relu(np.float64(5.5))
    my_relu([1.0, -1.0])
    my_relu(np.array([3.0, -3.0]))
    assert my_relu.pretty_printed_concrete_signatures() == (
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float64 Tensor, shape=()\n"
        "  Returns:\n"
        "    float64 Tensor, shape=()\n"
        "\n"
        "my_relu(x=[1.0, -1.0])\n"
        "  Returns:\n"
        "    float64 Tensor, shape=(2,)\n"
        "\n"
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float64 Tensor, shape=(2,)\n"
        "  Returns:\n"
        "    float64 Tensor, shape=(2,)"
    )


def test_trace_for_a_spec_is_the_trace_for_such_arrays(my_relu):
    for_spec = my_relu.get_concrete_function(ag.TensorSpec((2,), np.float64))
    assert for_spec is my_relu.get_concrete_function(np.array([1.0, 2.0]))
    assert for_spec(np.array([-1.0, 1.0])).tolist() == [0.0, 1.0]


def test_repr_of_function_and_concrete_function_say_what_they_are(my_relu):
    my_relu(np.float64(1.0))
    assert repr(my_relu).endswith("my_relu(x): 1 trace>")
    assert repr(my_relu.concrete_functions[0]) == (
        "<ConcreteFunction my_relu(x: float64[]) -> float64[]>"
    )


def test_each_python_number_makes_a_graph_of_its_own(capsys):
    @ag.function(python_effects="trace")
    def f(x):
        print("Tracing!")
        return x * x + 2

    assert [f(np.int64(2)), f(np.int64(3)), f(2), f(3), f(2)] == [6, 11, 6, 11, 6]
    assert capsys.readouterr().out == "Tracing!\n" * 3


def test_graph_computes_what_the_function_does():
    def get_mse(y_true, y_pred):
        sq_diff = np.power(y_true - y_pred, 2)
        return np.mean(sq_diff)

    y_true, y_pred = np.array([7, 7, 1, 4, 0]), np.array([5, 2, 6, 0, 3])
    assert ag.function(get_mse)(y_true, y_pred) == get_mse(y_true, y_pred)


def test_power_of_the_guide_is_a_loop_over_a_python_range():
    def power(x, y):
        result = np.eye(10, dtype=np.int32)
        for _ in range(y):
            result = np.matmul(x, result)
        return result

    x = np.random.default_rng(0).integers(-1, 2, (10, 10), np.int32)
    for y in (3, 100):
        assert np.array_equal(ag.function(power)(x, y), power(x, y))


def test_constants_are_folded():
    @ag.function
    def f(x):
        return x + (np.full(2, 3.0) * 2 - 1)

    graph = f.get_concrete_function(np.zeros(2)).graph
    assert f(np.zeros(2)).tolist() == [5.0, 5.0]
    assert [node.op.name for node in graph.nodes if node.inputs] == ["add"]


def test_common_subexpressions_are_computed_once():
    @ag.function
    def f(x):
        return np.sin(x) + np.sin(x)

    graph = f.get_concrete_function(np.zeros(2)).graph
    assert [node.op.name for node in graph.nodes] == ["sin", "add"]
