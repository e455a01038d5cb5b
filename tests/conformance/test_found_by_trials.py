"""Rare calls that random trials of each op have found to do otherwise than NumPy."""

import warnings

import numpy as np
import pytest

import autograph as ag

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


def an_object_of_a_number(x):
    return type(np.asarray(x, object)[()]), np.array(x, dtype="O", ndmin=1)


def all_of_no_dims(x):
    y = np.zeros(())
    y[...] = 3j + x
    return y


def length(x):
    try:
        return len(x)
    except TypeError as error:
        return str(error)


CASES = [
    (an_object_of_a_number, np.int64(2)),
    (an_object_of_a_number, np.float32(0.5)),
    (all_of_no_dims, np.array(2.0)),
    (length, np.float64(1)),
]
if ml_dtypes is not None:
    CASES.append((length, ml_dtypes.float8_e5m2(0.5)))


def seen(function, x):
    """What a call gives, and each warning with its place."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = function(x)
    return repr(result), [(str(w.message), w.filename, w.lineno) for w in told]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "x"), CASES)
def test_the_call_does_what_numpy_does(function, x, backend):
    staged = ag.function(function)
    with ag.config(backend=backend):
        for _ in range(2):
            assert seen(staged, x) == seen(function, x)
