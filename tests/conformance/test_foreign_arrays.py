"""Arrays of other kinds, as arguments and beside tensors: buffers, pandas, SciPy's.

What they hold is read at each call, and what they say of an operator is said.
"""

import array
import ctypes
import linecache

import numpy as np
import pytest
from scipy import sparse

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import check

X = np.array([1.0, 2.0, 3.0])
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


class Signal:
    """A class of the user's that NumPy takes for an array."""

    def __init__(self, samples):
        self.samples = samples

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.samples, dtype)


def makers():
    made = {
        "bytearray": lambda: bytearray(range(3)),
        "memoryview": lambda: memoryview(np.array([1.0, 2.0, 4.0])),
        "array.array": lambda: array.array("d", [1.0, 2.0, 4.0]),
        "ctypes": lambda: (ctypes.c_double * 3)(1, 2, 4),
        "array of objects": lambda: np.array([1, 2.5, 4], object),
        "masked array": lambda: np.ma.array([1.0, 2.0, 4.0], mask=[0, 1, 0]),
        "matrix": lambda: np.matrix([[1.0, 2.0, 4.0]]),
        "poly1d": lambda: np.poly1d([1.0, 2.0, 4.0]),
        "sparse array": lambda: sparse.csr_array(np.diag([1.0, 2.0, 4.0])),
    }
    try:
        import pandas
    except ImportError:
        return made
    made["Series"] = lambda: pandas.Series([1.0, 2.0, 4.0], name="q")
    made["Index"] = lambda: pandas.Index([1.0, 2.0, 4.0])
    made["DataFrame"] = lambda: pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    return made


MAKERS = makers()


def change(held):
    """Change what it holds, without making another."""
    if isinstance(held, np.poly1d):
        held.coeffs[0] = 9.0
    elif sparse.issparse(held):
        held.data[0] = 9.0
    elif hasattr(held, "iloc"):
        held.iloc[0] = 9.0
    elif isinstance(held, np.matrix):
        held[0, 0] = 9.0
    elif type(held).__name__ != "Index":
        held[0] = 9


def total(held, x):
    return float(
        np.sum(np.asarray(held.sum() if hasattr(held, "sum") else held)) + x[0]
    )


@pytest.mark.parametrize("name", MAKERS)
def test_what_an_argument_holds_is_read_at_each_call(name):
    held = MAKERS[name]()
    staged = ag.function(total)
    assert staged(held, X) == total(held, X)
    change(held)
    assert staged(held, X) == total(held, X)


OBJECTS = "an array of Python objects cannot be in a graph"
PROGRAMS = """
return HELD + x
return x - HELD
return x[1] * HELD
return np.add(x, HELD)
return np.concatenate([x, HELD])
return np.where(x > 1, HELD, 0)
return np.interp(x, [0, 1, 5], HELD)
return np.asarray(HELD) * x
return x > HELD
return np.linalg.norm(x - HELD)
x[:] = HELD; return x
x[1:] += HELD[1:]; return x
y = x; x += HELD; return y
t = x * 0\\n    for v in x:\\n        if v > 1: t = t + HELD\\n    return t
"""


def shown(outcome):
    return type(outcome).__name__, repr(outcome), getattr(outcome, "dtype", None)


@pytest.mark.parametrize("name", [*MAKERS, "Signal", "range"])
def test_beside_a_tensor_it_means_what_it_means_in_python(name):
    others = {
        "Signal": lambda: Signal(np.array([1.0, 2.0, 4.0])),
        "range": lambda: range(3),
    }
    namespace = {"np": np, "HELD": (MAKERS | others)[name](), "__name__": "programs"}
    differ = {}
    for text in PROGRAMS.strip().splitlines():
        source = "def program(x):\n    " + text.replace("\\n", "\n")
        file = f"<{name}: {text}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), namespace)
        expected, found = (
            outcome(function)
            for function in (namespace["program"], ag.function(namespace["program"]))
        )
        if expected != found and OBJECTS not in found[0]:
            differ[text] = (expected, found)
    assert not differ


def outcome(function):
    x = X.copy()
    try:
        result = shown(function(x))
    except Exception as error:
        result = type(error).__name__, str(error)
    return result, x.tolist()


def test_argument_of_the_users_own_class_is_staged():
    def doubled(signal, x):
        while np.sum(x) < 10:
            x = x + signal
        return np.add(x, signal)

    assert_same_as_python(doubled, Signal(X), X)


def test_library_object_made_inside_of_a_branch():
    pandas = pytest.importorskip("pandas")

    def smoothed(x, n):
        for _ in range(n):
            if x[0] < 2:
                x = pandas.Series(x).rolling(2, min_periods=1).mean().to_numpy() + 1
        return x, pandas.DataFrame({"a": x, "b": x * 2})["b"].max()

    check(smoothed, ((X, np.int64(3)), (X, np.int64(0))))


PAIR = np.array([(1, 2.0), (3, 4.0)], [("a", int), ("b", float)])


def test_an_element_of_a_recarray_is_asked_by_attributes_and_changed():
    def moved(row):
        row.b = row.b + row.a
        return row.b, row["a"]

    check(moved, ((PAIR.view(np.recarray)[1],),))


def test_a_field_of_an_element_that_is_passed_is_set():
    def set_one(row):
        row["a"] += 1
        return row["b"]

    check(set_one, ((PAIR[0],),))
