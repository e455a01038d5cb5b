"""Sets of constants, and other constants that each round of a loop makes anew."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python

GIVEN = (([1.0, -2.0, 3.0], 3), ([-1.0, -2.0, -3.0], 0), ([-1.0, 4.0, 5.0], 5))


def changed(x, n):
    s, i = {"a"}, 0
    while i < n:
        if x[i % 3] > 0:
            s.add("b")
        else:
            s.discard("a")
        i += 1
    return sorted(s), "b" in s, len(s), sorted(s | {"c"})


def made_anew(x, n):
    s = set()
    for _ in range(n):
        s = s | {"a"} if x[0] > 0 else s | {"b"}
    return s


def made_and_changed(x, n):
    found = None
    for i in range(n):
        s = {"a"}
        if x[i % 3] > 0:
            s.add("b")
        found = s
    return found


def of_what_was_seen(x, n):
    seen, again = set(), 0
    for v in x:
        kind = "p" if v > 0 else "n"
        if kind in seen:
            again += 1
        seen.add(kind)
    return again, len(seen), seen


def bytes_and_bytearrays(x, n):
    b, i = b"", 0
    while i < n:
        b = b"ab" if x[i % 3] > 0 else bytearray(b"c")
        i += 1
    return b, len(b)


def under_two_names(x, n):
    s, i = {"a"}, 0
    t = s
    while i < n:
        if x[i % 3] > 0:
            s.add("b")
        else:
            s.discard("a")
        i += 1
    t.add("z")
    return s, t, s is t


def two_equal_ones(x, n):
    s = {"a"}
    if x[0] > 0:
        s = {"a"}
    t = s
    s.add("x")
    return s, t


FUNCTIONS = [
    *(changed, made_anew, made_and_changed, of_what_was_seen, bytes_and_bytearrays),
    *(under_two_names, two_equal_ones),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("given", GIVEN)
def test_a_set_holds_what_it_holds_in_python(function, given):
    x, n = given
    assert_same_as_python(function, np.array(x), np.int64(n))
