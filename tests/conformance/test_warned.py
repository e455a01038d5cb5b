"""What a program warns of is warned of by each call, in its words, at its line."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import warm

X = np.array([1.0, -2.0, 3.0])


def plainly(x):
    warnings.warn("careful", stacklevel=1)
    return x


def of_the_run(x):
    warnings.warn(f"got {x[0]}", RuntimeWarning, stacklevel=1)
    warnings.warn("got " + str(x.sum()), category=DeprecationWarning)
    return x


def where_data_say(x):
    if x[0] > 0:
        warnings.warn("positive")
    for v in x:
        if v < 0:
            warnings.warn(str(v))
    return x.sum()


def at_the_line_of_its_caller(x):
    warnings.warn(f"old {x[0]}", stacklevel=2)
    return x


def helper(x, level):
    if x > 0:
        warnings.warn("in a helper", stacklevel=level)
    return x * 2


def at_levels_of_a_helper(x):
    first = helper(x[0], 1)
    second = helper(x[0], 2)
    return first + second + helper(x[2], 3) + helper(x[2], 30)


def an_object(x):
    warnings.warn(UserWarning("got", x[0]))
    warnings.warn_explicit("explicitly", UserWarning, "some.py", 7)
    return x


def wrongly(x):
    try:
        warnings.warn("no category", int)
    except TypeError as error:
        return str(error)


PROGRAMS = [
    plainly,
    of_the_run,
    where_data_say,
    at_the_line_of_its_caller,
    at_levels_of_a_helper,
    an_object,
    wrongly,
]


def warned(function, filter="always"):
    """What each of some calls says: its words, and where."""
    said = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(filter)
        for x in (X, X, X + 1):
            function(x)
            said.append([_told(one) for one in caught])
            caught.clear()
    return said


def _told(one):
    return type(one.message), str(one.message), one.filename, one.lineno


@pytest.mark.parametrize("filter", ["always", "default", "once", "ignore"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_it_is_warned_of_by_each_call(program, filter):
    globals().pop("__warningregistry__", None)
    python = warned(program, filter)
    globals().pop("__warningregistry__", None)
    assert warned(ag.function(program), filter) == python


def test_a_warning_that_is_an_error_is_raised_at_the_line():
    staged = ag.function(of_the_run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(RuntimeWarning, match=r"got 1\.0") as raised:
                staged(X)
            assert raised.traceback[-1].name == "of_the_run"


@pytest.mark.usefixtures("at_once")
def test_machine_code_warns_too():
    def some(x):
        count = 0
        for k in range(len(x)):
            if x[k] < 0:
                warnings.warn(f"below: {k}")
                count += 1
        return count

    staged = ag.function(some)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warm(staged, X)
    assert warned(staged) == warned(some)
