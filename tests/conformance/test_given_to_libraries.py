"""Functions written in C, or by libraries, that take no tensor."""

import decimal
import struct

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


def packed(x):
    if x <= 0:
        return None
    return struct.unpack(">i", struct.pack(">f", x))[0]


def with_precision(digits):
    if digits < 1:
        raise ValueError("no digits")
    with decimal.localcontext():
        decimal.getcontext().prec = digits
        return str(decimal.Decimal(2).sqrt())


@pytest.mark.parametrize("function", [packed, with_precision])
def test_what_a_library_takes_no_tensor_for_stays_a_constant(function):
    check(function, tuple((n,) for n in (1, 2, 3, 4, 0)))


def test_what_a_library_raises_of_a_tensor_is_not_the_programs_error():
    staged = ag.function(packed)
    with pytest.raises(TypeError, match="pack gets a value that is known only when"):
        staged.get_concrete_function(np.float64(2.5))
    assert staged(np.float64(2.5)) == packed(np.float64(2.5))
