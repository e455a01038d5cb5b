"""The API page of `function`: what it says of calls, variables, methods, signatures."""

import numpy as np
import pytest

import autograph as ag


def f(x, y):
    return np.mean(np.multiply(x**2, 3) + y)


X, Y = np.array([[2.0, 3.0]]), np.array([[3.0, -2.0]])


def test_graph_and_function_return_the_same_value():
    assert ag.function(f)(X, Y) == f(X, Y)


def test_arrays_that_the_function_reads_by_name_are_captured():
    @ag.function
    def h():
        return f(X, Y)

    assert h() == f(X, Y)


def test_control_flow_that_depends_on_data_is_captured():
    @ag.function
    def g(x):
        if np.sum(x) > 0:
            return x * x
        else:
            return -x // 2

    assert g(np.array([2, 3])).tolist() == [4, 9]
    assert g(np.array([-2, -3])).tolist() == [1, 1]


def test_print_assign_and_py_function_work_in_a_loop(capsys):
    seen = []
    v = ag.Variable(0.0)

    @ag.function
    def g(x):
        for i in x:
            print(i)
            v.assign(i)
            ag.py_function(seen.append, i, result=None)

    g(np.array([1.0, 2.5]))
    assert capsys.readouterr().out == "1.0\n2.5\n"
    assert seen == [1.0, 2.5]
    assert v == 2.5


def test_python_numbers_make_a_graph_each_and_arrays_share_one():
    @ag.function
    def g(x):
        return x + 1

    assert [g(2), g(3), g(np.int64(2)), g(np.int64(3))] == [3, 4, 3, 4]
    assert len(g.concrete_functions) == 3


def test_variable_is_read_and_assigned_in_the_order_of_the_program():
    c = ag.Variable(0)

    @ag.function
    def g(x):
        c.assign_add(1)
        return x + c

    assert int(c) == 0
    assert g(1.0) == 2.0
    assert int(c) == 1
    assert g(1.0) == 3.0
    assert int(c) == 2


def test_methods_of_two_objects_use_the_variables_of_each():
    class Dense:
        def __init__(self, seed):
            generator = np.random.default_rng(seed)
            self.w = ag.Variable(generator.standard_normal((10, 10)))
            self.b = ag.Variable(np.zeros(10))

        @ag.function
        def compute(self, x):
            return np.matmul(x, self.w.read()) + self.b.read()

    d1, d2 = Dense(1), Dense(2)
    x = np.random.default_rng(3).uniform(size=(10, 10))
    assert not (d1.compute(x) == d2.compute(x)).any()
    assert np.array_equal(d1.compute(x), x @ d1.w.read())


def test_constant_argument_chooses_what_is_traced():
    class Model:
        @ag.function
        def call(self, inputs, training=True):
            y = inputs * 2
            if training:
                return y - 1
            else:
                return y

    model, x = Model(), np.array([1.0, 2.0])
    assert model.call(x, training=True).tolist() == [1.0, 3.0]
    assert model.call(x, training=False).tolist() == [2.0, 4.0]
    graph = model.call.get_concrete_function(x, training=False).graph
    assert "if" not in [node.op.name for node in graph.walk()]


def test_each_shape_makes_a_graph():
    @ag.function
    def g(x):
        return np.add(x, 1.0)

    for x in (np.float64(1.0), np.array([1.0, 1.0]), np.array([[3.0]])):
        g(x)
    assert len(g.concrete_functions) == 3


def test_input_signature_of_unknown_rank_makes_one_graph_and_converts_arguments():
    @ag.function(input_signature=[ag.TensorSpec(shape=None, dtype=np.float32)])
    def g(x):
        return np.add(x, np.float32(1.0))

    assert g([1, 2]).tolist() == [2.0, 3.0]
    assert g(3) == np.float32(4.0)
    assert g(np.ones((1, 1), np.float32)).dtype == np.float32
    assert len(g.concrete_functions) == 1


def test_input_signature_that_is_no_sequence_of_specs_is_refused():
    with pytest.raises(TypeError):
        ag.function(f, input_signature=3)
    with pytest.raises(TypeError):
        ag.function(f, input_signature=[np.float32, np.float32])


def test_control_flow_on_data_is_refused_without_autograph():
    @ag.function(autograph=False)
    def g(x):
        return x if x > 0 else -x

    with pytest.raises(TypeError, match="known only when the graph runs"):
        g(np.float64(1.0))


def test_python_control_flow_is_free_without_autograph():
    @ag.function(autograph=False)
    def g(x, times):
        for _ in range(times):
            x = x + 1
        return x

    assert g(np.float64(1.0), 3) == 4.0


def test_random_numbers_are_drawn_at_each_call():
    @ag.function
    def add_noise(generator):
        return np.eye(5) + generator.standard_normal((5, 5))

    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    first, second = add_noise(ours), add_noise(ours)
    assert np.array_equal(first, np.eye(5) + numpys.standard_normal((5, 5)))
    assert np.array_equal(second, np.eye(5) + numpys.standard_normal((5, 5)))


def test_two_functions_share_no_traces():
    first, second = ag.function(f), ag.function(f)
    first(X, Y)
    assert len(first.concrete_functions) == 1
    assert second.concrete_functions == []
