"""A call that certainly fails raises what NumPy finds first, at the user's line."""

import operator
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.numpy_api.faults import OnCopies

DAYS = np.array(["2024-01-01", "2024-01-02"], "M8[D]")
TEXTS = np.array(["a", "b", "c"])
i = np.int64


def stacked(x, y):
    return np.stack([x, y])


def dotted(x, y):
    return x.dot(y)


def divided(x, y):
    return np.divide(x, y)


def filled(x, y):
    x.fill(y)


def changed(x, y):
    x += y


def raised_by(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error), str(error)
    return None


CALLS = [
    (stacked, DAYS, np.ones(3, complex)),  # sizes before dtypes
    (stacked, DAYS, np.ones(2, complex)),
    (dotted, DAYS, np.ones(3, complex)),
    (divided, TEXTS, np.ones(2)),
    (filled, np.ones(2), np.ones(2, np.uint8)),
    (changed, DAYS.copy(), np.ones(3, complex)),
]


@pytest.mark.parametrize(("function", "x", "y"), CALLS)
@pytest.mark.parametrize("shape", [(None,), None])
def test_sizes_that_are_not_known_do_not_change_what_is_raised(function, x, y, shape):
    specs = [ag.TensorSpec(shape, one.dtype) for one in (x, y)]
    graph = ag.function(function, input_signature=specs)
    assert raised_by(graph, x, y) == raised_by(function, x, y) is not None


@pytest.mark.parametrize(("function", "x", "y"), CALLS)
def test_nor_do_loops(function, x, y):
    def in_loop(x, y, n):
        for _ in range(n):
            function(x, y)

    specs = [*(ag.TensorSpec((None,), one.dtype) for one in (x, y)), None]
    specs[2] = ag.TensorSpec((), np.int64)
    graph = ag.function(in_loop, input_signature=specs)
    assert raised_by(graph, x, y, i(2)) == raised_by(function, x, y) is not None


def test_the_handler_is_that_of_the_fault_that_comes_first():
    def handled(x, y):
        try:
            np.stack([x, y])
        except TypeError:
            return "dtypes"
        except ValueError:
            return "sizes"

    specs = [ag.TensorSpec((None,), DAYS.dtype), ag.TensorSpec((None,), complex)]
    graph = ag.function(handled, input_signature=specs)
    assert graph(DAYS, np.ones(3, complex)) == "sizes"
    assert graph(DAYS, np.ones(2, complex)) == "dtypes"


@pytest.mark.parametrize("turns", [0, 2])
def test_what_a_layout_decides_is_said_of_the_layout(turns):
    def bits(x, n):
        if turns == 0:
            return x.view("i2")
        for _ in range(n):
            x.view("i2")

    backwards = np.zeros((3, 6), np.int8)[:, ::-2]
    found = raised_by(ag.function(bits), backwards, i(2))
    assert found == raised_by(bits, backwards, i(2))
    assert "must be contiguous" in found[1]


def test_an_index_outside_comes_before_sizes_that_do_not_fit():
    @ag.function
    def put(x, k, y):
        try:
            x[k] = y
        except IndexError:
            return "index"
        except ValueError:
            return "sizes"

    assert put(np.zeros(3), i(1), np.ones(2)) == "sizes"
    assert put(np.zeros(3), i(5), np.ones(2)) == "index"


def test_what_is_asked_changes_nothing():
    x, locked = np.zeros((2, 3)).T, np.zeros(2)
    locked.flags.writeable = False
    OnCopies(operator.setitem)(x, 0, 1.0)
    assert not x.any()
    with pytest.raises(ValueError, match="read-only"):
        OnCopies(operator.setitem)(locked, 0, 1.0)


def test_new_arrays_are_refused_in_numpy_s_words():
    def spread(x, y):
        return np.linspace(x, y, 4)

    x, y = np.zeros((0, 3), bool), np.zeros((2, 3), [("a", "f8")])
    assert raised_by(ag.function(spread), x, y) == raised_by(spread, x, y) is not None


@pytest.mark.parametrize("word", ["mean", "var"])
def test_means_of_nothing_warn_at_the_user_s_line(word):
    def of_nothing(x):
        return getattr(x, word)()

    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        graph = ag.function(of_nothing)
        assert np.isnan(graph(np.zeros(0)))
    assert met[0].filename == __file__
    assert met[0].lineno == of_nothing.__code__.co_firstlineno + 1


def test_texts_of_any_length_are_not_copied_for_a_signature():
    words = np.array([["a", "bb"]], np.dtypes.StringDType())
    own = np.dtypes.StringDType()
    turned = ag.function(lambda x: x.T, input_signature=[ag.TensorSpec(None, own)])
    assert np.shares_memory(turned(words), words)


@pytest.mark.parametrize("dtype", ["U4", "S4", "T"])
def test_a_text_array_without_dims_has_its_width(dtype):
    @ag.function
    def widths(x):
        return x.astype("U3"), np.roll(x, 1)

    word = np.array("b", dtype)
    plain = widths.python_function(word)
    assert [one.dtype for one in widths(word)] == [one.dtype for one in plain]
