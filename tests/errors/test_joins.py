"""What is said where two paths leave what no graph can hold as one thing."""

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check, line_of, raised

X = np.array(1.0)
N = np.int64(3)
CASES = Cases()


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high


@CASES.says(
    """
    TypeError: an Interval is made anew by each round of a loop or recursion that
          depends on data, and used after it
      in object_of_each_round, FILE line N:  while x > 0:
      Make it before and set its attributes, or make its class a dataclass without an
          `__init__` of its own.
    """,
    X,
)
def object_of_each_round(x):
    found = Interval(x, x)
    while x > 0:
        found = Interval(found.low, x)
        x = x - 1
    return found.low


@CASES.says(
    """
    TypeError: a list is made anew by each round of a loop or recursion that depends on
          data, and used after it
      in list_under_two_names, FILE line N:  while x > 0:
      Give one of its names a copy.
    """,
    X,
)
def list_under_two_names(x):
    a = b = [x]
    while x > 0:
        a = b = [x]
        x = x - 1
    return a, b


@CASES.says(
    """
    TypeError: the list that is changed here is made anew by each round of this loop
      in list_made_by_each_round, FILE line N:  for i in range(n):
      Make it in the loop by a display or call (`[...]`, `list(x)`), which can be told
          from one made outside, or use an array.
    """,
    np.arange(3.0),
    N,
)
def list_made_by_each_round(x, n):
    base = [0, 0]
    for i in range(n):
        c = base[:]
        c[0] = x[i]
        x[i] += c[0]
    return x


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_traceback_ends_at_the_statement_that_joins(case: Case) -> None:
    line = line_of(raised(case))
    assert f":  {line}" in case.text
