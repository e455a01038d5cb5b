"""Exceptions that a branch makes of what it computes, against Python."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import check


class Off(Exception):
    def __init__(self, by, unit):
        super().__init__(f"{by}-{unit}")
        self.twice = by * 2


def one_of_two(x):
    raise ValueError(f"x is {x:.1f}") if x > 0 else KeyError(str(x + 1))


def kept_for_later(x):
    found = None
    if x > 0:
        found = ValueError(f"x is {x:.1f}", x + 1)
    if found is not None:
        raise found
    return x


def with_attributes(x):
    try:
        made = Off(x, 1) if x > 0 else Off(x, 2)
        raise made
    except Off as error:
        return str(error), error.twice


def last_of_a_loop(x):
    last = None
    for k in range(3):
        if x > k:
            last = ValueError(f"{k} and {x * k}")
    if last is None:
        return "none"
    raise last


@pytest.mark.parametrize("x", [np.float64(2.5), np.float64(-2.5)])
@pytest.mark.parametrize(
    "function", [one_of_two, kept_for_later, with_attributes, last_of_a_loop]
)
def test_an_exception_that_a_branch_makes_is_python_s(function, x):
    expected = None
    try:
        function(x)
    except Exception as error:
        expected = error
    if expected is None:
        assert_same_as_python(function, x)
        return
    with pytest.raises(type(expected)) as raised:
        assert_same_as_python(function, x)
    assert raised.value.args == expected.args


def with_words_of_their_own(x, k):
    kinds = [SyntaxError, ImportError, OSError, StopIteration, KeyError]
    try:
        for kind in kinds[k : k + 1]:
            if x > 2:
                raise kind(f"no {x}")
    except (SyntaxError, ImportError, OSError, StopIteration, KeyError) as error:
        print(error)
        raise


def test_what_c_keeps_of_an_exception_is_kept():
    check(with_words_of_their_own, tuple((np.float64(3.0), k) for k in range(5)))
    check(with_words_of_their_own, ((np.float64(1.0), 0),))
