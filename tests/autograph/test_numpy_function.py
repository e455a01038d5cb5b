"""ag.numpy_function: Python that is called with NumPy arrays, and gives them."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
X = np.array([3.0, 1.0, 2.0])
THREE = ag.TensorSpec([3], np.float64)
PROGRAMS = Programs()


def kinds(*args):
    print(*(type(arg).__name__ for arg in args))
    return [arg.ndim for arg in args]


@PROGRAMS((X, np.float64(2), 3), (np.ones((2, 2)), np.float32(1), True))
def gets_arrays_only(x, y, n):
    return ag.numpy_function(kinds, x, y, n, x > 0, y * 2)


@PROGRAMS((X, i(1)), (X, i(-1)))
def is_called_in_its_place(x, n):
    print("before")
    if n > 0:
        ag.numpy_function(lambda v: print("in between", v), x + n, result=None)
    print("after")


def spoil(v):
    v[:] = 0
    return v


@PROGRAMS((X,))
def changes_its_own_arrays_only(x):
    y = x + 1
    zeros = ag.numpy_function(spoil, y, result=THREE)
    return x, y, zeros


@PROGRAMS((X,))
def gives_a_scalar_for_what_has_no_dims(x):
    total = ag.numpy_function(
        lambda v: float(v.sum()), x, result=ag.TensorSpec([], float)
    )
    return total, total.dtype


@PROGRAMS((X,))
def gives_a_tuple_of_arrays(x):
    low, whole = ag.numpy_function(
        lambda v: [min(v.tolist()), sorted(v.tolist())],
        x,
        result=[ag.TensorSpec([], float), THREE],
    )
    return low, whole + 1


@PROGRAMS((X,))
def gives_a_tuple_of_one(x):
    return ag.numpy_function(lambda v: (v * 2,), x, result=[THREE])


@PROGRAMS((X, i(2)))
def takes_structures_and_other_things(x, n):
    def join(parts, words):
        return parts["a"] + parts["b"][0], print(words)

    found = ag.numpy_function(
        join,
        {"a": x, "b": (n, None)},
        "words",
        result=[THREE, ag.TensorSpec([], object)],
    )
    return found[0]


@PROGRAMS((X,), (np.ones(2),))
def refuses_what_does_not_fit(x):
    return ag.numpy_function(lambda v: v.tolist(), x, result=THREE)


@PROGRAMS((X,))
def fails_as_the_function_does(x):
    return ag.numpy_function(lambda v: v.reshape(2, 2), x)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_call_is_that_of_plain_python(program, arguments):
    check(program, arguments)


def test_variable_is_passed_as_the_array_that_it_holds():
    v = ag.Variable(X.copy())

    @ag.function
    def f(y):
        return ag.numpy_function(spoil, v, result=THREE) + y

    assert f(X).tolist() == X.tolist()
    assert v.read().tolist() == X.tolist()


def test_it_is_called_at_each_run():
    seen = []

    @ag.function
    def f(x):
        ag.numpy_function(seen.append, x, result=None)
        return x

    for x in (1.0, 2.0, 3.0):
        f(np.float64(x))
    assert [(type(x), x.tolist()) for x in seen] == [
        (np.ndarray, 1.0),
        (np.ndarray, 2.0),
        (np.ndarray, 3.0),
    ]
    assert len(f.concrete_functions) == 1
