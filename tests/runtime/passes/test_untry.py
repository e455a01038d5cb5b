"""A `try` in a loop is a branch where it can be asked whether something fails."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.failing import has_no_quotient, is_no_float
from runtime.passes.failures import LAST


def names_of(function, *given):
    graph = ag.function(function).get_concrete_function(*given).graph
    return [node.op.name for node in graph.walk()]


X = np.arange(300.0)


def in_a_loop(x):
    y = 0.0
    for k in range(len(x)):
        try:
            y += 1 / float(x[k])
        except ZeroDivisionError:
            y += 1
    return y


def outside_of_one(x):
    try:
        y = 1 / float(x[0])
    except ZeroDivisionError:
        y = 1
    return y


def who_wants_it(x):
    y = 0.0
    for k in range(len(x)):
        try:
            y += 1 / float(x[k])
        except ZeroDivisionError as error:
            y += len(error.args)
    return y


def nobody_knows(x):
    y = 0.0
    for k in range(len(x)):
        try:
            y += float(np.median(x[k:])) / k
        except Exception:
            y += 1
    return y


def too_many(x):
    y = 0.0
    for k in range(len(x)):
        try:
            y += 1 / float(x[k]) + 1 / float(x[k - 1]) + 1 / float(x[k - 2])
            y += 1 / float(x[k]) + 1 / float(x[k - 1]) + 1 / float(x[k - 2])
            y += 1 / float(x[k]) + 1 / float(x[k - 1]) + 1 / float(x[k - 2])
            y += 1 / float(x[k]) + 1 / float(x[k - 1]) + 1 / float(x[k - 2])
        except ZeroDivisionError:
            y = y * 2 + y / 3 + math.sin(y) + math.cos(y) * math.sin(y - 1)
            y = y * 2 + y / 3 + math.sin(y) + math.cos(y) * math.sin(y - 1)
            y = y * 2 + y / 3 + math.sin(y) + math.cos(y) * math.sin(y - 1)
    return y


def test_a_try_in_a_loop_is_a_branch():
    found = names_of(in_a_loop, X)
    assert "try" not in found
    assert "checkpoint" not in found
    assert "if" in found


@pytest.mark.parametrize(
    "function",
    [outside_of_one, who_wants_it, nobody_knows, too_many],
)
def test_others_stay_what_they_are(function):
    assert "try" in names_of(function, X)


def test_exponentials_end_where_they_are_known_to():
    assert math.isfinite(math.exp(LAST))
    with pytest.raises(OverflowError):
        math.exp(math.nextafter(LAST, math.inf))


def test_which_ints_are_no_floats():
    most = 2**1024 - 2**970
    assert not is_no_float(most - 1)
    assert is_no_float(most)
    assert is_no_float(-most)
    assert not has_no_quotient(most * 8, 8**340)
    assert has_no_quotient(most * 3, 3)
    assert not has_no_quotient(most, 0)


def test_errors_of_numpys_floats_are_none_of_pythons_numbers():
    def find(x):
        total, missing = 0.0, 0
        for i in range(len(x)):
            try:
                total += 1 / float(x[i])
            except ArithmeticError:
                missing += 1
        return total, missing

    assert ag.function(find)(X) == find(X)
    assert "try" not in names_of(find, X)
