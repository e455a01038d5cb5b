"""Exceptions that are raised again: their cause and context, and one for each run."""

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0])


def from_none(x, i):
    try:
        return x[i]
    except IndexError as error:
        raise error from None


def raised_from_none(x, i):
    try:
        if i > 1:
            raise ValueError("far")
    except ValueError as error:
        raise error from None


def without_a_cause(x, i):
    try:
        return x[i]
    except IndexError as error:
        error.args = ("changed",)
        raise


@pytest.mark.parametrize("function", [from_none, raised_from_none, without_a_cause])
def test_the_context_is_hidden_as_in_python(function):
    found = []
    for call in (function, ag.function(function)):
        with pytest.raises((IndexError, ValueError)) as caught:
            call(X, np.int64(7))
        error = caught.value
        found.append((error.__cause__, error.__context__, error.__suppress_context__))
    assert found[0] == found[1]


def test_each_run_raises_an_exception_of_its_own():
    @ag.function
    def raises(c):
        if c > 0:
            raise ValueError("no")

    errors = []
    for _ in range(2):
        with pytest.raises(ValueError, match="no") as caught:
            raises(np.float64(1.0))
        caught.value.add_note("told")
        errors.append(caught.value)
    assert errors[0] is not errors[1]
    assert errors[1].__notes__ == ["told"]
