"""What is said of changes in place, of attributes of arrays, that are not staged."""

import re

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

X = np.arange(4.0)
CASES = Cases()


@CASES.says(
    """
    NotImplementedError: setting `.dtype` of an array is not staged
      in set_dtype, FILE line N:  x.dtype = np.int64
      Make a new array instead, or do it outside of the function.
    """,
    X,
)
def set_dtype(x):
    x.dtype = np.int64


@CASES.says(
    """
    NotImplementedError: setting `.flags.writeable` of an array is not staged
      in locked, FILE line N:  x.flags.writeable = False
      Make a new array instead, or do it outside of the function.
    """,
    X,
)
def locked(x):
    x.flags.writeable = False


@CASES.says(
    """
    NotImplementedError: an array of texts that the function has made is changed
      in changed_texts, FILE line N:  names[k] = "z"
      Pass the array, or make a list of the texts.
    """,
    np.int64(1),
)
def changed_texts(k):
    names = np.array(["a", "b"])
    names[k] = "z"
    return names == "z"


@CASES.says(
    """
    NotImplementedError: `.flags.owndata` of an array is not staged
      in owns, FILE line N:  return x.flags.owndata
      Ask outside of the function.
    """,
    X,
)
def owns(x):
    return x.flags.owndata


@CASES.says(
    """
    TypeError: whether two names are one array depends on data
      in is_itself, FILE line N:  return y is z
      Keep a flag that says which array it is.
    """,
    X,
)
def is_itself(x):
    y = z = x
    if x[0] < 1:
        y = z = x[x.argmax() :]
        if x[0] < 0:
            y = x
    return y is z


@CASES.says(
    """
    NotImplementedError: `.strides` of this array is known only when the graph runs
      in steps, FILE line N:  return x[x > 1].strides
      Ask outside of the function, or copy the array first.
    """,
    X,
)
def steps(x):
    return x[x > 1].strides


@CASES.says(
    """
    NotImplementedError: `.shape` of a view is set in a branch or loop that depends on
          data
      in in_a_branch, FILE line N:  if x[0] < 1:
      Use `.reshape()`, which gives a view with that shape.
    """,
    X,
)
def in_a_branch(x):
    y = x[:]
    if x[0] < 1:
        y.shape = (2, 2)
    return y


@CASES.says(
    """
    ValueError: this view was taken before `.shape` of its array was set
      in before, FILE line N:  return y + 1
      Set the shape first, or use `.reshape()`, which gives a view.
    """,
    X,
)
def before(x):
    x = x.copy()
    y = x[:2]
    x.shape = (2, 2)
    return y + 1


@CASES.says(
    """
    TypeError: an array of Python objects cannot be in a graph
      in objects, FILE line N:  return x.astype(object)
      Give it a numeric dtype, or do it outside of the function.
    """,
    X,
)
def objects(x):
    return x.astype(object)


@CASES.says(
    """
    NotImplementedError: a graph cannot hold the Python object of a datetime64[D]
      in date, FILE line N:  return days[0].item()
      Work with the array itself.
    """,
    X.astype("M8[D]"),
)
def date(days):
    return days[0].item()


@CASES.says(
    """
    NotImplementedError: a field of this scalar is set
      in field, FILE line N:  row["a"] = 1
      Set it in an array: `x[i]['name'] = ...`, or `x['name'][i] = ...`.
    """,
    np.zeros(1, [("a", int)])[0],
)
def field(row):
    row["a"] = 1


@CASES.says(
    """
    TypeError: how many generators are made is known only by the run
      in spawned, FILE line N:  return rng.spawn(n)[0].random()
      Pass a Python number.
    """,
    np.random.default_rng(0),
    np.int64(2),
)
def spawned(rng, n):
    return rng.spawn(n)[0].random()


# Since 2.5 NumPy says itself that these are read-only.
if np.lib.NumpyVersion(np.__version__) < "2.5.0":

    @CASES.says(
        """
        NotImplementedError: this changes a view some of whose elements are one in
              memory
          in at_of_a_view, FILE line N:  np.add.at(row, [0], 1.0)
          Change the array itself, or copy the view first (`w = w.copy()`).
        """,
        X,
    )
    def at_of_a_view(x):
        row = np.broadcast_to(x, (2, 4))[0]
        np.add.at(row, [0], 1.0)
        return row

    @CASES.says(
        """
        NotImplementedError: np.negative.at of a read-only view
          in at_of_one_of_two, FILE line N:  np.negative.at(part, [0, 1])
          Copy it first (`x = x.copy()`).
        """,
        X,
    )
    def at_of_one_of_two(x):
        part = x.imag if x[0] > 1 else x
        np.negative.at(part, [0, 1])
        return part


@CASES.says(
    """
    NotImplementedError: this changes a view some of whose elements are one in memory
      in windows, FILE line N:  w[0, 1] = 7
      Change the array itself, or copy the view first (`w = w.copy()`).
    """,
    X,
)
def windows(x):
    w = np.lib.stride_tricks.sliding_window_view(x, 3, writeable=True)
    w[0, 1] = 7
    return x


@CASES.says(
    """
    ValueError: this changes an array that may be a read-only view or another one,
          depending on data
      in perhaps_locked, FILE line N:  y += 1
      Copy the array first (`x = x.copy()`), or change it before the name is given to
          another array.
    """,
    np.zeros(4),
    np.int64(0),
)
def perhaps_locked(x, n):
    y = np.zeros(4)
    for _ in range(n):
        y = np.broadcast_to(y, (1, 4))[0]
    y += 1
    return y


def test_no_trace_is_made_for_a_masked_array():
    text = "no graph takes a MaskedArray: convert it, for example by np.array"
    with pytest.raises(TypeError, match=f"^{re.escape(text)}$"):
        ag.function(objects).get_concrete_function(np.ma.array([1.0]))


# NumPy 2.5 is about to take it away.
@pytest.mark.filterwarnings("ignore:Setting the dtype:DeprecationWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
