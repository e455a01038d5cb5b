"""Iterators, matches and `in`, of what is one of several things or known to the run."""

import itertools

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

NUMBERS = ((np.float64(1),), (np.float64(-1),), (np.float64(2),))
PROGRAMS = Programs()


@PROGRAMS(*NUMBERS)
def the_first_key(x):
    table = {"a": x} if x > 0 else {"b": 1.0, "c": x}
    return next(iter(table)), next(iter(table.values()))


@PROGRAMS(*NUMBERS)
def an_iterator_that_goes_on(x):
    numbers = (1.0, x) if x > 0 else (2.0,)
    rest = iter(numbers)
    return next(rest), list(rest)


@PROGRAMS(*NUMBERS)
def a_loop_that_goes_on(x):
    rest = iter("ab" if x > 0 else "cde")
    for letter in rest:
        if letter in "ad":
            break
    return list(rest)


@PROGRAMS(*NUMBERS)
def counted_and_mapped(x):
    numbers = (1.0, x) if x > 0 else (2.0,)
    counted, sizes = enumerate(numbers), map(abs, numbers)
    return next(counted), list(counted), next(sizes), list(sizes)


@PROGRAMS(*NUMBERS)
def a_part_of_keys(x):
    table = {int(x * 2): x, 7: 1.0}
    return list(itertools.islice(table, 1)), list(itertools.islice({int(x), 3}, 1))


@PROGRAMS(*NUMBERS)
def a_range_matched(x):
    match range(int(x * 2) + 3):
        case [first, second, *others]:
            return first, second, len(others)
        case [*others]:
            return 0, 0, len(others)
    return "none"


@PROGRAMS(*NUMBERS)
def a_dict_matched(x):
    match {int(x * 2): x, 7: 1.0}:
        case {"a": found}:
            return "text", found
        case {2: found}:
            return "two", found
        case {7: found}:
            return "seven", found


@PROGRAMS(*NUMBERS)
def a_number_asked_for_another(x):
    return 1.0 in x


@PROGRAMS(*NUMBERS)
def an_int_or_a_float_asked(x):
    try:
        return 1.0 in (2 if x > 0 else 1.5)
    except TypeError as error:
        return str(error)


@PROGRAMS(*NUMBERS)
def a_number_compared_with_a_list(x):
    number = np.int8(2) if x > 0 else 1
    return number != [1.0], number == [1.0], [1.0] != number, number != (1,)


@PROGRAMS(*NUMBERS)
def a_number_and_a_list_added(x):
    number = np.int8(2) if x > 0 else 1
    return number + [1.0]


@PROGRAMS(*NUMBERS)
def given_to_numpy(x):
    table = {int(x * 2): x}
    return np.size(table), np.isscalar({int(x), 3}), np.shape(table)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_they_are_asked_as_in_python(function, arguments):
    check(function, arguments)
