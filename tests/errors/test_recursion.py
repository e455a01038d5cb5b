"""What is said of a recursion that depends on data and cannot be one graph."""

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check

N = np.int64(3)
CASES = Cases()


@CASES.says(
    """
    TypeError: what `nested` returns is nested deeper at each level of a recursion that
          depends on data
      in nested, FILE line N:  def nested(n):
      Return the same kind of value at every level, or fill an array.
    """,
    N,
)
def nested(n):
    if n <= 0:
        return ()
    return n, nested(n - 1)


def composed(n, function):
    if n <= 0:
        return function(n)
    return composed(n - 1, lambda v: function(v) + 1)


@CASES.says(
    """
    TypeError: a recursion that depends on data has no end here
      in composed, FILE line N:  if n <= 0:
      Numbers, texts and arrays may differ from level to level; functions and the
          nesting of containers must be the same.
    """,
    N,
)
def functions(n):
    return composed(n, abs)


def two_names(a, b, n):
    if n <= 0:
        return b.sum()
    a[0] += 1
    return two_names(a[:], b[:], n - 1)


@CASES.says(
    """
    ValueError: `two_names` changes an array that it also has under another name, in a
          recursion that depends on data
      in overlapping, FILE line N:  return two_names(x[:], x[1:], n)
      Pass the array once, with the bounds of the part, or copy the part.
    """,
    np.ones(3),
    N,
)
def overlapping(x, n):
    return two_names(x[:], x[1:], n)


def emptied(n, items):
    if n <= 0:
        return 0.0
    items[0] = n
    return emptied(n - 1, [items[0], items[1]]) + items[1]


@CASES.says(
    """
    TypeError: `emptied` changes a list that differs from level to level of a recursion
          that depends on data
      in changed_lists, FILE line N:  return emptied(n, [n, n * 2])
      Return what it makes instead, or pass on one and the same.
    """,
    N,
)
def changed_lists(n):
    return emptied(n, [n, n * 2])


@CASES.says(
    """
    ValueError: `go` may change an array through another name, depending on data, at
          each level of its recursion
      in swapped, FILE line N:  return go(n, x, y)
      Copy the array first (`x = x.copy()`).
    """,
    N,
    np.zeros(2),
    np.ones(2),
)
def swapped(n, x, y):
    def go(k, a, b):
        if k <= 0:
            return a
        c = go(k - 1, b, a)
        c[0] = k
        return c

    return go(n, x, y)


@CASES.says(
    """
    TypeError: what `go` changes differs at every level
      in held_deeper, FILE line N:  go(n)
      Return what each level makes, or keep it in an array.
    """,
    N,
)
def held_deeper(n):
    held = {}

    def go(k):
        nonlocal held
        held = {"inner": held}
        return 0 if k <= 0 else go(k - 1)

    go(n)
    return held


def turned(m, n):
    if n <= 0:
        return m
    r = m[1:] if n % 2 else m[:-1]
    r[0] -= 1
    return turned(r, n - 1)


@CASES.says(
    """
    ValueError: this array may have been changed in place through another name,
          depending on data
      in turned, FILE line N:  if n <= 0:
      Copy the array (`x = x.copy()`) before one of the names changes.
    """,
    np.ones(6),
    N,
)
def written_in_one_of_two_parts(m, n):
    return turned(m, n)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_says(case: Case):
    check(case)
