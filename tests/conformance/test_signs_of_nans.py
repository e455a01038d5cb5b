"""A NaN has a sign (`np.signbit`, `np.copysign`): constants keep theirs."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag

NANS = np.nan, -np.nan


def stored(x):
    y = x.copy()
    x[:2] = np.nan
    y[:2] = -np.nan
    return x, y


def stored_in_a_loop(x):
    y = x.copy()
    for k in range(len(x)):
        x[k] = np.nan
        y[k] = -np.nan
        if k > 2:
            x[k] = -np.nan
    return x, y


def given_to_functions(x):
    return np.copysign(x, np.nan), np.copysign(x, -np.nan)


def in_complex_numbers(x):
    return (x * complex(0, np.nan)).imag, (x * complex(0, -np.nan)).imag


@pytest.mark.parametrize(
    "program", [stored, stored_in_a_loop, given_to_functions, in_complex_numbers]
)
def test_two_constants_that_differ_in_their_sign_alone_are_two(program):
    graph = ag.function(program)
    for _ in range(2):
        wanted, found = program(np.ones(5)), graph(np.ones(5))
        assert str(np.signbit(found)) == str(np.signbit(wanted))


@pytest.mark.parametrize("number", [*NANS, *(complex(1, nan) for nan in NANS)])
def test_a_number_outside_that_changes_its_sign_is_another(number):
    held = SimpleNamespace(number=number)
    graph = ag.function(lambda x: np.copysign(x, (held.number * (1 + 0j)).imag))
    plain = ag.function(lambda x: np.copysign(x, held.number.imag + held.number.real))
    for held.number in (number, number.conjugate(), -number, number):
        for one in graph, plain:
            wanted = one.python_function(np.ones(2))
            assert one(np.ones(2)).tolist() == wanted.tolist()


def test_an_argument_that_changes_its_sign_is_another():
    graph = ag.function(lambda x, n: np.copysign(x, n))
    for number in (*NANS, *NANS, 0.0, -0.0):
        wanted = np.copysign(np.ones(2), number)
        assert graph(np.ones(2), number).tolist() == wanted.tolist()
