"""What NumPy tells of dtypes alone is known while tracing, and can be compared."""

import numpy as np
import pytest

import autograph as ag

INTS = np.array([[1, 2], [3, 4]], np.int32)
HALVES = INTS.astype(np.float16)


def of_result_type(x, y):
    if np.result_type(x, y) == np.float64:
        return x * 2
    return x, np.result_type(x, 2.0) is np.dtype(np.float64), np.result_type(y)


def of_common_type(x, y):
    kind = np.common_type(x, y)
    return (
        *(kind == np.float64, kind is np.float64, kind.__name__),
        *(issubclass(kind, np.floating), np.zeros(2, kind), x.astype(kind)),
    )


def of_min_scalar_type(x, y):
    return np.min_scalar_type(x) == np.int32, np.min_scalar_type(y), np.result_type(y)


@pytest.mark.parametrize(
    "program", [of_result_type, of_common_type, of_min_scalar_type]
)
@pytest.mark.parametrize("x", [INTS, HALVES])
@pytest.mark.parametrize("y", [INTS, HALVES, HALVES.astype(complex)])
def test_a_dtype_that_is_asked_for_can_be_compared(program, x, y):
    graph = ag.function(program)
    for _ in range(2):
        assert repr(graph(x, y)) == repr(program(x, y))
    assert graph.concrete_functions


def test_a_number_of_pythons_counts_as_little_as_in_numpy():
    graph = ag.function(of_result_type)
    for number in (1, 2, 3, 1.5, 2.5, 3.5, True, 1j, np.int8(2), np.float32(2)):
        assert repr(graph(INTS, number)) == repr(of_result_type(INTS, number))
