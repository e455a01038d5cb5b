"""A dtype that is not known is none: NumPy itself takes None for float64."""

import numpy as np
import pytest

from runtime.dtypes import same_dtype
from runtime.spec import TensorSpec, join

FLOAT, INT = np.dtype(float), np.dtype(int)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [(FLOAT, FLOAT, True), (FLOAT, INT, False), (FLOAT, None, False)]
    + [(None, FLOAT, False), (None, INT, False), (None, None, True)],
)
def test_an_unknown_dtype_is_the_same_as_another_unknown_one_alone(a, b, same):
    assert same_dtype(a, b) is same
    assert (TensorSpec((3,), a) == TensorSpec((3,), b)) is same


def test_nothing_is_known_of_what_is_float64_on_one_path_only():
    known, unknown = TensorSpec((3,), float), TensorSpec((3,), None)
    assert join(known, unknown).dtype is None
    assert join(unknown, known).dtype is None


def test_specs_of_two_kinds_differ():
    assert TensorSpec((), float) != TensorSpec((), float, weak=True)
    assert len({TensorSpec((), float), TensorSpec((), None)}) == 2
