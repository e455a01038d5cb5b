"""Lists without a number as indices, which are no arrays of floats there."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

MATRIX = np.arange(6.0).reshape(2, 3)
PROGRAMS = Programs()


@PROGRAMS((MATRIX,))
def read(x):
    return x[[]], x[[[]]], x[:, [[], []]], x[[[]], 0], x[[[]], [1]], x[([[]],)]


@PROGRAMS((MATRIX,))
def stored(x):
    x[[[]]] = 3
    x[[[[]]], 1] += 1
    return x


@PROGRAMS((MATRIX,))
def of_tensors(x):
    return x[[x[0, :0]]]


@PROGRAMS((MATRIX,))
def an_array_of_floats(x):
    return x[np.array([[]])]


@pytest.mark.parametrize("backend", ["auto", "native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_an_empty_list_picks_nothing(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
