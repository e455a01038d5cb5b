"""A traceback has the lines that Python's has, of helpers and of causes, too."""

import traceback

import numpy as np
import pytest

import autograph as ag


def root(v):
    if v < 0:
        raise ValueError(f"negative: {v}")
    return v**0.5


def last(x, n):
    return x[n]


def last_but(x, n):
    return last(x, x.size - n)


def calls_in_a_loop(x):
    total = 0.0
    for value in x:
        total = total + root(value)
    return total


def calls_of_calls(x):
    return last_but(x * 2, -1)


def call_with_an_error(x):
    return x + undefined_name(x)  # noqa: F821 - it is to be missing


def helper_with_an_error(x):
    return call_with_an_error(x * 2)


def looked_up(x):
    try:
        return {}[x.ndim]
    except KeyError as error:
        raise ValueError("no such key") from error


def lines(error):
    """The lines of this file that an exception passed, and that its cause passed."""
    found = []
    while error is not None:
        shown = traceback.extract_tb(error.__traceback__)
        found.append([(e.name, e.lineno) for e in shown if e.filename == __file__][1:])
        error = error.__cause__
    return found


@pytest.mark.parametrize(
    ("program", "x"),
    [
        (calls_in_a_loop, np.array([1.0, -2.0])),
        (calls_in_a_loop, [1.0, -2.0]),
        (calls_of_calls, np.ones(3)),
        (helper_with_an_error, np.ones(3)),
    ],
)
@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_the_calls_that_an_error_has_passed_are_shown(program, x, backend):
    with pytest.raises(Exception) as python:  # noqa: PT011 - any of them
        program(x)
    staged = ag.function(program)
    with ag.config(backend=backend):
        for _ in range(3):
            with pytest.raises(python.type) as ours:
                staged(x)
            assert lines(ours.value) == lines(python.value)


def test_a_cause_shows_lines_of_the_program_alone():
    with pytest.raises(ValueError, match="no such key") as caught:
        ag.function(looked_up)(np.ones(3))
    shown = traceback.extract_tb(caught.value.__cause__.__traceback__)
    assert [(entry.name, entry.line) for entry in shown] == [
        ("looked_up", "return {}[x.ndim]")
    ]
