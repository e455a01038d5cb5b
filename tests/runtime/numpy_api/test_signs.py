"""Powers of Python's floats: of what cannot be negative they are floats alone."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

REAL = [
    lambda x, y: (x * x + y * y) ** 0.5,
    lambda x, y: ((x - y) ** 2) ** 1.5,
    lambda x, y: (abs(x) * 3 + 0.5) ** -0.5,
    lambda x, y: (x * x / 4.0) ** y,
]
OPEN = [
    lambda x, y: (x * x - y * y) ** 0.5,
    lambda x, y: (x * y) ** 0.5,
    lambda x, y: (abs(x) * -1) ** 0.5,
    lambda x, y: ((x**0.5) * (x**0.5)) ** 0.5,
    lambda x, y: (x**3) ** 0.5,
]


def of_floats(function):
    def called(x, y):
        return function(float(x), float(y))

    return called


@pytest.mark.parametrize(("functions", "is_known"), [(REAL, True), (OPEN, False)])
def test_a_power_has_one_type_where_its_base_cannot_be_negative(functions, is_known):
    for function in functions:
        staged = ag.function(of_floats(function))
        made = staged.get_concrete_function(np.float64(1.0), np.float64(2.0))
        (result,) = made.graph.outputs
        assert (not result.spec.kinds) == is_known


@pytest.mark.parametrize("function", [*REAL, *OPEN])
@pytest.mark.parametrize("x", [-2.0, 0.5, 0.0, -math.inf, math.nan])
def test_a_power_is_what_it_is_in_python(function, x):
    plain = of_floats(function)
    for y in (1.5, -3.0):
        given = np.float64(x), np.float64(y)
        python, graph = observe(plain, given), observe(ag.function(plain), given)
        assert disagreement(python, graph) is None
