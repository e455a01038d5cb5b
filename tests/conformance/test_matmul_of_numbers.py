"""`x @ 3` says what NumPy says, of arrays of any size and of numbers."""

import numpy as np
import pytest

from tests.conformance.trying import check


def after(x):
    return x @ 3


def before(x):
    return 3 @ x


def of_a_number(x):
    return x.sum() @ 3


@pytest.mark.parametrize("f", [after, before, of_a_number])
def test_what_is_said_of_a_number_is_what_numpy_says(f):
    check(f, tuple((np.ones(n),) for n in (3, 4, 5)))
