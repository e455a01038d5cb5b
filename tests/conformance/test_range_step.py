"""A range whose step is data fails where Python says, and with its words."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


def summed(step):
    total = 0
    for i in range(1, 9, step):
        total = total * 2 + i
    return total


@pytest.mark.parametrize("step", [3, -2])
def test_a_step_of_data_counts_as_in_python(step):
    assert_same_as_python(summed, np.int64(step))


def test_a_step_of_zero_says_what_python_says():
    with pytest.raises(ValueError, match=r"^range\(\) arg 3 must not be zero$"):
        assert_same_as_python(summed, np.int64(0))
