"""Lists of numbers in an array of ints: each item is asked what int it is."""

import numpy as np
import pytest

import autograph as ag

NUMBERS = (0.5, -3.75, 3e9, 1e30, np.inf, np.nan)


def stored(x, i, y):
    for k in range(len(y)):
        x[k] = y[k], 3
    x[len(y)] = [i, y[0]]
    return x


def made(x, i, y):
    row = np.array([[y[0], i], [i, y[-1]]], x.dtype)
    return row, np.array([y[0] > 0, i], x.dtype)


def told(function, *arguments):
    try:
        return repr(function(*arguments))
    except (OverflowError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("kind", ["i8", "i4", "u2", "u8"])
@pytest.mark.parametrize("function", [stored, made])
def test_an_item_is_an_int_of_its_own_or_none(function, kind, backend):
    with ag.config(backend=backend):
        staged = ag.function(function)
        for number in NUMBERS:
            for i in (np.int64(2**60 + 1), np.int64(7)):
                wanted, *found = (
                    told(one, np.zeros((4, 2), kind), i, np.array([1.5, number]))
                    for one in (function, staged, staged)
                )
                assert found == [wanted] * 2
