"""What a graph gives of a Variable is the caller's own; inside, nothing is copied."""

import numpy as np
import pytest

import autograph as ag

x = np.float64(2.0)
kept = []


def value(v, x):
    return v.value


def view(v, x):
    return v.read()[1:]


def transposed(v, x):
    return np.atleast_2d(v.read()).T


def in_a_list(v, x):
    return [v.read()]


def on_a_path(v, x):
    if x > 0:
        return v.read()
    return v.read() * 2


def through_a_loop(v, x):
    found = v.read()
    for i in range(int(x)):
        if i > 5:
            found = v.read() * 2
    return found


def assigned(v, x):
    return v.assign(np.ones(3) * x)


def added(v, x):
    return v.assign_add(x)


def left_outside(v, x):
    kept.append(v.read())
    return kept[-1]


def of_python(v, x):
    return ag.py_function(lambda a: a, v.read())


def of_a_function(v, x):
    return inner(v)


@ag.function
def inner(v):
    return v.read()


PROGRAMS = [
    *(value, view, transposed, in_a_list, on_a_path, through_a_loop, assigned, added),
    *(left_outside, of_python, of_a_function),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_result_that_is_changed_is_not_the_variable(program):
    v = ag.Variable(np.ones(3))
    f = ag.function(lambda x: program(v, x))
    for _ in range(2):
        result = f(x)
        array = result[0] if isinstance(result, list) else result
        held, given = v.value, array.copy()
        array[...] = 7
        assert v.value.tolist() == held.tolist()
        array[...] = given
        v[0] = v[0] + 1
        assert array.tolist() == given.tolist()


def test_an_argument_of_python_that_is_changed_is_not_the_variable():
    v = ag.Variable(np.ones(3))

    @ag.function
    def f(x):
        ag.py_function(lambda a: a.fill(7), v.read(), result=None)
        return x

    f(x)
    assert v.tolist() == [1.0, 1.0, 1.0]


def test_a_value_from_before_is_kept_in_a_loop_that_changes_the_variable():
    v = ag.Variable(np.zeros(2))

    @ag.function
    def f(n):
        before = v.read()
        for _ in range(n):
            v[0] += 1.0
        return before

    assert f(np.int64(3)).tolist() == [0.0, 0.0]
    assert v.tolist() == [3.0, 0.0]


def test_what_only_computes_with_a_variable_copies_nothing():
    w = ag.Variable(np.ones((200, 200)))
    v = ag.Variable(np.zeros(200))

    @ag.function
    def layer(x):
        v.assign_add(x)
        return np.tanh(x @ w.read().T + v)

    from runtime.backends.numpy import compile_graph

    graph = layer.get_concrete_function(np.ones(200)).graph
    assert "own_" not in compile_graph(graph).source
    returning = ag.function(lambda: w.read()).get_concrete_function().graph
    assert "own_" in compile_graph(returning).source
