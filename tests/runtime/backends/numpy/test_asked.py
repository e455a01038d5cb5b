"""What an `if` or `while` asks is one expression, where nothing else needs it."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.backends.numpy import compile_graph


def source(function, *arguments):
    """The Python that is made of a function."""
    graph = ag.function(function).get_concrete_function(*arguments).graph
    return compile_graph(graph).source


def heads(function, *arguments):
    """The lines of it that ask something, with a letter for each name."""
    names = {}
    text = source(function, *arguments)
    # Without the lines that count the steps of a loop.
    lines = re.findall(r"(?:if|while) ((?!n\d).*):", text)
    return [
        re.sub(r"v\d+", lambda m: names.setdefault(m[0], "abcdef"[len(names)]), line)
        for line in lines
    ]


def by_sign(x):
    if x > 0:
        y = x + 1
    else:
        y = x - 1
    return y


def counted(x):
    n = 0
    while x > 1.0:
        x = x / 2
        if not n == 3:
            n += 1
    return n


def kept(x):
    positive = x > 0
    if positive:
        x = x + 1
    return x, positive


def kept_truth(x):
    positive = bool(x > 0)
    if positive:
        x = x + 1
    return x, positive


def asked_within(x):
    positive = bool(x > 0)
    if positive:
        x = x + positive
    return x


def ended_by_two(x):
    while x > 1.0 and x < 9.0:
        x = x / 2
    return x


def chosen(x):
    if x > 3.0:
        is_next = x < 9.0
    else:
        is_next = x < -1.0
    if is_next:
        x = x + 1
    return x


# fmt: off
def in_two_lines(x):
    if (
        x.sum()
        > x
    ):
        x = x + 1
    return x
# fmt: on


ONE = np.float64(5.0)


@pytest.mark.parametrize(
    ("function", "asks"),
    [
        (by_sign, ["a > 0"]),
        (counted, ["a > 1.0", "not b"]),
        (kept, ["a"]),
        (kept_truth, ["a"]),
        (asked_within, ["a"]),
    ],
)
def test_what_is_asked_is_written_where_it_is_asked(function, asks):
    assert heads(function, ONE) == asks


@pytest.mark.parametrize(
    "function",
    [
        by_sign,
        counted,
        kept,
        kept_truth,
        asked_within,
        ended_by_two,
        chosen,
        in_two_lines,
    ],
)
@pytest.mark.parametrize("x", [-2.0, 0.0, 5.0, np.nan])
def test_it_decides_as_python_does(function, x, assert_same_as_python):
    with ag.config(backend="numpy"):
        assert_same_as_python(ag.function(function), np.float64(x))


def line_of(function, *given):
    """Where it raises a ValueError."""
    with pytest.raises(ValueError, match="truth value") as found:
        function(*given)
    return found.traceback[-1].lineno


@pytest.mark.parametrize("function", [by_sign, counted, in_two_lines])
def test_what_has_no_truth_is_an_error_at_its_line(function):
    with ag.config(backend="numpy"):
        staged = ag.function(function)
        for size in 1, 1, 1:
            staged(np.ones(size))
        assert line_of(staged, np.ones(2)) == line_of(function, np.ones(2))
        graph = staged.get_concrete_function(ag.TensorSpec((None,), np.float64))
        assert line_of(graph, np.ones(2)) == line_of(function, np.ones(2))


def test_a_profile_tells_of_each_step():
    graph = ag.function(by_sign)
    with ag.profile() as profile:
        assert graph(ONE) == 6.0
    assert "greater" in str(profile)


def squared(x):
    return x**2


@pytest.mark.parametrize("x", [np.float64(3.0), np.array(3.0), np.int8(3)])
def test_a_power_of_what_has_no_dims_is_a_number_by_itself(x, assert_same_as_python):
    assert "scalar" not in source(squared, x)
    assert_same_as_python(ag.function(squared), x)
