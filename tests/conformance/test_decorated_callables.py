"""What has no Python code, decorated itself: each call means what it means plain."""

import functools
import operator

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.filterwarnings("ignore:.* is run as Python:RuntimeWarning")


@ag.do_not_convert
def of_an_array(x):
    if type(x) is not np.ndarray:
        raise ValueError("no array")
    return x.sum()


@pytest.mark.parametrize(
    "function",
    [
        *(np.ndarray.tobytes, np.ndarray.sum, operator.itemgetter(1), len, np.cumsum),
        functools.partial(np.add, 3),
        functools.partial(np.clip, a_max=2),
        functools.partial(np.clip, a_min=0, a_max=2),
        *(of_an_array, lambda x: of_an_array(x) * 2, functools.partial(of_an_array)),
        operator.methodcaller("sum"),
    ],
)
def test_the_first_call_and_those_after_it_are_pythons(function):
    x = np.array([1.0, 2.0, 3.0])
    staged = ag.function(function)
    for _ in range(3):
        assert repr(outcome(staged, x)) == repr(outcome(function, x))


def outcome(function, x):
    try:
        return function(x)
    except TypeError as error:
        return type(error)
