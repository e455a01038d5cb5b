"""What tensors say in NumPy's and Python's words, in full."""

import numpy as np
import pytest

from runtime.errors import StagingNotImplementedError, StagingTypeError
from tests.runtime.staging import trace, unknown_dims
from tracer.function import Function

INTS = np.array([5, 3, 1])
FLOATS = np.array([[1.5, 2.5]])
SAME_KIND = "with casting rule 'same_kind'"

# The program, its argument, the exception and its whole text.
MESSAGES = [
    ("a.shape_of", INTS, "'numpy.ndarray' object has no attribute 'shape_of'"),
    ("a.shape_of", np.int8(1), "'numpy.int8' object has no attribute 'shape_of'"),
    ("a.shape_of", 1.5, "'float' object has no attribute 'shape_of'"),
    ("a[0]", 7, "'int' object is not subscriptable"),
    ("a[0, 0]", INTS, "too many indices for array: array is 1-dimensional, but 2 were "
     "indexed"),
    ("a.__iadd__(1.5)", INTS, "Cannot cast ufunc 'add' output from dtype('float64') to "
     f"dtype('int64') {SAME_KIND}"),
    ("a.__itruediv__(2)", INTS, "Cannot cast ufunc 'divide' output from "
     f"dtype('float64') to dtype('int64') {SAME_KIND}"),
    ("np.sqrt(a, out=a)", INTS, "Cannot cast ufunc 'sqrt' output from dtype('float64') "
     f"to dtype('int64') {SAME_KIND}"),
    ("a.__iadd__(np.zeros((2, 3)))", 1.0 * INTS, "non-broadcastable output operand "
     "with shape (3,) doesn't match the broadcast shape (2,3)"),
    ("a.__setitem__(slice(None), [1, 2])", INTS, "could not broadcast input array from "
     "shape (2,) into shape (3,)"),
    ("np.add(a, 1, out=a[0])", INTS, "return arrays must be of ArrayType"),
    ("a @ a", 2, "unsupported operand type(s) for @: 'int' and 'int'"),
    ("a + [1]", 2, "unsupported operand type(s) for +: 'int' and 'list'"),
    ("a < [1]", 2.5, "'<' not supported between instances of 'float' and 'list'"),
    ("np.fliplr(a)", INTS, "Input must be >= 2-d."),
]  # fmt: skip


@pytest.mark.parametrize(("program", "argument", "text"), MESSAGES)
def test_refusal_is_worded_as_in_numpy(program, argument, text):
    function = eval(f"lambda a: {program}", {"np": np})
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError)) as error:
        trace(function, argument)
    assert str(error.value) == text


def test_an_index_of_a_number_is_the_runs_to_refuse():
    staged = Function(lambda a: a[0], convert=lambda f: f)
    with pytest.raises(IndexError, match=r"^invalid index to scalar variable.$"):
        staged(np.float64(7))


def test_number_is_not_equal_to_a_list():
    trace(lambda a: _assert_not(a == [1]), 1)


def _assert_not(condition):
    assert condition is False
    return 1


def test_list_of_unknown_length_is_refused():
    with pytest.raises(StagingNotImplementedError) as error:
        trace(lambda a: a.tolist(), np.ones((2, 2)), spec=unknown_dims)
    assert str(error.value) == (
        "the length of this list is known only when the graph runs, so it cannot be "
        "made while tracing"
    )
    assert error.value.__notes__[-1] == "  Work with the array itself."


@pytest.mark.parametrize("name", ["resize", "setflags", "setfield"])
def test_change_of_what_an_array_is_is_refused(name):
    with pytest.raises(StagingNotImplementedError) as error:
        trace(lambda a: getattr(a, name)(3), INTS)
    assert str(error.value) == f"`.{name}()` of a tensor is not staged"
    assert error.value.__notes__[-1] == (
        "  Make a new array instead, or do it outside of the function."
    )


def test_method_of_a_number_that_a_graph_cannot_hold_is_refused():
    with pytest.raises(StagingTypeError) as error:
        trace(lambda a: a.fromhex("0x1"), 2.5)
    assert str(error.value) == (
        "`.fromhex` of a float is not known while tracing, and a graph cannot "
        "hold what it gives"
    )
