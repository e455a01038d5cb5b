"""Items of unlike things, by a number that is an int on some paths only."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

NUMBERS = ((np.float64(1),), (np.float64(-1),), (np.float64(1.7),))
PROGRAMS = Programs()


@PROGRAMS(*NUMBERS)
def tuples_in_a_list(x):
    at = 1 if x > 0 else 0.5
    return [(3,), (4, 5), ()][at]


@PROGRAMS(*NUMBERS)
def words_and_none(x):
    at = 1 if x > 0 else 0.5
    return ("a", "bc", None)[at]


@PROGRAMS(*NUMBERS)
def by_two_ints(x):
    at = 1 if x > 0 else np.int8(0)
    return [(3,), (4, 5), ()][at]


@PROGRAMS(*NUMBERS)
def by_a_float_of_pythons(x):
    return [(3,), (4, 5)][float(x)]


@PROGRAMS(*NUMBERS)
def by_a_float_of_numpys(x):
    return [(3,), (4, 5)][x]


@PROGRAMS((np.float64(1.2),), (np.float64(-3),), (np.float64(0),))
def a_machine_that_jumps(x):
    code = [("sub", 0.5), ("jump", 0), ("halt",)]
    at = 0
    while at < len(code):
        word, *given = code[at]
        at += 1
        if word == "sub":
            x = x - given[0]
        elif word == "jump":
            if x > 0:
                at = given[0]
        else:
            break
    return x, at


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_item_is_that_of_python(function, arguments):
    check(function, arguments)
