"""Changes of what is one of several arrays, of which one has no room for it."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

CASES = Programs()
BOTH = (
    (np.arange(24.0).reshape(4, 6), np.True_),
    (np.arange(24.0).reshape(4, 6), np.False_),
)


@CASES(*BOTH)
def a_row_into_a_column(x, c):
    y = x.T if c else x[1:]
    y[..., -1] = x[0]
    return y


@CASES(*BOTH)
def nobody_reads_what_is_changed(x, c):
    y, z = x[1:], x * 2
    y = z.T if c else y
    y[..., -1] = x[0]
    return x


@CASES(*BOTH)
def a_sum_of_other_shapes(x, c):
    y = x.T if c else x
    y += x[0]
    return y


@CASES(*BOTH)
def none_has_room(x, c):
    y = x.T if c else x[1:, 1:]
    y[0] = x.reshape(-1)
    return y


@CASES(*BOTH)
def the_failure_is_caught(x, c):
    y = x.T if c else x[1:]
    try:
        x[0, 0] = 100
        y[..., -1] = x[0]
    except ValueError as error:
        return str(error), x
    return y, x


@CASES(*BOTH)
def another_failure_is_not(x, c):
    y = x.T if c else x[1:]
    try:
        y[..., -1] = x[0]
    except IndexError:
        return 5
    return y


@CASES(*BOTH)
def one_of_three(x, c):
    y = x.T if c else x[1:]
    y = x[::2] if x[0, 0] > 5 else y
    y[..., -1] = x[0]
    return y


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_does_not_fit_fails_where_that_is_the_array(function, arguments):
    check(function, arguments)
