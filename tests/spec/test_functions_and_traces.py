"""Cells of the guides and of the API page on Functions, their traces and signatures,
that the other files of this folder leave.
"""

import gc
import weakref

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

A = np.array([[1.0, 2.0]]), np.array([[2.0], [3.0]])


def function_to_get_faster(x, y, b):
    x = np.matmul(x, y)
    x = x + b
    return x


def my_function(x):
    if np.sum(x) <= 1:
        return x * x
    else:
        return x - 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_function_to_get_faster_works_as_the_python_function(dtype):
    x, y, b = (*(a.astype(dtype) for a in A), np.array(4.0, dtype))
    a_function_that_uses_a_graph = ag.function(function_to_get_faster)
    result = a_function_that_uses_a_graph(x, y, b)
    assert (result.dtype, result.tolist()) == (dtype, [[12.0]])
    assert np.array_equal(result, function_to_get_faster(x, y, b))


def test_function_has_a_class_of_its_own_and_says_what_it_is():
    a_function = ag.function(my_function)
    assert type(a_function) is ag.Function
    assert str(a_function) == "<Function my_function(x): 0 traces>"
    a_function(np.int32(2))
    assert str(a_function) == "<Function my_function(x): 1 trace>"


def test_calling_with_three_kinds_of_arguments_makes_three_traces(capsys):
    a_function = ag.function(my_function)
    print("Int:", a_function(np.int32(2)))
    print("Float:", a_function(np.float32(2.0)))
    print("Rank-1 tensor of floats", a_function(np.full(3, 2.0, np.float32)))
    assert capsys.readouterr().out == (
        "Int: 1\nFloat: 1.0\nRank-1 tensor of floats [1. 1. 1.]\n"
    )
    assert list(map(repr, a_function.concrete_functions)) == [
        "<ConcreteFunction my_function(x: int32[]) -> int32[]>",
        "<ConcreteFunction my_function(x: float32[]) -> float32[]>",
        "<ConcreteFunction my_function(x: float32[3]) -> float32[3]>",
    ]


def test_concrete_functions_print_their_arguments_and_results(capsys):
    a_function = ag.function(my_function)
    print(a_function.get_concrete_function(ag.TensorSpec([], np.float32)))
    print(a_function.get_concrete_function(np.full(3, 2.0, np.float32)))
    assert capsys.readouterr().out == (
        "my_function(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    float32 Tensor, shape=()\n"
        "my_function(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=(3,)\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(3,)\n"
    )


def test_concrete_function_is_called_directly_and_is_the_trace_of_calls():
    a_function = ag.function(my_function)
    cf = a_function.get_concrete_function(np.int32(2))
    assert cf(np.int32(2)) == 1
    assert a_function(np.int32(5)) == 4
    assert a_function.concrete_functions == [cf]


def test_graph_of_a_trace_can_be_read():
    def simple_relu(x):
        if x > 0:
            return x
        return np.zeros((), x.dtype)[()]

    graph = ag.function(simple_relu).get_concrete_function(np.float64(1)).graph
    assert str(graph) == (
        "graph simple_relu(a: float64[]) {\n"
        "  b: ~int64[] = constant[value=0]()\n"
        "  c: bool[] = greater(a, b)\n"
        "  d: ~bool[] = truth(c)\n"
        "  e: float64[] = if(d, a) {\n"
        "    then(a: float64[]) {\n"
        "      return a\n"
        "    }\n"
        "    orelse(a: float64[]) {\n"
        "      f: float64[] = constant[value=float64(0.0)]()\n"
        "      return f\n"
        "    }\n"
        "  }\n"
        "  return e\n"
        "}"
    )


@pytest.mark.parametrize("of_concrete", [False, True])
def test_printed_steps_of_obtaining_and_executing_a_trace(of_concrete, capsys):
    @ag.function(python_effects="trace")
    def poly_func(a):
        print("Tracing with", a)
        return a

    poly_func(np.int32(1))
    capsys.readouterr()
    print("Obtaining concrete trace")
    polyfunc_int = poly_func.get_concrete_function(np.int32(3))
    called = polyfunc_int if of_concrete else poly_func
    print("Executing traced function")
    print(called(np.int32(5)))
    print(called(a=np.int32(6)))
    assert capsys.readouterr().out == (
        "Obtaining concrete trace\nExecuting traced function\n5\n6\n"
    )


# --- The API page ---------------------------------------------------------------------


def test_one_argument_of_unknown_dtype_is_a_graph_for_each_shape():
    @ag.function(reduce_retracing=False)
    def f(x):
        return np.add(x, 1.0)

    for x in (np.ones(2), np.ones(3), np.ones(4), np.ones(2)):
        f(x)
    assert len(f.concrete_functions) == 3


def test_argument_shapes_are_relaxed_by_themselves():
    @ag.function
    def f(x):
        return np.add(x, 1.0)

    for x in (np.ones(2), np.ones(3), np.ones(4), np.ones(9)):
        f(x)
    assert [str(c.signature.leaves[0]) for c in f.concrete_functions] == [
        "float64[2]",
        "float64[?]",
    ]


def test_signature_guarantees_that_one_graph_is_built():
    traced = []

    @ag.function(input_signature=[ag.TensorSpec(None, np.float64)])
    def f(x):
        ag.py_function(lambda: None, result=None)
        return x + 1

    for x in (1.0, [1, 2], np.ones((2, 2)), np.float32(3)):
        f(x)
        traced.append(len(f.concrete_functions))
    assert traced == [1] * 4


def test_decorator_given_its_arguments_first_is_the_same():
    specs = [ag.TensorSpec([None], np.float32)]

    def f(x):
        return x + 1

    first, second = (
        ag.function(input_signature=specs)(f),
        ag.function(f, input_signature=specs),
    )
    for made in (first, second):
        result = made([1, 2])
        assert (result.dtype, result.tolist()) == (np.float32, [2.0, 3.0])
    assert str(first) == str(second)


def test_signature_may_be_nested():
    spec = [
        [ag.TensorSpec([], np.float64), ag.TensorSpec([None], np.int32)],
        {"a": ag.TensorSpec(None, np.float64)},
    ]

    @ag.function(input_signature=spec)
    def f(pair, named):
        return pair[0] * pair[1], named["a"]

    product, a = f([2, [2, 3]], {"a": [[1]]})
    assert (product.dtype, product.tolist()) == (np.float64, [4.0, 6.0])
    assert (a.dtype, a.tolist()) == (np.float64, [[1.0]])
    with pytest.raises(TypeError) as caught:
        f([2, [2.5, 3]], {"a": [[1]]})
    assert str(caught.value) == (
        "f: `pair[1]` is [2.5, 3], which does not fit int32[?] of the input_signature"
    )


def test_arguments_without_a_name_of_their_own_are_refused_beside_a_signature():
    @ag.function(input_signature=[ag.TensorSpec([], np.float32)])
    def f(x, **more):
        return x

    assert f(1) == 1
    with pytest.raises(TypeError) as caught:
        f(1, y=2)
    assert str(caught.value) == "f() has an input_signature without a spec for `y`"


def test_python_decides_what_the_graph_is_made_of():
    @ag.function
    def layers(x, count):
        for _ in range(count):
            x = np.tanh(x)
        return x

    for count in (1, 3):
        graph = layers.get_concrete_function(np.ones(2), count).graph
        assert [node.op.name for node in graph.nodes] == ["tanh"] * count


def test_branch_and_negative_floor_division_of_the_page():
    @ag.function
    def g(x):
        if np.sum(x) > 0:
            return x * x
        else:
            return -x // 2

    assert g(np.float64(3.0)) == 9.0
    assert g(np.float64(-3.0)) == 1.0
    assert len(g.concrete_functions) == 1


def test_two_instances_have_traces_of_their_own_and_die_with_them():
    class Dense:
        def __init__(self):
            self.w = ag.Variable(np.random.default_rng().standard_normal((3, 3)))

        @ag.function
        def compute(self, x):
            return np.matmul(x, self.w.read())

    d1, d2 = Dense(), Dense()
    x = np.ones((3, 3))
    assert np.array_equal(d1.compute(x), x @ d1.w.read())
    assert np.array_equal(d2.compute(x), x @ d2.w.read())
    assert len(Dense.compute.concrete_functions) == 2
    gone = weakref.ref(d1.w)
    del d1
    gc.collect()
    assert gone() is None
    assert len(Dense.compute.concrete_functions) == 1
