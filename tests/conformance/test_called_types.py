"""NumPy's scalar types, called with arrays: one of that dtype already is itself."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check

WHOLE = np.ones(3)


def returned(x):
    return np.float64(x)


def changed(x):
    y = np.float64(x)
    y += 1
    return y


def of_a_part(x):
    part = np.float64(x[1:])
    part[0] = 5
    return part


def turned(x):
    y = np.double(x.T)
    y *= 2
    return y


def one_of_its_own(x):
    y = np.complex128(x * 1j)
    z = np.complex128(y)
    z[0] = 5
    return y, z, y is z


def from_outside(x):
    y = np.float64(WHOLE)
    return y is WHOLE, y[0] + x


ARRAYS = [
    np.arange(6.0).reshape(3, 2),
    np.arange(6, dtype=np.float32).reshape(3, 2),
    np.arange(6.0).reshape(3, 2).astype(">f8"),
]


@pytest.mark.parametrize("function", [returned, changed, of_a_part, turned])
@pytest.mark.parametrize("x", ARRAYS, ids=["float64", "float32", "swapped"])
def test_an_array_of_that_dtype_is_itself(function, x):
    check(function, ((x,),))
    mine, graphs = x.copy(), x.copy()
    plain, staged = function(mine), ag.function(function)(graphs)
    assert (plain is mine) == (staged is graphs)
    assert np.shares_memory(plain, mine) == np.shares_memory(staged, graphs)


def test_so_is_one_of_the_calls_own_and_one_outside():
    check(one_of_its_own, ((np.arange(3.0),),))
    check(from_outside, ((np.float64(2.0),),))


RESULT = type(np.linalg.slogdet(np.eye(2)))


def holds_what_it_is_given(x):
    made = RESULT(x, x * 2)
    made.sign[...] = 3.0
    return made, made.sign is x


def test_a_named_tuple_of_numpys_holds_the_very_arrays():
    check(holds_what_it_is_given, ((np.array(2.0),), (np.arange(3.0),)))
