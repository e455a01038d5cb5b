"""A list that is stored as one element: mostly an error, NumPy's own."""

import numpy as np
import pytest

from tests.conformance.trying import check


def of_the_run(x, n):
    x[0] = [n, 2]
    return x


def where_the_run_says(x, n):
    x[n] = (1, 2)
    return x


def nothing(x, n):
    x[n] = []
    return x


def in_a_try(x, n):
    try:
        x[n] = [n]
    except (TypeError, ValueError) as error:
        cause = type(error.__cause__).__name__
        return str(error), type(error).__name__, cause, x


DTYPES = "?", "u1", "i8", "f4", "f8", "D", "U3", "T"
PROGRAMS = [of_the_run, where_the_run_says, nothing, in_a_try]


@pytest.mark.filterwarnings("ignore:.*as Python:RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_list_as_an_element_is_what_numpy_makes_of_it(program, dtype):
    kind = np.dtypes.StringDType() if dtype == "T" else dtype
    check(program, ((np.zeros(3, kind), np.int64(1)),))
