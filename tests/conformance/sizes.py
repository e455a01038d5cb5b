"""What the tests of sizes that depend on data share: arguments by their names."""

import inspect

import numpy as np
import pytest

from autograph.same import assert_same_as_python

ARGUMENTS = {
    "x": np.array([1.5, -2.0, 0.25, 3.0, 0.5, -1.0]),
    "m": np.array([[4.0, 1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 0.25, 5.0]]),
    "i": np.array([3, 1, 2, 3, 5, 1]),
    "s": np.array([5, 3, 8, 1]),
    "d": np.float64(0.75),
    "n": np.int64(3),
}


class Programs(list):
    """Functions, as pytest's parameters; a decorator that adds one."""

    def __call__(self, function):
        self.append(pytest.param(function, id=function.__name__))
        return function


def check(function):
    """Plain and staged, with the arguments that its parameters are named after."""
    names = inspect.signature(function).parameters
    assert_same_as_python(function, *(ARGUMENTS[name] for name in names))
