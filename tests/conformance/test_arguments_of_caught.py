"""What a handler asks of `e.args`, where an operation may have raised."""

import copy
import math

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

NUMBERS = ((np.float64(-1),), (np.float64(-3),), (np.float64(4),))
PROGRAMS = Programs()


def root(x):
    """A ValueError of an int, or of the text of `math`."""
    if x < -2:
        raise ValueError(3)
    return math.sqrt(x)


def given(*arguments):
    return arguments


@PROGRAMS(*NUMBERS)
def whether_it_is_text(x):
    try:
        return root(x)
    except ValueError as error:
        return float(isinstance(error.args[0], str))


@PROGRAMS(*NUMBERS)
def whether_it_is_one_of_several(x):
    try:
        return root(x)
    except ValueError as error:
        if isinstance(error.args[0], (int, bool)):
            return 1.0
        return 2.0


@PROGRAMS(*NUMBERS)
def what_class_they_are_of(x):
    try:
        return root(x)
    except ValueError as error:
        return float(isinstance(error.args, tuple) and type(error.args) is tuple)


@PROGRAMS(*NUMBERS)
def what_class_it_is_of(x):
    try:
        return root(x)
    except ValueError as error:
        return type(error.args[0]) is str, type(error.args[0]).__name__


@PROGRAMS(*NUMBERS)
def a_text_in_it(x):
    try:
        return root(x)
    except ValueError as error:
        return "domain" in error.args[0]


@PROGRAMS(*NUMBERS)
def a_method_of_it(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args[0].upper()


@PROGRAMS(*NUMBERS)
def a_method_where_it_is_text(x):
    try:
        return root(x)
    except ValueError as error:
        known = isinstance(error.args[0], str)
        return error.args[0].split() if known else hasattr(error.args[0], "real")


@PROGRAMS(*NUMBERS)
def a_part_of_it(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args[0][:4]


@PROGRAMS(*NUMBERS)
def its_length(x):
    try:
        return root(x)
    except ValueError as error:
        return len(error.args), len(error.args[0])


@PROGRAMS(*NUMBERS)
def text_added_to_it(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args[0] + "!"


@PROGRAMS(*NUMBERS)
def a_number_added_to_it(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args[0] + 1


@PROGRAMS(*NUMBERS)
def an_array_added_to_it(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args[0] + np.arange(2)


@PROGRAMS(*NUMBERS)
def the_larger_one(x):
    try:
        return root(x)
    except ValueError as error:
        return max(error.args[0], 2)


@PROGRAMS(*NUMBERS)
def how_often_one_is_there(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args.count(3), error.args.index(3)


@PROGRAMS(*NUMBERS)
def whether_they_are_equal(x):
    try:
        return root(x)
    except ValueError as error:
        return error.args == (3,), error.args != ("math domain error",)


@PROGRAMS(*NUMBERS)
def more_arguments(x):
    try:
        return root(x)
    except ValueError as error:
        return (*error.args, 1), error.args + (1,)


@PROGRAMS(*NUMBERS)
def matched(x):
    try:
        return root(x)
    except ValueError as error:
        match error.args:
            case (int(n),):
                return n
            case (str() as text,):
                return text
        return None


@PROGRAMS(*NUMBERS)
def a_copy_of_the_exception(x):
    try:
        return root(x)
    except ValueError as error:
        return copy.copy(error).args


@PROGRAMS(*NUMBERS)
def the_arguments_given_on(x):
    try:
        return root(x)
    except ValueError as error:
        return given(*error.args)


@PROGRAMS(*NUMBERS)
def what_a_graph_does(x):
    try:
        return root(x)
    except ValueError as error:
        print(error.args[0], f"{error.args[0]!r:>20}", error)
        return error.args[0], error.args[0] == 3, str(error)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_arguments_are_what_python_has(function, arguments):
    check(function, arguments)


IN_GRAPHS = (whether_it_is_text, whether_it_is_one_of_several, what_a_graph_does)


@pytest.mark.parametrize("function", IN_GRAPHS)
def test_a_graph_asks_the_run(function):
    traced = ag.function(function).get_concrete_function(np.float64(-1))
    assert repr(traced(np.float64(-1))) == repr(function(np.float64(-1)))


def test_a_caught_exception_is_given_on():
    @ag.function
    def passed(x):
        try:
            return root(x)
        except ValueError as error:
            return given(error, 1)

    for x in (-1, -3, -1):
        error, one = passed(np.float64(x))
        assert (type(error), one) == (ValueError, 1)
        assert error.args == ((3,) if x < -2 else ("math domain error",))
