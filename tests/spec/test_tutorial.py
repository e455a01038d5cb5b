"""The tutorial's sections 3 to 7: what decorated functions do, in our names."""

import numpy as np
import pytest

import autograph as ag

# --- 3. A decorator, and a call -------------------------------------------------------


@ag.function
def decorated(x):
    a = np.array([[2.0], [3.0]])
    b = np.array(4.0)
    return a + b


def multiplied(a, b):
    return np.matmul(a, b)


def test_decorated_function_returns_what_the_graph_computes():
    assert np.array_equal(decorated(2), [[6.0], [7.0]])


def test_function_called_on_a_function_makes_a_graph_of_it():
    uses_graph = ag.function(multiplied)
    a = np.array([[1.0, 2.0]], np.float32)
    b = np.array([[2.0], [3.0]], np.float32)
    result = uses_graph(a, b)
    assert (result.dtype, result.tolist()) == (np.float32, [[8.0]])
    (concrete,) = uses_graph.concrete_functions
    assert [node.op.name for node in concrete.graph.nodes] == ["matmul"]


def test_decorator_with_arguments_is_the_call_with_arguments():
    @ag.function(input_signature=[ag.TensorSpec((None,), np.float64)])
    def doubled(x):
        return x * 2

    assert doubled(np.arange(2.0)).tolist() == [0.0, 2.0]
    assert doubled(np.arange(3.0)).tolist() == [0.0, 2.0, 4.0]
    assert len(doubled.concrete_functions) == 1


# --- 5. Flow control ------------------------------------------------------------------


def my_function(x):
    if np.sum(x) <= 1:
        return x * x
    else:
        return x - 1


def test_branch_is_taken_by_the_value(capsys):
    a_function = ag.function(my_function)
    print("First branch, with graph:", a_function(np.float64(1.0)))
    print("Second branch, with graph:", a_function(np.array([5.0, 5.0])))
    assert capsys.readouterr().out == (
        "First branch, with graph: 1.0\nSecond branch, with graph: [4. 4.]\n"
    )


def test_one_graph_serves_both_branches():
    a_function = ag.function(my_function)
    values = [a_function(np.float64(x)) for x in (0.5, 1.0, 3.0)]
    assert values == [0.25, 1.0, 2.0]
    (concrete,) = a_function.concrete_functions
    assert "if" in [node.op.name for node in concrete.graph.nodes]


def test_to_code_shows_the_functional_form_that_the_tutorial_prints():
    code = ag.to_code(my_function)
    condition = "ag__.if_stmt(ag__.converted_call(np.sum, (x,)) <= 1, if_body, "
    assert f"{condition}else_body, get_state, set_state, (), 0)" in code
    for name in ("get_state()", "set_state(vars_)", "if_body()", "else_body()"):
        assert f"def {name}:" in code


# --- 6. Effects of Python -------------------------------------------------------------


def traced_and_executed(x):
    print("Traced with", x)
    ag.print("Executed with", x)


def test_print_runs_once_under_trace_effects(capsys):
    f = ag.function(traced_and_executed, python_effects="trace")
    f(1)
    f(1)
    assert capsys.readouterr().out == (
        "Traced with 1\nExecuted with 1\nExecuted with 1\n"
    )


def test_print_runs_at_each_call_by_default(capsys):
    f = ag.function(traced_and_executed)
    f(1)
    f(1)
    assert capsys.readouterr().out == "Traced with 1\nExecuted with 1\n" * 2


def test_default_print_shows_values_as_python_does(capsys):
    f = ag.function(traced_and_executed)
    for x in (np.float64(1.5), np.array([1.0, 2.0])):
        capsys.readouterr()
        f(x)
        printed = capsys.readouterr().out
        assert printed == f"Traced with {x}\nExecuted with {x}\n"


def test_print_under_trace_effects_shows_what_is_known_of_a_tensor(capsys):
    f = ag.function(traced_and_executed, python_effects="trace")
    f(np.float64(1.5))
    first = capsys.readouterr().out.splitlines()
    assert first == ["Traced with Tensor(float64[])", "Executed with 1.5"]


def test_print_in_a_branch_runs_when_the_branch_is_taken(capsys):
    @ag.function
    def f(n):
        if n > 2:
            print("large", n)
        else:
            print("small", n)

    for n in (1, 3, 2):
        f(np.int64(n))
    assert capsys.readouterr().out == "small 1\nlarge 3\nsmall 2\n"


def test_print_in_a_loop_runs_as_often_as_the_loop(capsys):
    @ag.function
    def f(n):
        while n > 0:
            print(n)
            n -= 1

    f(np.int64(3))
    f(np.int64(1))
    assert capsys.readouterr().out == "3\n2\n1\n1\n"


def side_effect(variable, iterator):
    variable.assign_add(next(iterator))
    ag.print("Value of variable:", variable.read())


def test_iterator_advances_at_each_call_without_a_graph(capsys):
    variable, iterator = ag.Variable(0), iter([0, 1, 2, 3])
    for _ in range(3):
        side_effect(variable, iterator)
    assert capsys.readouterr().out.split()[3::4] == ["0", "1", "3"]


def test_iterator_advances_once_while_tracing_under_trace_effects(capsys):
    variable, iterator = ag.Variable(0), iter([0, 1, 2, 3])
    f = ag.function(side_effect, python_effects="trace")
    for _ in range(3):
        f(variable, iterator)
    assert capsys.readouterr().out.split()[3::4] == ["0", "0", "0"]
    assert next(iterator) == 1


def test_outer_list_is_appended_to_once_under_trace_effects():
    calls = []

    @ag.function(python_effects="trace")
    def f(x):
        calls.append("traced")
        return x + 1

    assert [f(np.float64(x)) for x in (1, 2, 3)] == [2.0, 3.0, 4.0]
    assert calls == ["traced"]


# --- 7. Polymorphic functions ---------------------------------------------------------


@pytest.fixture
def poly_func():
    @ag.function(python_effects="trace")
    def poly_func(a):
        print("Tracing with", a)
        return a

    return poly_func


def test_each_dtype_is_traced_once(poly_func, capsys):
    for value in (np.int32(1), np.float32(1.1), np.str_("a")):
        result = poly_func(value)
        assert (type(result), result) == (type(value), value)
    assert capsys.readouterr().out == (
        "Tracing with Tensor(int32[])\n"
        "Tracing with Tensor(float32[])\n"
        "Tracing with Tensor(<U1[])\n"
    )
    assert poly_func(np.float32(3.6)) == np.float32(3.6)
    assert capsys.readouterr().out == ""


def test_signatures_are_printed_with_arguments_and_results(poly_func):
    for value in (np.int32(1), np.float32(1.1), np.str_("a")):
        poly_func(value)
    assert poly_func.pretty_printed_concrete_signatures() == (
        "poly_func(a)\n"
        "  Args:\n"
        "    a: int32 Tensor, shape=()\n"
        "  Returns:\n"
        "    int32 Tensor, shape=()\n"
        "\n"
        "poly_func(a)\n"
        "  Args:\n"
        "    a: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    float32 Tensor, shape=()\n"
        "\n"
        "poly_func(a)\n"
        "  Args:\n"
        "    a: <U1 Tensor, shape=()\n"
        "  Returns:\n"
        "    <U1 Tensor, shape=()"
    )


def test_concrete_function_is_called_by_position_and_by_name(poly_func, capsys):
    polyfunc_int = poly_func.get_concrete_function(np.int32(3))
    traced = capsys.readouterr().out
    assert polyfunc_int(np.int32(5)) == 5
    assert polyfunc_int(a=np.int32(6)) == 6
    assert traced == "Tracing with Tensor(int32[])\n"
    assert capsys.readouterr().out == ""


def test_concrete_function_refuses_another_dtype(poly_func):
    polyfunc_int = poly_func.get_concrete_function(np.int32(3))
    with pytest.raises(TypeError) as caught:
        polyfunc_int(np.float32(7.4))
    assert str(caught.value) == (
        "poly_func: `a` is float32[], but this trace was made for int32[]"
    )
