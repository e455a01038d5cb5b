"""What the tests of try statements share: programs with arguments, run both ways."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

Function = Callable[..., Any]

i = np.int64
x3 = np.array([1.0, 2.0, 3.0])
INDICES = [(x3, i(0)), (x3, i(2)), (x3, i(3)), (x3, i(-4)), (x3, i(-3))]


class Programs(list[Any]):
    """Functions, each with tuples of arguments, as pytest's parameters."""

    def __call__(self, *arguments: tuple[Any, ...]) -> Callable[[Function], Function]:
        """Decorator: run the function with each of these tuples of arguments."""

        def note(function: Function) -> Function:
            case = pytest.param(function, arguments, id=function.__name__)
            self.append(case)
            return function

        return note


def check(function: Function, arguments: tuple[tuple[Any, ...], ...]) -> None:
    """Plain and staged, with each of the arguments traced and from the cache."""
    staged = ag.function(function)
    for given in (*arguments, *arguments):
        python, graph = observe(function, given), observe(staged, given)
        found = disagreement(python, graph)
        assert found is None, f"{given}: {found.sentence}"


def asserts(x: Any) -> int:
    """Here, since pytest writes the asserts of a test module anew."""
    try:
        assert x[0] > 0, f"bad {x[0]}"
        assert x[1] > 0
    except AssertionError as e:
        print(e, len(e.args))
        return 0
    return 1
