"""Whether a result is `np.ma.masked`, which only a run knows, is asked as in Python."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


def of_reductions(x):
    m = np.ma.array(x, mask=x > 0)
    return m.all() is np.ma.masked, m[0] is np.ma.masked, m[-1] is not np.ma.masked


def in_a_branch(x):
    mean = np.ma.masked_greater(x, 0).mean()
    return -1.0 if mean is np.ma.masked else float(mean)


def in_a_loop(x):
    return [-1.0 if v is np.ma.masked else float(v) for v in np.ma.masked_less(x, 2)]


@pytest.mark.parametrize("program", [of_reductions, in_a_branch, in_a_loop])
@pytest.mark.parametrize("x", [np.arange(1.0, 4.0), np.arange(-1.0, 2.0)])
def test_it_is_asked_as_in_python(program, x):
    assert_same_as_python(program, x)
