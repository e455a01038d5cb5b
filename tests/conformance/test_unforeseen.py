"""Runs that meet what their graph was not made for: they are made again as Python."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check
from tests.tracer.entered import warm

X, NONE = np.array([3, 1, 2]), np.zeros(3, int)
ROWS = np.arange(6.0).reshape(3, 2)
BOTH = (X,), (NONE,)
CASES = Programs()


@CASES(*BOTH)
def numbers_of_a_list(x):
    return np.array([v for v in x if v > 1])


@CASES(*BOTH)
def a_sum_of_none(x):
    found = []
    for k in range(len(x)):
        if x[k] > 1:
            found.append(k)
    return np.array(found).sum(), np.array(found, float)


@CASES((ROWS,), (-ROWS - 1,))
def rows_of_a_list(x):
    rows = []
    for row in x:
        if row[0] >= 0:
            rows.append(row * 2)
    made = np.array(rows)
    return made, made.shape, made.ndim


@CASES(*BOTH)
def an_argument_is_changed_before(x):
    x += 1
    found = [v for v in x if v > 2]
    x[0] = 100
    return np.array(found), x


@CASES(*BOTH)
def written_as_it_is_computed(x):
    found = []
    for k in range(len(x)):
        x[k] -= 1
        if x[k] > 0:
            found.append(k)
    return np.array(found)


@CASES(*BOTH)
def no_handler_sees_it(x):
    found = [v for v in x if v > 1]
    try:
        made = np.array(found)
        first = x[len(found) + 1]
    except IndexError:
        return "none"
    except ValueError:
        return "of ours"
    return made, first


@CASES(*BOTH)
def no_handler_of_all_sees_it(x):
    found = [v for v in x if v > 1]
    try:
        made = np.array(found) + x[len(found) + 1]
    except Exception as error:  # it is what is tried
        return type(error).__name__
    finally:
        x[0] = 9
    return made


@CASES(*BOTH)
def none_of_floats_is_what_the_graph_says(x):
    return np.array([v * 0.5 for v in x if v > 1])


def helper(x):
    return np.array([v for v in x if v > 1])


@CASES(*BOTH)
def in_another_function(x):
    if len(helper(x)) == 0:
        return helper(x).dtype == float
    return helper(x) * 2


class Place:
    held = None


@CASES(*BOTH)
def kept_outside(x):
    Place.held = x.sum()
    made = np.array([v for v in x if v > 1])
    return made, Place.held


@pytest.mark.parametrize(("program", "calls"), CASES)
def test_a_list_that_is_empty_makes_what_python_makes(program, calls):
    check(program, calls * 3)


def odd(x):
    return x.copy() if x.max() < 100 else x.astype(np.float32)


odd.__module__ = "numpy"  # so it is tried, as NumPy's functions are


def by_trials(x):
    return odd(x)


def test_a_function_that_gives_another_dtype_than_in_trials_is_called_as_python():
    check(by_trials, ((np.ones(2),), (np.array([1.0, 1e3]),)))


@pytest.mark.usefixtures("at_once")
def test_calls_by_machine_code_are_made_again_too():
    def found(x):
        some = []
        for k in range(len(x)):
            if x[k] > 1:
                some.append(k)
        return np.array(some)

    staged = ag.function(found)
    assert warm(staged, X).tolist() == [0, 2]
    assert staged(NONE).dtype == float


def test_the_log_says_why_it_is_python(caplog):
    staged = ag.function(lambda x: np.array([v for v in x if v > 1]))
    with ag.config(log="exec"), caplog.at_level("INFO"):
        staged(X)
        staged(NONE)
    said = [one.getMessage() for one in caplog.records]
    assert len([one for one in said if "was not made for" in one]) == 1, said


def test_what_has_printed_is_not_printed_again(capsys):
    def printing(x):
        print("once")
        return np.array([v for v in x if v > 1])

    staged = ag.function(printing)
    assert staged(X).tolist() == [3, 2]
    with pytest.raises(ValueError, match="a list that is empty when the graph runs"):
        staged(NONE)
    assert capsys.readouterr().out == "once\nonce\n"


def test_who_asks_for_the_graph_is_told():
    traced = ag.function(numbers_of_a_list).get_concrete_function(X)
    with pytest.raises(ValueError, match="a list that is empty when the graph runs"):
        traced(NONE)
