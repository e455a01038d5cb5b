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
    TypeError: an Interval that holds itself, or that a function, a set or the like
          holds, is made anew by each round of a loop or recursion that depends on data
      in object_of_each_round, FILE line N:  while x > 0:
      Make it before, and change what is in it.
    """,
    X,
)
def object_of_each_round(x):
    found = Interval(x, x)
    while x > 0:
        found = Interval(found.low, x)
        found.high = found
        x = x - 1
    return found.low


@CASES.says(
    """
    TypeError: this changes what a loop, recursion or try may have left under two names:
          the other one would not see it
      in object_under_two_names, FILE line N:  found.low = 0
      Give one of the names a copy, or make a new one instead of changing it.
    """,
    X,
)
def object_under_two_names(x):
    best = found = Interval(x, x)
    while x > 0:
        found = Interval(found.low, x)
        best = found
        x = x - 1
    found.low = 0
    return best.low


@CASES.says(
    """
    TypeError: whether two names are one Interval is asked of what a loop, recursion or
          try may have left under two names
      in which_object, FILE line N:  return best is found
      Compare what the objects hold, or keep a flag.
    """,
    X,
)
def which_object(x):
    best = found = Interval(x, x)
    while x > 0:
        found = Interval(found.low, x)
        best = found
        x = x - 1
    return best is found


@CASES.says(
    """
    ValueError: this changes an array that may be what another name got from a branch,
          loop or recursion or another one, depending on data
      in array_under_two_names, FILE line N:  found += 1
      Copy the array first (`x = x.copy()`), or change it before the name is given to
          another array.
    """,
    X,
)
def array_under_two_names(x):
    best = found = np.zeros(2)
    while x > 0:
        found = found + x
        best = found
        x = x - 1
    found += 1
    return best


@CASES.says(
    """
    TypeError: the dict that is changed here is made anew by each round of this loop
      in dict_made_by_each_round, FILE line N:  for i in range(n):
      Make it in the loop by a display or call (`[...]`, `list(x)`), which can be told
          from one made outside, or use an array.
    """,
    np.arange(3.0),
    N,
)
def dict_made_by_each_round(x, n):
    for i in range(n):
        c = {"a": 0} | {}
        c["a"] = x[i]
        x[i] += c["a"]
    return x


@CASES.says(
    """
    TypeError: this changes one of several equal sets, depending on data: the others
          would change too
      in one_of_equal_sets, FILE line N:  found.add("z")
      Change a copy of it (`x = x.copy()`), or make a new one instead of changing it.
    """,
    X,
)
def one_of_equal_sets(x):
    found = {"start"}
    while x > 0:
        found = {"a"} if x > 2 else {"b"}
        x = x - 1
    found.add("z")
    return found


@CASES.says(
    """
    NotImplementedError: this holds more kinds of things than it was traced with
      in found_or_said, FILE line N:  try:
      Give its items one type.
    """,
    np.arange(40.0),
    [1, 3, 50, 39],
)
def found_or_said(x, places):
    out = []
    for i in places:
        while True:
            try:
                v = x[i]
                if v > 30:
                    raise OverflowError(f"large {v}")
                out.append(v)
            except IndexError as e:
                out.append(str(e))
                i //= 2
                continue
            except OverflowError as e:
                out.append(e.args[0])
            else:
                out.append("ok")
            break
    return out


def _unbound():
    @CASES.says(
        """
        TypeError: the outer variable `late` is set on one path only
          in bound_on_one_path, FILE line N:  if x > 0:
          Set it before the branch or loop, to a value of the same kind.
        """,
        np.float64(1.0),
    )
    def bound_on_one_path(x):
        if x > 0:
            bind(x)
        return x

    def bind(x):
        nonlocal late
        late = x

    if bind is None:
        late = 0.0


_unbound()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_traceback_ends_at_the_statement_that_joins(case: Case) -> None:
    line = line_of(raised(case))
    assert f":  {line}" in case.text
