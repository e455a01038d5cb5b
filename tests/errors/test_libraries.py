"""What is refused of NumPy's and SciPy's functions and objects, in full."""

import numpy as np
import pytest
import scipy.optimize
from scipy._lib._util import MapWrapper

import autograph as ag
from autograph.same import assert_same_as_python

ONE, TWO = np.float64(2.0), np.array([1.0, 2.0])


def told(function, *args):
    """What is said where such a call is an error."""
    with ag.config(strict=True), pytest.raises(TypeError) as error:
        ag.function(function)(*args)
    return str(error.value), getattr(error.value, "__notes__", [""])[-1]


def told_of_a_graph(function, *args):
    """What is said where a graph is asked for; a call is made as Python."""
    assert_same_as_python(function, *args)
    with pytest.raises(NotImplementedError) as error:
        ag.function(function).get_concrete_function(*args)
    return str(error.value), error.value.__notes__[-1]


def test_memory_of_a_tensor_is_refused_of_a_graph():
    text, remedy = told_of_a_graph(lambda x: x.base, TWO)
    assert text == "`.base` of a tensor is not staged"
    assert remedy == "  Ask for it outside of the function, or by ag.py_function."


def test_a_method_that_python_calls_is_refused_of_a_graph():
    text, remedy = told_of_a_graph(lambda x: x.__contains__(2.0), TWO)
    assert text == "`.__contains__` of a tensor is not staged"
    assert remedy == "  Use the operator or the builtin that asks for it."


class Reading:
    most = 7.0


def read(x):
    if x.max() < 100:
        raise ValueError("too little")
    return Reading()


read.__module__ = Reading.__module__ = "scipy.stub"


def test_an_attribute_of_what_no_trial_tells_is_refused_of_a_graph():
    text, remedy = told_of_a_graph(lambda x: read(x).most, TWO * 1e9)
    assert text == ("what a library's function gives, asked for `.most`, is not known")
    assert remedy == "  Call that function outside, and pass what it gives."


def test_a_manager_that_a_run_makes_is_refused_of_a_graph():
    def mapped(x):
        with MapWrapper(1) as mapper:
            return np.array(list(mapper(np.sin, [x, x * 2])))

    assert_same_as_python(mapped, ONE)
    with pytest.raises(TypeError) as error:
        ag.function(mapped).get_concrete_function(ONE)
    text, remedy = str(error.value), error.value.__notes__[-1]
    assert text == (
        "a MapWrapper is entered and left while tracing, but is made when the graph "
        "runs"
    )
    assert remedy == "  Put it around the call of the decorated function."


def test_what_a_library_may_catch_is_refused_of_a_graph():
    def looked(x):
        raises = pytest.raises
        raises(IndexError, lambda: x[[7]])
        return x

    assert_same_as_python(looked, TWO)
    with pytest.raises(TypeError) as error:
        ag.function(looked).get_concrete_function(TWO)
    assert str(error.value) == (
        "raises is given a function that may fail when the graph runs, and catches it "
        "while tracing alone"
    )
    remedy = "  Put it around the call of the decorated function."
    assert error.value.__notes__[-1] == remedy


def test_nditer_is_refused_of_a_graph():
    def total(x):
        return sum(v for v in np.nditer(x))

    text, remedy = told_of_a_graph(total, TWO)
    assert text == "np.nditer of a tensor is not staged"
    assert remedy == "  Go through x.flat, np.ndenumerate(x) or np.ndindex(x.shape)."


def test_callback_that_changes_a_list_of_the_function_is_refused_of_a_graph():
    def counted(d):
        calls = []

        def f(v):
            calls.append(v)
            return v * v - d

        return scipy.optimize.brentq(f, 0.0, 2.0), len(calls)

    text, remedy = told_of_a_graph(counted, ONE)
    assert text == (
        "a function that is called by brentq changes a variable or a container of the "
        "decorated function, which would not be seen there"
    )
    assert remedy == (
        "  Let it return what it finds, or put both into a function that "
        "ag.py_function calls."
    )


def test_callback_that_is_a_method_of_an_object_with_tensors_is_refused():
    class Model:
        def __init__(self, d):
            self.d = d

        def f(self, v):
            return v * v - self.d

    def solved(d):
        return scipy.optimize.brentq(Model(d).f, 0.0, d + 1)

    text, remedy = told(solved, ONE)
    assert text == (
        "`f` is a method of an object that holds what is known only when the graph "
        "runs, so a library cannot call it then"
    )
    assert remedy == "  Pass a function that takes what it needs from variables."


def odd(x):
    return x.copy() if x.max() < 100 else x.astype(np.float32)


def test_function_that_gives_another_dtype_than_in_trials_is_refused_when_it_runs():
    odd.__module__ = "numpy"  # so it is tried, as NumPy's functions are

    def after_a_change(x):
        x += 1  # of which no run keeps a copy for this
        return odd(x)

    assert told(after_a_change, np.array([1.0, 1e3])) == (
        "odd gives float32[2] here, but float64[?] for the arguments that it was tried "
        "with",
        "  Call it by ag.py_function, whose `result` says what it gives.",
    )
