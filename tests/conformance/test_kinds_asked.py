"""What NumPy says of a thing's kind is known while tracing."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


def scaled(x):
    return x * (np.isscalar(x) + 2 * np.isscalar(x.sum()) + 4 * np.isscalar([x]) + 8)


def gone_through(x):
    return x * (np.iterable(x) + 2 * np.iterable(x.sum()) + 4 * np.iterable([x]) + 8)


def sized(x):
    if np.isscalar(x) or not np.iterable(x):
        x = np.asarray([x])
    return x * np.size(x)


@pytest.mark.parametrize("program", [scaled, gone_through, sized])
@pytest.mark.parametrize("x", [np.ones((2, 3)), np.float64(2.0), np.array(2.0)])
def test_what_is_a_number_is_known_while_tracing(program, x):
    assert_same_as_python(program, x)
