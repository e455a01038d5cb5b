"""What is said where only the run knows what an exception holds."""

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check

XY = np.array([1.0, 2.0])
N = np.int64(3)
CASES = Cases()


@CASES.says(
    """
    TypeError: the class of an argument of this exception is known only when the graph
          runs, since an operation raises it
      in a_method_of_an_argument, FILE line N:  return error.args[0].upper()
      It can be printed, be part of a text, be raised again and be returned; catch a
          narrower type, or raise an exception of your own for more.
    """,
    XY,
    N,
)
def a_method_of_an_argument(x, n):
    try:
        return x[n]
    except IndexError as error:
        return error.args[0].upper()


@CASES.says(
    """
    TypeError: what the arguments of this exception hold is known only when the graph
          runs, since an operation raises it
      in arguments_compared, FILE line N:  return error.args == (3,)
      It can be printed, be part of a text, be raised again and be returned; catch a
          narrower type, or raise an exception of your own for more.
    """,
    XY,
    N,
)
def arguments_compared(x, n):
    try:
        return x[n]
    except IndexError as error:
        return error.args == (3,)


@CASES.says(
    """
    TypeError: the number of arguments of this exception is known only when the graph
          runs, since an operation raises it
      in arguments_matched, FILE line N:  match error.args:
      It can be printed, be part of a text, be raised again and be returned; catch a
          narrower type, or raise an exception of your own for more.
    """,
    XY,
    N,
)
def arguments_matched(x, n):
    try:
        return x[n]
    except IndexError as error:
        match error.args:
            case (text,):
                return text
        return None


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
