"""What is said of changes in place, of attributes of arrays, that are not staged."""

import numpy as np
import pytest

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
    y = x[:2]
    x.shape = (2, 2)
    return y + 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
