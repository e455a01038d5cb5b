"""Calls made while an exception is handled, which is the context of what they raise."""

import numpy as np
import pytest

import autograph as ag

BIG, SMALL, HANDLED = np.array([1.0, 0.0]), np.array([0.0, 1.0]), "division by zero"


def by_data(x, n):
    if x[0] > 0:
        raise ValueError("big", n)
    try:
        if x[1] > 0:
            raise KeyError("k", n)
    except KeyError as error:
        raise RuntimeError("r") from (error if n else None)
    return x


def in_handlers(x, n):
    try:
        try:
            if x[0] > 0:
                raise KeyError("k")
            raise IndexError(x[1])
        except LookupError:
            raise ValueError("v")
    except ValueError:
        raise RuntimeError("r")


def for_all(x, n):
    raise ValueError(n, x.sum())


def chain(error):
    """Each exception that led to it, and how."""
    told = []
    while error is not None:
        cause, context = error.__cause__, error.__context__
        has_frames = error.__traceback__ is not None
        told.append((repr(error), error.__suppress_context__, cause is context))
        if repr(error) == f"ZeroDivisionError('{HANDLED}')":
            told.append(has_frames)
        error = cause or context
    return told


def within(function, x, n):
    """A call while something is handled, which is left as it is."""
    try:
        1 / 0
    except ZeroDivisionError as handled:
        with pytest.raises((ValueError, RuntimeError)) as caught:
            function(x, n)
        kept = handled.__traceback__ is not None, handled.__context__
        return chain(caught.value), kept


def alone(function, x, n):
    with pytest.raises((ValueError, RuntimeError)) as caught:
        function(x, n)
    return chain(caught.value)


@pytest.mark.parametrize("x", [BIG, SMALL], ids=["big", "small"])
@pytest.mark.parametrize("first", [within, alone])
@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("program", [by_data, in_handlers, for_all])
def test_each_call_has_the_context_that_it_is_made_in(program, n, first, x):
    staged = ag.function(program)
    for call in (first, within, alone, within):
        assert call(staged, x, n) == call(program, x, n)


def test_a_trace_that_follows_one_that_was_given_up_is_not_within_it():
    def steps(x, n):
        found = 0
        while n != 1 and found < 20_000:
            found, n = found + 1, n + 1
        if x > n:
            raise ValueError("large")
        return found

    staged, large = ag.function(steps), np.float64(1e9)
    for _ in range(2):
        assert alone(staged, large, 2) == alone(steps, large, 2)
    # The numbers are inputs, since it computes of them for long.
    assert "n: int" in str(staged.concrete_functions[0])
