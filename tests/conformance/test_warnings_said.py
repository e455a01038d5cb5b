"""`warnings.warn`: each run warns as Python does, of the same lines."""

import warnings
from typing import Any

import numpy as np
import pytest

import autograph as ag


def of_a_branch(x):
    if x[0] < 0:
        warnings.warn(f"{x[0]} is negative", stacklevel=1)
    return x + 1


def of_a_loop(x):
    for v in x:
        if v < 0:
            warnings.warn(str(v), RuntimeWarning, 1)
    return x.sum()


def of_an_instance(x):
    for k in range(3):
        if x[0] < k:
            warnings.warn(DeprecationWarning(f"{x[0]} and {k}"), stacklevel=1)
    return x


def helper(x, level):
    warnings.warn("in helper", stacklevel=level)
    return x * 2


def of_its_line(x):
    return helper(x, 1)


def of_its_call(x):
    return helper(x, 2)


def of_its_callers_call(x):
    return helper(x, 3)


def before_it_fails(x):
    x[0] = 9
    warnings.warn("soon", stacklevel=1)
    return x[len(x)]


class OwnWarning(UserWarning):
    def __init__(self, value: Any) -> None:
        super().__init__(f"own {value}")


def of_a_class_of_its_own(x):
    if x[0] < 0:
        warnings.warn(OwnWarning(x[0]), stacklevel=1)
    return x


PROGRAMS = [of_a_branch, of_a_loop, of_an_instance, of_its_line, of_its_call]
PROGRAMS += [of_its_callers_call, before_it_fails, of_a_class_of_its_own]
ROWS = [np.array([1.0, 2.0]), np.array([-1.0, -2.0])]


def observed(function: Any, action: str) -> list[Any]:
    """What each of several calls gives, and what is warned of, and where."""
    globals().get("__warningregistry__", {}).clear()
    found = []
    for x in [*ROWS, *ROWS]:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter(action)
            own = x.copy()
            try:
                given = function(own)
            except (IndexError, Warning) as error:
                given = error
        said = [(str(w.message), w.category, w.filename, w.lineno) for w in told]
        found.append((repr(given), repr(own), said))
    return found


@pytest.mark.parametrize("action", ["always", "default", "error"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_each_run_warns_at_the_line_that_python_names(program, action):
    assert observed(ag.function(program), action) == observed(program, action)
