"""What a library's function does of lists and methods that it is given."""

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.optimize
from scipy.optimize import _zeros_py

import autograph as ag

POINTS, VALUES = np.arange(5.0), np.array([-1.0, 1.0, 2.0, 0.0, 3.0])


def area(points, values, end):
    spline = scipy.interpolate.CubicSpline(points, values)
    return scipy.integrate.quad(spline.__call__, 0, end)


def root(points, values, end):
    call = scipy.interpolate.CubicSpline(points, values).__call__
    return scipy.optimize.brentq(call, 0.1, end)


@pytest.mark.parametrize("program", [area, root])
def test_a_method_of_a_librarys_object_is_called_at_the_run(program):
    staged = ag.function(program)
    for end in (1.5, 2.0):
        for _ in range(2):
            assert staged(POINTS, VALUES, end) == program(POINTS, VALUES, end)
    assert staged.concrete_functions


class Bracket:
    def __init__(self):
        self.ends, self.values = [0.0, 2.0], [-2.0, 2.0]

    def update(self, at, value):
        return _zeros_py._update_bracket(self.ends, self.values, at, value)


class StagedBracket(Bracket):
    update = ag.function(Bracket.update)


def test_a_list_of_an_attribute_that_a_librarys_function_changes_is_changed():
    plain, staged = Bracket(), StagedBracket()
    for at in (1.0, 1.5, 1.25, 1.3, 1.4):
        want = plain.update(at, at * at - 2)
        assert staged.update(at, at * at - 2) == want
        assert (staged.ends, staged.values) == (plain.ends, plain.values)


def test_a_list_that_is_passed_and_that_a_librarys_function_changes_is_changed():
    update = ag.function(lambda *args: _zeros_py._update_bracket(*args))
    plain, staged = ([0.0, 2.0], [-2.0, 2.0]), ([0.0, 2.0], [-2.0, 2.0])
    for at in (1.0, 1.5, 1.25, 1.3, 1.4):
        want = _zeros_py._update_bracket(*plain, at, at * at - 2)
        assert update(*staged, at, at * at - 2) == want
        assert staged == plain
