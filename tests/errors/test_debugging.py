"""What the checks of ag.debugging say, and where."""

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, line_of, raised

CASES = Cases()
BAD = np.array([[1.0, 2.0], [np.inf, np.nan]])


@CASES.says(
    """
    FloatingPointError: loss: 2 of 4 elements are not finite, first inf at [1, 0]
    """,
    BAD,
)
def numerics_of_an_array(x):
    return ag.debugging.check_numerics(x, "loss")  # here


@CASES.says(
    """
    FloatingPointError: the number is nan
    """,
    np.float64(np.nan),
)
def numerics_of_a_number(x):
    ag.debugging.check_numerics(x)  # here


@CASES.says(
    """
    TypeError: check_numerics takes an array or a number, not a str
    """,
    BAD,
)
def numerics_of_a_text(x):
    ag.debugging.check_numerics("x")  # here


@CASES.says(
    """
    ValueError: array 2 of check_shapes has shape (2, 2), not (n, k, 2) where n is 2
    """,
    BAD,
)
def shapes_of_two(x):
    ag.debugging.check_shapes((x, ("n", None)), (x * 2, ("n", "k", 2)))  # here


@CASES.says(
    """
    TypeError: argument 1 of check_shapes must be an array and its sizes, as in
          `check_shapes((x, ("n", 3)))`
    """,
    BAD,
)
def shapes_without_sizes(x):
    ag.debugging.check_shapes(x, ("n", None))  # here


@CASES.says(
    """
    ValueError: array 1 of check_shapes has shape (), not (..., any)
    """,
    np.float64(1),
)
def shape_of_a_number(x):
    ag.debugging.check_shapes((x, (..., None)))  # here


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_message(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_traceback_ends_at_the_check(case: Case) -> None:
    assert line_of(raised(case)).endswith("# here")
