"""Rows of numbers that are only stored: each number is written where it is to be."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing

INTS = np.arange(24).reshape(12, 2)


def rows(x, n):
    for k in range(n):
        x[k] = k + 1, k * 2
    return x


def exchanged(x, n):
    for k in range(n):
        x[k] = x[k, 1], x[k, 0]
        x[k - 1] = [x[k, 1] + 1, x[k - 1, 0]]
    return x


def parts(x, n):
    for k in range(n):
        x[k : k + 2, 1] = k, x[k, 0]
        x[-k - 1, :] = (k, 7)
        x[:, 0][k : k + 2] = np.array([x[k, 1], 3])
    return x


def cast(x, y, n):
    for k in range(n):
        x[k] = y[k, 0] * 1.5, y[k, 1] > 0.5
    return x


def several(x, y, n):
    for k in range(n):
        both = np.array([k, k + 1])
        x[k] = both
        y[k] = both * 2
        x[k, 0] += both[1]
    return x, y


def spread(x, n):
    for k in range(n):
        x[k] = k, 5
        x[k, 1] = [k, 3]
    return x


def found(x, n):
    top = 0
    while top < n:
        if x[top, 0] > 3:
            x[top] = top, -1
            top += 2
        else:
            x[top] = -2, x[top, 0]
            top += 1
    return x, top


def texts(function, *calls):
    with ag.config(backend="native"):
        staged = agreeing(function, [*calls])
    return staged.get_concrete_function(*calls[0]).inspect("loops")


@pytest.mark.parametrize("function", [rows, exchanged, parts, found])
@pytest.mark.parametrize("dtype", ["i8", "f8", "i2", "c16"])
def test_rows_are_written_as_numpy_does(function, dtype):
    if function is found and dtype == "c16":
        pytest.skip("complex numbers have no order")
    x = INTS.astype(dtype)
    turned = np.asfortranarray(x)
    text = texts(
        function, (x, np.int64(9)), (turned, np.int64(9)), (x[::-1], np.int64(3))
    )
    assert "new" not in text


def test_what_does_not_fit_is_pythons_to_say():
    x = INTS.copy()
    texts(rows, (x, np.int64(14)))
    texts(parts, (x, np.int64(14)))
    texts(rows, (np.zeros((5, 3)), np.int64(4)))
    y = np.array([[0.5, 1.0], [np.nan, 2.0], [1e300, 3.0], [2.5, 0.0]])
    with np.errstate(all="ignore"):
        texts(cast, (np.zeros((4, 2)), y, np.int64(4)))
        texts(cast, (np.zeros((4, 2), np.int8), y[[0, 3]], np.int64(2)))


def test_rows_that_others_take_are_rows():
    x = np.zeros((9, 2))
    texts(several, (x, x.copy(), np.int64(8)))
    texts(spread, (np.zeros((6, 3, 2)), np.int64(6)))
